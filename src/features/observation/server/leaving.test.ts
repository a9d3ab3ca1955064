import { afterAll, beforeAll, expect, test } from 'vitest';
import { leavingApi as staffLeaving } from '#features/staff/contract/leaving.ts';
import { leavingApi as studentLeaving } from '#features/student/contract/leaving.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { rubricApi } from '../contract/rubric.ts';

let school: School;
let admin: Person;
let office: Person;
let leader: Person;
let teacher: Person;
let principal: Person;
let counsellor: Person;
let student: number;
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin', name: 'Asha' });
  await admin.call(rubricApi.usual, {});
  office = await school.person({ name: 'Farida', sets: ['office'] });
  const section = await openSection(school);
  leader = await school.person({ name: 'Ravi' });
  await teach(school, leader, { sectionId: section });
  teacher = await school.person({ name: 'Tara' });
  await teach(school, teacher, { sectionId: section, role: 'Subject teacher' });
  principal = await school.person({ name: 'Mina', sets: ['principal'] });
  counsellor = await school.person({ name: 'Kavi', sets: ['counsellor'] });
  student = await seat(school, section, 'Aarav');
});
afterAll(() => school.close());

/** A note of the class teacher with a follow-up of an owner; the follow-up’s id. */
async function plan(owner: Person): Promise<number> {
  const [type] = await school.sql(`select id from observation_type where name = 'Anecdotal note'`);
  const [action] = await school.sql('select min(id) as id from observation_action');
  const { json } = await leader.send({
    method: 'POST',
    url: '/api/observation-note',
    body: {
      studentIds: [student],
      typeId: type?.id,
      day: today,
      time: '00:01',
      polarity: 'Neutral',
      place: '',
      subjectId: null,
      note: 'Quiet today.',
      reach: 'All teachers',
      ratings: [],
      skills: [],
      actionId: action?.id,
      ownerId: owner.staffId,
      dueOn: today,
      draftId: null,
    },
  });
  const [row] = await school.sql(`select id from observation_follow_up where note_id = ${json.ids[0]}`);
  return Number(row?.id);
}
const ownerOf = async (id: number) =>
  Number((await school.sql(`select owner_id from observation_follow_up where id = ${id}`))[0]?.owner_id);

async function relieve(person: Person) {
  await school.sql(`insert into hris_separation_reason (name) values ('Moved ${person.staffId}')`);
  const [reason] = await school.sql('select max(id) as id from hris_separation_reason');
  const draft = {
    id: person.staffId,
    lastDay: today,
    separationReasonId: Number(reason?.id),
    remark: '',
    endsNow: true,
    overrides: true,
  };
  const preview = await admin.call(staffLeaving.relieve, draft as never);
  await admin.call(staffLeaving.relieve, { ...draft, confirmToken: preview.confirmToken } as never);
  return JSON.stringify(preview);
}

test('H1.14 open follow-ups of a student who leaves go to the counsellor, and return with the student', async () => {
  const open = await plan(teacher);
  const done = await plan(teacher);
  await school.sql(`update observation_follow_up set state = 'Done', closed_on = current_date where id = ${done}`);
  const [reason] = await school.sql(`select id from academic_lookup where name = 'Distance'`);
  const leave = {
    id: student,
    lastDay: today,
    reasonId: Number(reason?.id),
    conduct: 'Good',
    progress: 'Good',
    nextSchool: '',
    remark: '',
  };
  const preview = await office.call(studentLeaving.leave, leave);
  expect(JSON.stringify(preview)).toContain('Open follow-ups that go to the counsellor');
  expect(await ownerOf(open)).toBe(teacher.staffId);
  await office.call(studentLeaving.leave, { ...leave, confirmToken: preview.confirmToken ?? undefined });
  expect([await ownerOf(open), await ownerOf(done)]).toEqual([counsellor.staffId, teacher.staffId]);
  const undo = { id: student, reason: 'Wrong student' };
  const back = await office.call(studentLeaving.undo, undo);
  await office.call(studentLeaving.undo, { ...undo, confirmToken: back.confirmToken ?? undefined });
  expect(await ownerOf(open)).toBe(teacher.staffId);
});

test('H1.15 open follow-ups of a colleague who leaves go to the class teacher, and drafts are told of in the preview', async () => {
  const id = await plan(teacher);
  await teacher.send({
    method: 'POST',
    url: '/api/observation-note/draft',
    body: { draftId: null, answers: { note: 'Half a sentence' } },
  });
  const told = await relieve(teacher);
  expect(told).toContain('Follow-ups of observations that get another owner');
  expect(told).toContain('Drafts of observations');
  expect(await ownerOf(id)).toBe(leader.staffId);
});

test('H3.14 visits that an observer who leaves has not begun go to the principal, and those that go on are cancelled', async () => {
  const head = await school.person({ name: 'Hema' });
  const [type] = await school.sql(`select id from observation_type where for_whom = 'Staff'`);
  const planned = await school.sql(`
    insert into observation_visit (observed_id, observer_id, type_id, rubric_version_id, scale_id, kind, scheduled_at)
    select ${leader.staffId}, ${head.staffId}, ${type?.id}, version.id, version.scale_id, 'Peer', now()
    from observation_rubric_version version join observation_type type on type.rubric_id = version.rubric_id
      and type.id = ${type?.id}, generate_series(1, 2)
    where version.state = 'Published' returning id`);
  const [first, second] = planned.map(({ id }) => Number(id));
  await school.sql(
    `update observation_visit set state = 'In progress', started_at = now(), version = 2 where id = ${second}`,
  );
  const told = await relieve(head);
  expect(told).toContain('Visits to lessons that a principal gets');
  const rows = await school.sql(`select id, state, observer_id from observation_visit order by id`);
  expect(rows).toEqual([
    { id: first, state: 'Scheduled', observer_id: principal.staffId },
    { id: second, state: 'Cancelled', observer_id: head.staffId },
  ]);
});
