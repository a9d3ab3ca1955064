import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { registerApi } from '#features/attendance/contract/register.ts';
import { calendarApi } from '#features/calendar/contract/calendar.ts';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { presenceApi } from '#features/workday/contract/presence.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { bare } from '#testing/papers.ts';
import { setDay, takeRegister } from '#testing/registers.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { coverApi } from '../contract/cover.ts';

// Registers lock by the clock of the database.
const monday = toLocalDate(new Date());
const dayAfter = (days: number) => addDays(monday, days);
const tuesday = dayAfter(1);
let school: School;
let office: Person;
let principal: Person;
const at = (moment: string) => {
  school.clock.now = new Date(`${moment}+05:30`);
};
beforeAll(async () => {
  school = await openOwnSchool();
  at(`${monday}T08:10:00`);
  await openSection(school);
  for (const day of [monday, tuesday]) await setDay(school, day, 'Working day');
  office = await school.person({ name: 'Meena', sets: ['office'] });
  principal = await school.person({ name: 'Mina', sets: ['principal'] });
});
beforeEach(() => at(`${monday}T08:10:00`));
/** Classes of a day that `cover_needed` lists and a comparison of all mapped teachers does not, or the other way round. */
const otherNeeds = (day: string) =>
  school.sql(`
    with mapped as materialized (
      select own.academic_year_id, section.branch_id, own.section_id, own.subject_id, own.staff_id, halves.half,
        exists (select from workday_away away where away.day = '${day}' and away.staff_id = own.staff_id and away.half = halves.half)
          as is_away
      from academic_year year
      join academic_school_days(year.id, '${day}', '${day}') as days on days.work > 0
      join academic_section section on section.academic_year_id = year.id and section.grade_id = days.grade_id and section.is_active
      join academic_section_teacher own on own.section_id = section.id
        and '${day}' between own.effective_from and coalesce(own.effective_to, year.ends_on)
      join (values (1::smallint), (2::smallint)) as halves (half) on halves.half <= days.work
      where '${day}' between year.starts_on and year.ends_on),
    compared as (
      select one.academic_year_id, one.branch_id, one.section_id, one.subject_id, one.staff_id, one.half from mapped one
      where one.is_away and not exists (select from mapped other
        where other.section_id = one.section_id and other.subject_id is not distinct from one.subject_id
          and other.half = one.half and not other.is_away)),
    own as (select * from cover_needed('${day}'))
    (select 'missing', * from compared except all select 'missing', * from own)
    union all (select 'more', * from own except all select 'more', * from compared)`);
afterEach(async () => {
  for (const day of [monday, tuesday, dayAfter(2)]) expect([day, await otherNeeds(day)]).toEqual([day, []]);
});
afterAll(() => school.close());

const teacherOf = async (name: string) => {
  const person = await school.person({ name });
  await school.sql(`update staff_employment set joined_on = '2020-06-01' where staff_id = ${person.staffId}`);
  return person;
};
/** A section with a child, and its class teacher. */
async function openClass(name: string) {
  const teacher = await teacherOf(name);
  const section = await openSection(school, { day: `'${monday}'` });
  await teach(school, teacher, { sectionId: section });
  return { teacher, section, child: await seat(school, section, `Child of ${name}`) };
}
const mark = ({ staffId }: Person, day: string, kind: string, half: number | null = null) =>
  school.sql(`insert into workday_presence (staff_id, day, kind, half, source, entered_by, entered_at)
    values (${staffId}, '${day}', '${kind}', ${half}, 'Office', ${office.staffId}, now())
    on conflict (staff_id, day) do update set kind = excluded.kind, half = excluded.half`);
/** As the office marks presence today. */
const markByOffice = async ({ staffId }: Person, kind: 'Present' | 'Late' | 'Absent') => {
  const { people } = await office.call(presenceApi.read, { day: '' });
  const version = people.find((one) => one.staffId === staffId)?.version ?? 0;
  return office.call(presenceApi.mark, { day: monday, marks: [{ staffId, kind, inAt: '', note: '', version }] });
};
const linesOf = async ({ staffId }: Person, day = monday, by = office) =>
  (await by.call(coverApi.read, { day })).lines.filter(({ absentId }) => absentId === staffId);
const giveTo = async (substitute: Person, absent: Person, day = monday, by = office) => {
  const rows = (await linesOf(absent, day, by))
    .filter(({ cover }) => cover === null)
    .map(({ sectionId, subjectId, absentId, fromHalf, toHalf }) => ({
      ...{ sectionId, subjectId, absentId, fromHalf, toHalf },
      staffId: substitute.staffId,
    }));
  return by.call(coverApi.give, { day, rows });
};
const bells = async ({ id }: Person, kind: string) =>
  (await school.sql(`select id from notice where account_id = ${id} and kind = '${kind}'`)).length;
const opens = async (person: Person, section: number, day: string) =>
  (await person.send({ url: `/api/attendance/register?sectionId=${section}&day=${day}` })).status;

test('CO1 a teacher marked absent leaves the register open; the substitute takes it at the next request, nothing else, and for that day alone until its lock', async () => {
  const { teacher, section, child } = await openClass('Ravi');
  const { teacher: other, section: own } = await openClass('Sita');
  expect(await linesOf(teacher)).toEqual([]);
  await mark(teacher, monday, 'Absent');
  const [line] = await linesOf(teacher);
  expect(line).toMatchObject({ sectionId: section, subjectId: null, fromHalf: 1, toHalf: 2, cover: null });
  expect(line?.candidates.map(({ name }) => name)).not.toContain('Ravi');
  expect(await opens(other, section, monday)).toBe(404);

  at(`${monday}T08:12:00`);
  await giveTo(other, teacher);
  expect(await bells(other, 'cover.given')).toBe(1);
  expect((await other.call(registerApi.read, {})).sections.map(({ id }) => id)).toEqual(
    expect.arrayContaining([own, section]),
  );
  await takeRegister(other, section, monday, { Child: 'A' });
  const [taken] = await school.sql(`select taken_by from attendance_register where section_id = ${section}`);
  expect(Number(taken?.taken_by)).toBe(other.staffId);
  for (const url of [
    `/api/student/${child}`,
    `/api/student/${child}/overview`,
    `/api/attendance/leave/student/${child}`,
    `/api/fee/student/${child}`,
    `/api/attendance/month?sectionId=${section}&month=${monday.slice(0, 7)}`,
  ])
    expect([url, (await other.send({ url })).status >= 400]).toEqual([url, true]);

  const lock = (when: string) =>
    school.sql(`update attendance_register set locks_at = now() + interval '${when}' where section_id = ${section}`);
  at(`${tuesday}T09:00:00`);
  await lock('1 hour');
  expect([await opens(other, section, tuesday), await opens(other, section, monday)]).toEqual([404, 200]);
  await takeRegister(other, section, monday, { Child: 'P' });
  await lock('-1 minute');
  await expect(takeRegister(other, section, monday, { Child: 'A' })).rejects.toMatchObject({ code: 'conflict' });
});

test('a substitute without sections of their own signs in to the register of the day, and to nothing on the next', async () => {
  const { teacher, section } = await openClass('Ramesh');
  const helper = await teacherOf('Hetal');
  await teach(school, helper, { role: 'Subject teacher' });
  await mark(teacher, monday, 'Absent');
  await giveTo(helper, teacher);
  await school.sql(
    `update academic_section_teacher set effective_to = '${dayAfter(-1)}' where staff_id = ${helper.staffId}`,
  );
  expect(await opens(helper, section, monday)).toBe(200);
  expect((await helper.send({ url: '/api/attendance/month?month=2026-07' })).status).toBe(403);
  at(`${dayAfter(15)}T09:00:00`);
  expect(await opens(helper, section, monday)).toBe(403);
});

test('CO2 with a co-class teacher present nothing is open; a second cover of a line is refused, also at the same moment', async () => {
  const { teacher, section } = await openClass('Kavita');
  const co = await teacherOf('Kiran');
  await teach(school, co, { role: 'Co-class teacher', sectionId: section });
  await mark(teacher, monday, 'Absent');
  expect(await linesOf(teacher)).toEqual([]);
  await mark(co, monday, 'Half day', 2);
  // The co-class teacher comes in the second half.
  expect((await linesOf(co)).concat(await linesOf(teacher)).map(({ fromHalf, toHalf }) => [fromHalf, toHalf])).toEqual([
    [1, 1],
  ]);
  const { teacher: one } = await openClass('Usha');
  const [line] = (await linesOf(co)).concat(await linesOf(teacher));
  const row = (by: Person, substitute: Person) =>
    by.call(coverApi.give, {
      day: monday,
      rows: [
        {
          sectionId: section,
          subjectId: null,
          absentId: line?.absentId ?? 0,
          staffId: substitute.staffId,
          fromHalf: 1,
          toHalf: 1,
        },
      ],
    });
  const { teacher: two } = await openClass('Varsha');
  const outcomes = await Promise.allSettled([row(office, one), row(principal, two)]);
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  await expect(row(office, two)).rejects.toMatchObject({ code: 'conflict' });
});

test('a class is not given where its teacher is there, to a teacher who is away, for a past day, or in another branch', async () => {
  const { teacher } = await openClass('Yash');
  const { teacher: away } = await openClass('Zeel');
  await mark(away, monday, 'Absent');
  const row = (await linesOf(away))[0];
  const asked = {
    sectionId: row?.sectionId ?? 0,
    subjectId: null,
    absentId: away.staffId,
    staffId: teacher.staffId,
    fromHalf: 1,
    toHalf: 2,
  };
  const give = (over: object, day = monday, by = office) =>
    by.call(coverApi.give, { day, rows: [{ ...asked, ...over }] }).then(
      () => 'given',
      ({ code }: { code: string }) => code,
    );
  expect(await give({ absentId: teacher.staffId, staffId: away.staffId })).toBe('conflict');
  expect(await give({ staffId: away.staffId })).toBe('conflict');
  expect(await give({}, dayAfter(-3))).toBe('conflict');
  expect(await give({ staffId: office.staffId })).toBe('conflict');
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('Away', 'AW') returning id`);
  const elsewhere = await school.person({ sets: ['office'], branchIds: [Number(branch?.id)] });
  expect(await give({}, monday, elsewhere)).toBe('not_found');
  expect((await elsewhere.call(coverApi.read, { day: monday })).lines).toEqual([]);
  expect(await give({})).toBe('given');
});

test('a subject is open where all its teachers are away, its nearest teachers come first, and a day without school has nothing', async () => {
  const { section, teacher: leader } = await openClass('Bhavna');
  const subject = await teacherOf('Chetan');
  await teach(school, subject, { role: 'Subject teacher', sectionId: section });
  await mark(subject, monday, 'Absent');
  const lines = await linesOf(subject);
  expect(lines).toMatchObject([{ sectionId: section, subjectId: expect.any(Number), cover: null }]);
  expect(lines[0]?.candidates[0]).toMatchObject({ staffId: leader.staffId, why: 'Teaches this section' });
  await giveTo(leader, subject);
  expect(await opens(leader, section, monday)).toBe(200);
  await setDay(school, dayAfter(2), 'Holiday');
  await mark(subject, dayAfter(2), 'Absent');
  expect(await linesOf(subject, dayAfter(2))).toEqual([]);
});

test('CO3 a teacher who is there after all ends the covers still to come, and the substitute hears it once', async () => {
  const { teacher, section } = await openClass('Dhruv');
  const { teacher: other } = await openClass('Esha');
  await mark(teacher, monday, 'Absent');
  await mark(teacher, tuesday, 'Absent');
  await giveTo(other, teacher, monday);
  await giveTo(other, teacher, tuesday);
  at(`${monday}T09:40:00`);
  await mark(teacher, monday, 'Late');
  expect((await linesOf(teacher))[0]?.cover).toMatchObject({ isNeeded: false });
  // Marked again, as the office does it on the tab.
  const come = (kind: 'Present' | 'Late') => markByOffice(teacher, kind);
  await come('Present');
  await come('Late');
  expect(await bells(other, 'cover.cancelled')).toBe(1);
  expect(await opens(other, section, monday)).toBe(404);
  expect((await linesOf(teacher, tuesday))[0]?.cover).toMatchObject({ isNeeded: true });
});

test('a cover is undone by its version, and another one may be given', async () => {
  const { teacher } = await openClass('Falguni');
  const { teacher: one } = await openClass('Gopi');
  await mark(teacher, monday, 'Absent');
  const { ids } = await giveTo(one, teacher);
  const id = ids[0] ?? 0;
  await expect(office.call(coverApi.cancel, { id, version: 2 })).rejects.toMatchObject({ code: 'stale' });
  await office.call(coverApi.cancel, { id, version: 1 });
  expect((await linesOf(teacher))[0]?.cover).toBeNull();
  expect((await giveTo(one, teacher)).ids).toHaveLength(1);
});

test('a day that is closed ends its covers in the same act; opened again, they are open and not given again', async () => {
  const { teacher } = await openClass('Hiral');
  const { teacher: other } = await openClass('Ishita');
  const admin = await school.person({ role: 'Admin' });
  const day = dayAfter(4);
  await setDay(school, day, 'Working day');
  await mark(teacher, day, 'Absent');
  await giveTo(other, teacher, day);
  const [year] = await school.sql(`select id from academic_year where '${day}' between starts_on and ends_on`);
  const set = async (kind: string, warned = '') =>
    admin.send({
      method: 'PUT',
      url: '/api/academic/calendar/day',
      body: {
        academicYearId: year?.id,
        rowVersion: (await admin.call(calendarApi.read, { academicYearId: Number(year?.id) })).rowVersion,
        ...{ from: day, to: day, kind, name: 'Rain', gradeId: null, warned },
      },
    });
  const { data } = (await set('Holiday')).json.error;
  expect(data.texts.map(({ values }: { values: object }) => values)).toContainEqual({ n: 1 });
  expect((await set('Holiday', data.token)).status).toBe(200);
  expect([await linesOf(teacher, day), await bells(other, 'cover.cancelled')]).toEqual([[], 1]);
  expect((await set('Working day')).status).toBe(200);
  expect(await linesOf(teacher, day)).toMatchObject([{ cover: null }]);
});

test('a class whose substitute is away or has left is without a teacher until it is given again', async () => {
  const { teacher } = await openClass('Jigar');
  const { teacher: one } = await openClass('Komal');
  await mark(teacher, monday, 'Absent');
  await giveTo(one, teacher);
  const figure = async () =>
    Number(
      (await office.call(dashboardApi.line, {})).figures.find(({ title }) => title.id === 'Without a teacher')?.value,
    );
  const before = await figure();
  await mark(one, monday, 'Absent');
  // The section of the substitute is open too.
  expect(await figure()).toBe(before + 2);
  expect((await linesOf(teacher))[0]?.cover).toMatchObject({ isAway: true });
});

test('leave of one half is kept by a mark of presence, and so is its cover', async () => {
  const { teacher, section } = await openClass('Lata');
  const { teacher: other } = await openClass('Manan');
  await school.sql(`with type as (insert into workday_leave_type (code, name, counts) values ('HALF', 'Half', 'Working days') returning id),
      leave as (insert into workday_leave (staff_id, academic_year_id, type_id, from_day, to_day, from_half, to_half, reason, state, asked_by, asked_at,
        decided_by, decided_at)
        select ${teacher.staffId}, academic_year_on('${monday}'), id, '${monday}', '${monday}', 2, 2, '', 'Granted', ${office.staffId}, now(),
        ${office.staffId}, now()
        from type returning id)
    insert into workday_leave_half (staff_id, day, half, leave_id) select ${teacher.staffId}, '${monday}', 2, id from leave`);
  await giveTo(other, teacher);
  const [told] = await school.sql(`select text from notice where account_id = ${other.id} and kind = 'cover.given'`);
  expect(JSON.stringify(told)).toContain('{lesson} (second half)');
  await markByOffice(teacher, 'Present');
  expect(await linesOf(teacher)).toMatchObject([{ sectionId: section, fromHalf: 2, cover: { isNeeded: true } }]);
});

test('a cover that was taken already is kept when the teacher comes later in the day', async () => {
  const { teacher, section } = await openClass('Nilam');
  const { teacher: other } = await openClass('Ojas');
  await mark(teacher, monday, 'Absent');
  await giveTo(other, teacher);
  await takeRegister(other, section, monday, { Child: 'P' });
  await markByOffice(teacher, 'Late');
  expect(await linesOf(teacher)).toMatchObject([{ cover: { staffId: other.staffId } }]);

  const { teacher: noon } = await openClass('Pooja');
  await mark(noon, monday, 'Half day', 2);
  await giveTo(other, noon);
  at(`${monday}T12:05:00`);
  await markByOffice(noon, 'Late');
  expect(await linesOf(noon)).toMatchObject([{ toHalf: 1, cover: { staffId: other.staffId } }]);
});

test('covers of a teacher who leaves end after the last day', async () => {
  const { teacher } = await openClass('Qasim');
  const { teacher: other } = await openClass('Rekha');
  const hr = await school.person({ sets: ['hr'] });
  for (const day of [monday, tuesday]) {
    await mark(teacher, day, 'Absent');
    await giveTo(other, teacher, day);
  }
  const [reason] = await school.sql('select min(id) as id from hris_separation_reason');
  const relieve = (over = {}) =>
    hr.send({
      method: 'POST',
      url: `/api/staff/${other.staffId}/relieve`,
      body: {
        ...{ lastDay: monday, separationReasonId: String(reason?.id), remark: '', isOverridden: true },
        ...over,
      },
    });
  const { json } = await relieve();
  expect(JSON.stringify(json)).toContain('after the last day will end');
  expect((await relieve({ confirmToken: json.confirmToken })).status).toBe(200);
  expect([(await linesOf(teacher))[0]?.cover?.staffId, (await linesOf(teacher, tuesday))[0]?.cover]).toEqual([
    other.staffId,
    null,
  ]);
});

test('the arrangement sheet names section, register, absent teacher and substitute of the day', async () => {
  const { teacher, section } = await openClass('Gita Rao');
  const { teacher: other } = await openClass('Hari Das');
  await mark(teacher, monday, 'Absent');
  const print = (by: Person, day = monday) => by.send({ url: `/api/cover/sheet?day=${day}` });
  expect((await print(office)).status).toBe(200);
  expect(school.papers.last().words).toContain('GitaRao');
  expect(school.papers.last().words).not.toContain('HariDas');
  await giveTo(other, teacher);
  expect((await print(office)).status).toBe(200);
  const [named] =
    await school.sql(`select academic_section_name(grade.name, section.name) as name from academic_section section
    join academic_grade grade on grade.id = section.grade_id where section.id = ${section}`);
  expect(school.papers.last().words).toContain(`${bare(String(named?.name))}RegisterGitaRaoHariDas`);
  expect((await print(office, tuesday)).status).toBe(200);
  expect(school.papers.last().words).not.toContain('GitaRao');
  expect((await print(teacher)).status).toBe(403);
  await school.sql(`delete from workday_presence where staff_id = ${teacher.staffId}`);
});
