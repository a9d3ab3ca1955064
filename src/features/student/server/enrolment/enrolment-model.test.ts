import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { addDays } from '#kit/server/day.ts';
import { type Random, randomFrom } from '#kit/server/random.ts';
import type { Person } from '#testing/browser.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { isSoak } from '#testing/soak.ts';
import { type EnrolmentPlace, enroll } from '#testing/students.ts';

let school: School;
let admin: Person;
let here: EnrolmentPlace & { toYearId: number };
let otherGrade: number;
/** Sections A and B of the grade, and C of another one. */
let sections: { id: number; capacity: number; isOfGrade: boolean }[];
let start: string;
let end: string;
let reasonId: number;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
  const a = await plant(school, sectionMaster);
  const { academicYearId, branchId, programId, gradeId } = a as unknown as EnrolmentPlace;
  const [year, grade] = [await plant(school, yearMaster), await plant(school, gradeMaster)];
  here = { academicYearId, branchId, programId, gradeId, toYearId: year.id };
  otherGrade = grade.id;
  await school.sql(`update academic_grade set next_grade_id = ${grade.id} where id = ${gradeId}`);
  const b = await plant(school, sectionMaster, { academicYearId, branchId, programId, gradeId });
  const c = await plant(school, sectionMaster, { academicYearId, branchId, programId, gradeId: grade.id });
  sections = [a, b, c].map(({ id }, index) => ({ id, capacity: index === 0 ? 3 : 2, isOfGrade: index < 2 }));
  for (const { id, capacity } of sections)
    await school.sql(`update academic_section set capacity = ${capacity} where id = ${id}`);
  const [row] = await school.sql(
    `select starts_on::text as from, ends_on::text as until from academic_year where id = ${academicYearId}`,
  );
  [start, end] = [String(row?.from), String(row?.until)];
  const [reason] = await school.sql(`select id from academic_lookup where name = 'Moved to another city'`);
  reasonId = Number(reason?.id);
});
afterAll(() => school.close());

interface Seat {
  section: number;
  from: string;
  to: string;
}

/** A child in the model: the seats, the enrolment that counts, and what the leaving ended. */
interface Child {
  id: number;
  seats: Seat[];
  /** The first day of the enrolment that counts, and its grade. */
  since: string;
  gradeId: number;
  lastDay: string | undefined;
  ended: { cut: Seat | undefined; dropped: Seat[] };
}

const holds = ({ from, to }: Seat, day: string) => from <= day && day <= to;
const seatOn = ({ seats }: Child, day: string) => seats.find((seat) => holds(seat, day))?.section ?? null;

/** The highest number of other children in a section on the days of a span. */
function strength(children: readonly Child[], except: Child, section: number, from: string, to: string) {
  const others = children.filter((child) => child !== except);
  const days = [from, ...others.flatMap(({ seats }) => seats.map((seat) => seat.from))];
  const counts = days
    .filter((day) => from <= day && day <= to)
    .map((day) => others.filter((child) => seatOn(child, day) === section).length);
  return Math.max(0, ...counts);
}
const isFull = (children: readonly Child[], child: Child, section: number, from: string, to = end) =>
  strength(children, child, section, from, to) >= (sections.find(({ id }) => id === section)?.capacity ?? 0);

const until = (seats: Seat[], day: string) =>
  seats.filter(({ from }) => from < day).map((seat) => (seat.to >= day ? { ...seat, to: addDays(day, -1) } : seat));

/** Previews an act and applies it; true where it was done. */
async function done(url: string, body: object): Promise<boolean> {
  const preview = await admin.send({ method: 'POST', url, body });
  expect(preview.status).toBeLessThan(500);
  const confirmToken = preview.json.confirmToken;
  if (preview.status !== 200 || !confirmToken) return false;
  const { status } = await admin.send({ method: 'POST', url, body: { ...body, confirmToken } });
  expect(status).toBe(200);
  return true;
}

/** Each act on a child: does it, and returns what the model expects and how it changes. */
type Act = (children: Child[], child: Child, random: Random) => Promise<{ isDone: boolean; expected: boolean }>;

let last = '';
const dayOf = (random: Random) => {
  last = addDays(start, 30 * random.upTo(11));
  return last;
};

const move: Act = async (children, child, random) => {
  const from = dayOf(random);
  const section = random.isOnceIn(5) ? undefined : random.oneOf(sections);
  last += ` to ${section?.id}`;
  const [own] = await school.sql(`select id from student_enrollment where student_id = ${child.id} and is_standing
    and academic_year_id = ${here.academicYearId}`);
  const isHere = child.since <= from && (child.lastDay === undefined || from <= child.lastDay);
  const gradeId = section && !section.isOfGrade ? otherGrade : here.gradeId;
  const stays = child.seats.filter(({ to }) => to >= from);
  const isThere = section
    ? stays.length === 1 && stays[0]?.section === section.id && stays[0].from <= from
    : // A section that begins later stays.
      seatOn(child, from) === null;
  const isRegraded = section !== undefined && gradeId !== child.gradeId;
  const expected =
    isHere &&
    (isThere ||
      section === undefined ||
      (!(isRegraded && child.lastDay !== undefined) && !isFull(children, child, section.id, from)));
  const isDone = await done('/api/academic/section-student', {
    academicYearId: here.academicYearId,
    sectionId: section?.id ?? null,
    enrollmentIds: [Number(own?.id)],
    from,
    reason: '',
  });
  if (expected && !isThere) {
    child.seats = until(child.seats, from);
    if (section) child.seats.push({ section: section.id, from, to: child.lastDay ?? end });
    if (isRegraded) {
      child.gradeId = gradeId;
      child.since = from;
    }
  }
  return { isDone, expected };
};

const leave: Act = async (_, child, random) => {
  const lastDay = dayOf(random);
  const expected = child.lastDay === undefined && child.since <= lastDay;
  if (child.lastDay !== undefined) return { isDone: false, expected };
  const words = { conduct: 'Good', progress: 'Good', nextSchool: '', remark: '' };
  const isDone = await done(`/api/student/${child.id}/leave`, { lastDay, reasonId, ...words });
  if (expected) {
    const cut = child.seats.find((seat) => seat.from <= lastDay && seat.to > lastDay);
    child.ended = { cut, dropped: child.seats.filter(({ from }) => from > lastDay) };
    child.seats = until(child.seats, addDays(lastDay, 1));
    child.lastDay = lastDay;
  }
  return { isDone, expected };
};

const undo: Act = async (children, child) => {
  const { lastDay, ended } = child;
  const isDone = await done(`/api/student/${child.id}/leave/undo`, { reason: 'Wrong child' });
  if (lastDay !== undefined) {
    const next = addDays(lastDay, 1);
    // The section of the last day may have been corrected since.
    const now = seatOn(child, lastDay);
    const back = [
      ...(ended.cut && now !== null ? [{ section: now, from: next, to: ended.cut.to }] : []),
      ...ended.dropped,
    ];
    child.seats.push(...back.filter(({ section, from, to }) => !isFull(children, child, section, from, to)));
    child.lastDay = undefined;
  }
  return { isDone, expected: lastDay !== undefined };
};

const readmit: Act = async (children, child, random) => {
  const joinedOn = dayOf(random);
  const section = random.oneOf(sections);
  const gradeId = section.isOfGrade ? here.gradeId : otherGrade;
  const { lastDay } = child;
  const expected = lastDay !== undefined && joinedOn > lastDay && !isFull(children, child, section.id, joinedOn);
  const { status } = await admin.send({
    method: 'POST',
    url: `/api/student/${child.id}/readmit`,
    body: { joinedOn, gradeId, sectionId: section.id, branchId: null, programId: null, admissionType: '' },
  });
  expect(status).toBeLessThan(500);
  if (expected) {
    child.seats.push({ section: section.id, from: joinedOn, to: end });
    child.since = joinedOn;
    child.gradeId = gradeId;
    child.lastDay = undefined;
  }
  return { isDone: status === 200, expected };
};

/** A promotion that is undone at once leaves every child as before. */
const promoteAndUndo: Act = async (_, child, random) => {
  const rows = () =>
    school.sql(`select enrollment.id, enrollment.status, enrollment.left_on::text as left, student.left_on::text as gone
      from student_enrollment enrollment join student on student.id = student_id
      where academic_year_id = ${here.academicYearId} order by enrollment.id`);
  const before = await rows();
  const [own] =
    await school.sql(`select id, status from student_enrollment where student_id = ${child.id} and is_standing
    and academic_year_id = ${here.academicYearId} and grade_id = ${here.gradeId}`);
  const decision = random.oneOf(['Promote', 'Detain', 'Leave']);
  const isDone = await done('/api/academic/section-student/promotion', {
    ...{ academicYearId: here.academicYearId, gradeId: here.gradeId, toYearId: here.toYearId, keepsSection: true },
    students: [{ enrollmentId: Number(own?.id ?? 0), decision }],
  });
  if (isDone) {
    const [made] = await school.sql('select max(id) as id from academic_promotion');
    expect(await done(`/api/academic/section-student/promoted/${made?.id}/undo`, {})).toBe(true);
  }
  expect(await rows()).toEqual(before);
  return { isDone, expected: own?.status === 'Active' };
};

const acts = { move, leave, undo, readmit, promoteAndUndo };
const names = ['move', 'move', 'move', 'leave', 'undo', 'readmit', 'promoteAndUndo'] as const;

/** The days on which anything changes in the model or in the database. */
const days = () =>
  Array.from({ length: 11 }, (_, index) => [addDays(start, 30 * index), addDays(start, 30 * index + 1)]).flat();

async function check(children: readonly Child[], history: string) {
  const rows =
    await school.sql(`select student.id, day::date::text as day, there.section_id as section, student.left_on::text as left
    from student cross join unnest('{${days().join()}}'::date[]) as day
    left join student_section there on there.student_id = student.id
      and day between there.effective_from and coalesce(there.effective_to, '${end}')
    order by student.id, day`);
  const model = children.flatMap((child) =>
    days().map((day) => ({ id: child.id, day, section: seatOn(child, day), left: child.lastDay ?? null })),
  );
  expect(rows, history).toEqual(model);
}

/** A seat that returned with another roll number is two rows, which a later undoing restores apart. */
async function readSeats(child: Child) {
  const rows = await school.sql(`select section_id as section, effective_from::text as from,
      coalesce(effective_to::text, '${end}') as to
    from student_section where student_id = ${child.id} order by effective_from`);
  child.seats = rows as unknown as Seat[];
}

const [seeds, steps] = isSoak ? [200, 60] : [5, 24];

test(`L1.32 ${seeds} random histories of moves, leavings, returns and promotions agree with a plain model of days`, async () => {
  for (let seed = 1; seed <= seeds; seed++) {
    await school.sql(`delete from student_section; delete from student_certificate; delete from student_leaving;
      delete from student_enrollment; delete from student`);
    await school.sql('update sign_in_session set confirmed_at = now()');
    const random = randomFrom(seed);
    const children: Child[] = [];
    for (const name of ['Asha', 'Bela', 'Chand', 'Dev', 'Esha']) {
      const [row] = await school.sql(
        `select student_id as id from student_enrollment where id = ${await enroll(school, here, name)}`,
      );
      const fresh = { seats: [], since: start, gradeId: here.gradeId, lastDay: undefined };
      children.push({ id: Number(row?.id), ...fresh, ended: { cut: undefined, dropped: [] } });
    }
    const history: string[] = [];
    for (let step = 0; step < steps; step++) {
      const child = random.oneOf(children);
      const name = random.oneOf(names);
      const { isDone, expected } = await acts[name](children, child, random);
      history.push(`${name} ${children.indexOf(child)} ${last} ${isDone}`);
      expect([seed, history, isDone]).toEqual([seed, history, expected]);
      await check(children, `seed ${seed}: ${history.join(', ')}`);
      if (name === 'undo') await readSeats(child);
    }
  }
});
