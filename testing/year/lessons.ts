import { randomUUID } from 'node:crypto';
import { correctionApi } from '#features/attendance/contract/correction.ts';
import { leaveApi } from '#features/attendance/contract/leave.ts';
import { homeworkApi } from '#features/homework/contract/homework.ts';
import { noteApi } from '#features/observation/contract/note.ts';
import { addDays } from '#kit/server/day.ts';
import { form } from '../school.ts';
import { type Act, ask, childOn, post, said, sectionsOn } from './acting.ts';
import { drawRow } from './money.ts';

/** The office notes a leave of one to three days that begins within a week of today. */
const noteLeave: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  if (!child) return undefined;
  const fromDay = addDays(day, random.upTo(10) - 2);
  const sent = await post(world.people.office, leaveApi.note.path, {
    studentId: child.id,
    number: '',
    fromDay,
    toDay: addDays(fromDay, random.upTo(3)),
    half: 'Whole day',
    kind: random.oneOf(['Sick', 'Family']),
    reason: 'The mother called',
  });
  return said(sent, [child.id]);
};

const cancelLeave: Act['act'] = async (world, random, day) => {
  const leave = await drawRow<{ id: number; version: number; student: number }>(
    world,
    random,
    `select id, version, student_id as student from attendance_leave
      where state in ('Asked', 'Granted') and to_day >= '${day}'`,
  );
  if (!leave) return undefined;
  const { id, version, student } = leave;
  return said(await post(world.people.office, `/attendance/leave/${id}/cancel`, { version }), [student]);
};

/** The office asks for another mark in a register of the last days. */
const correctMark: Act['act'] = async (world, random, day) => {
  const mark = await drawRow<{ id: number; student: number; day: string; slot: string; code: number }>(
    world,
    random,
    `select mark.student_id as id, mark.student_id as student, register.section_id as "sectionId", register.day::text, register.slot,
        (select min(id) from attendance_code where id <> mark.code_id and code in ('P', 'A')) as code
      from attendance_mark mark join attendance_register register on register.id = register_id
      where register.day between '${addDays(day, -6)}' and '${addDays(day, -2)}' and mark.student_id % 7 = ${random.upTo(7)}`,
  );
  if (!mark) return undefined;
  const { id: _, student, code, ...register } = mark;
  const sent = await post(world.people.office, correctionApi.request.path, {
    ...register,
    studentId: student,
    codeId: code,
    arrivedAt: '',
    reason: 'The child sat in the library',
  });
  return said(sent, [student]);
};

/** A teacher gives homework for the next days. */
const giveHomework: Act['act'] = async (world, random, day) => {
  const { id, teacher } = random.oneOf(sectionsOn(world, day));
  const sent = await post(teacher, homeworkApi.create.path, {
    title: `Exercise ${randomUUID().slice(0, 4)}`,
    minutes: 20,
    kind: 'Written',
    instructions: '',
    links: '',
    maxMarks: null,
    showsFeedback: true,
    skillIds: [],
    tags: [],
    dueOn: addDays(day, random.upTo(5)),
    lateUntil: '',
    publish: 'Now',
    publishOn: '',
    publishHour: '',
    overReason: 'A test is near',
    pairs: [{ sectionId: id, subjectId: world.subjectId }],
    copiedFrom: null,
    studentIds: [],
  });
  return said(sent, []);
};

/** A teacher writes down who did the homework. */
const checkHomework: Act['act'] = async (world, random, day) => {
  const sections = sectionsOn(world, day);
  const given = await drawRow<{ id: number; section: number }>(
    world,
    random,
    `select id, section_id as section from homework_section where state = 'Published'
      and due_on between '${addDays(day, -7)}' and '${day}' and section_id in (${sections.map(({ id }) => id).join(', ')})`,
  );
  const teacher = sections.find(({ id }) => id === given?.section)?.teacher;
  if (!given || !teacher) return undefined;
  const { status, json, tries } = await ask(teacher, { url: `/api/homework/${given.id}` });
  if (status !== 200) return said({ status, json, tries }, []);
  const children: { studentId: number; version: number }[] = json.children;
  if (children.length === 0) return undefined;
  const sent = await ask(teacher, {
    method: 'PUT',
    url: `/api/homework/${given.id}/check`,
    body: {
      rows: children.map(({ studentId, version }) => ({
        studentId,
        version,
        result: random.isOnceIn(6) ? 'Not done' : 'Submitted',
        handedInOn: '',
        marks: null,
        feedback: '',
      })),
    },
  });
  return said(
    sent,
    children.map(({ studentId }) => studentId),
  );
};

/** A teacher writes a note on a child of the own class. */
const observe: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  const teacher = sectionsOn(world, day).find(({ id }) => id === child?.sectionId)?.teacher;
  if (!child || !teacher) return undefined;
  const { status, json, tries } = await ask(teacher, { url: `/api${noteApi.offer.path}` });
  if (status !== 200) return said({ status, json, tries }, []);
  const type = json.types.find(({ rubric }: { rubric: unknown }) => rubric === null);
  if (!type) return undefined;
  const sent = await post(teacher, noteApi.publish.path, {
    studentIds: [child.id],
    typeId: type.id,
    day: json.day,
    time: json.time,
    polarity: 'Positive',
    place: '',
    subjectId: null,
    note: 'Helped a younger child.',
    reach: type.usualReach || 'Class teachers',
    ratings: [],
    skills: [],
    actionId: null,
    ownerId: null,
    dueOn: '',
    draftId: '',
  });
  return said(sent, [child.id]);
};

/** The office raises a ticket; the technician accepts one, or solves it. */
const raiseTicket: Act['act'] = async (world) => {
  const fields = {
    categoryId: String(world.repairs),
    subject: `Fan ${randomUUID().slice(0, 6)} makes noise`,
    description: 'In the first row.',
    onBehalf: 'Self',
    source: 'App',
  };
  return said(await ask(world.people.office, { method: 'POST', url: '/api/ticket', body: form(fields) }), []);
};

const workOnTicket: Act['act'] = async (world, random) => {
  const ticket = await drawRow<{ id: number; version: number; isMine: boolean }>(
    world,
    random,
    `select id, version, assignee_id is not null as "isMine" from ticket where resolved_at is null and closed_at is null
      and raised_by = ${world.people.office.staffId}`,
  );
  if (!ticket) return undefined;
  const { id, version, isMine } = ticket;
  const { technician } = world.people;
  const sent = isMine
    ? await post(technician, `/ticket/${id}/resolve`, { version, text: 'Oiled.' })
    : await post(technician, `/ticket/${id}/accept`, {});
  return said(sent, []);
};

export const lessonActs: readonly Act[] = [
  { name: 'a leave noted', weight: 3, act: noteLeave },
  { name: 'a leave cancelled', weight: 1, act: cancelLeave },
  { name: 'a mark corrected', weight: 3, act: correctMark },
  { name: 'homework given', weight: 4, act: giveHomework },
  { name: 'homework checked', weight: 3, act: checkHomework },
  { name: 'an observation', weight: 2, act: observe },
  { name: 'a ticket raised', weight: 2, act: raiseTicket },
  { name: 'a ticket worked on', weight: 2, act: workOnTicket },
];
