import { afterAll, beforeAll, expect, test } from 'vitest';
import { english, verbatim } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { checkHomework, dayOfJuly, giveHomework, monday, openTaught, teachSubject } from '#testing/homework.ts';
import { setDay, takeRegister } from '#testing/registers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { employ, openType } from '#testing/workdays.ts';
import { staffReportApi, staffReportList } from '../contract/staff.ts';

let school: School;
let hr: Person;
let teacher: Person;
let section: number;
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  hr = await school.person({ sets: ['hr'] });
  teacher = await school.person();
  section = await teach(school, teacher);
});
afterAll(() => school.close());

const card = (person: Person, key: string) =>
  person.call(staffReportApi.card, { id: teacher.staffId, key, from: '', to: today });

test('D2.6 everyone reads the own report, and without a grant none of a colleague', async () => {
  const own = await teacher.call(staffReportApi.read, { id: teacher.staffId });
  expect([own.head.isOwn, own.cards.map(({ key }) => key)]).toEqual([
    true,
    expect.arrayContaining(['post', 'teaching']),
  ]);
  for (const url of [`${hr.staffId}`, `${hr.staffId}/card/post`, `${hr.staffId}/timeline`])
    expect((await teacher.send({ url: `/api/report/staff/${url}` })).status).toBe(404);
  expect((await teacher.send({ url: '/api/report/staff' })).status).toBe(403);
});

test('D2.3 the card of sections has those of the mapping of teachers', async () => {
  const { table, facts } = await card(hr, 'teaching');
  const [row] = await school.sql(`select academic_section_name(grade.name, section.name) as name
    from academic_section section join academic_grade grade on grade.id = section.grade_id where section.id = ${section}`);
  expect(table?.rows.map(([name]) => english(name ?? verbatim('')))).toEqual([row?.name]);
  expect(facts.map(({ value }) => english(value))).toEqual(['1']);
  await school.sql(
    `update academic_section_teacher set effective_to = '${addDays(today, -1)}' where section_id = ${section}`,
  );
  const later = await card(hr, 'teaching');
  expect([later.facts, later.table]).toEqual([[], null]);
});

test('D2.3 a section that a person leads and teaches two subjects in is one line', async () => {
  const leader = await school.person();
  const sectionId = await teach(school, leader);
  for (const _ of [1, 2]) await teach(school, leader, { role: 'Subject teacher', sectionId });
  const subjects = await school.sql(`select subject.name from academic_section_teacher own
    join configuration_subject subject on subject.id = own.subject_id where own.staff_id = ${leader.staffId}
    order by lower(subject.name)`);
  const { table } = await hr.call(staffReportApi.card, { id: leader.staffId, key: 'teaching', from: '', to: today });
  expect(table?.rows.map(([, as]) => english(as ?? verbatim('')))).toEqual([
    `Class teacher · ${subjects.map(({ name }) => name).join(', ')}`,
  ]);
});

test('D2.5 registers on time counts only school days on which the person led the section', async () => {
  const leader = await school.person();
  const led = await teach(school, leader, { sectionId: await openSection(school, { day: `'${today}'` }) });
  const [thirdLast, beforeLast, yesterday] = [-3, -2, -1].map((by) => addDays(today, by));
  await school.sql(`update academic_section_teacher set effective_from = '${beforeLast}' where section_id = ${led};
    update staff_employment set joined_on = '${thirdLast}' where staff_id = ${leader.staffId}`);
  for (const day of [thirdLast, yesterday, today]) await setDay(school, String(day), 'Working day');
  await setDay(school, String(beforeLast), 'Holiday');
  const factsOf = async () => {
    const { facts } = await hr.call(staffReportApi.card, {
      id: leader.staffId,
      key: 'register',
      from: thirdLast,
      to: today,
    });
    return facts.map(({ value }) => english(value));
  };
  expect(await factsOf()).toEqual(['1', '0 (0.0 %)', '0', '1']);
  await seat(school, led, 'Aarav', { joinedOn: yesterday });
  await takeRegister(leader, led, today);
  expect(await factsOf()).toEqual(['2', '1 (50.0 %)', '0', '1']);
});

test('D2.1 no card of the staff report has salary or bank data', async () => {
  const { cards } = await hr.call(staffReportApi.read, { id: teacher.staffId });
  expect(cards.length).toBeGreaterThan(3);
  const said = await Promise.all(cards.map(({ key }) => card(hr, key)));
  const words = JSON.stringify([cards, said]);
  expect(words).not.toMatch(/salary|bank|account number|ifsc|pay ?slip|pan_|aadhaar/i);
});

test('D2.4 people who have left are under the tab Left, and their report opens for HR', async () => {
  const gone = await school.person();
  await school.sql(`update staff_employment set joined_on = current_date - 400, last_day = current_date - 1
    where staff_id = ${gone.staffId}`);
  const tab = async (tab: 'active' | 'left') =>
    (await hr.call(staffReportList.api.list, { tab })).rows.map(({ id }) => id);
  expect(await tab('left')).toContain(gone.staffId);
  expect(await tab('active')).not.toContain(gone.staffId);
  const { head } = await hr.call(staffReportApi.read, { id: gone.staffId });
  expect(head.status).toBe('Left');
});

test('the marks of homework are those of the sections and subjects that a person teaches, beside the whole grade', async () => {
  const before = school.clock.now;
  school.clock.now = monday;
  const days = { from: '2026-06-01', to: '2027-05-31' };
  const { teacher: maths, sections, subjectId, first } = await openTaught(school);
  const marks = async (person: Person) => {
    const { table } = await hr.call(staffReportApi.card, { id: person.staffId, key: 'marks', ...days });
    return table?.rows.map((cells) => cells.map((cell) => english(cell))) ?? [];
  };
  expect(await marks(maths)).toEqual([]);
  const ids = await giveHomework(maths, sections, { subjectId, maxMarks: 20 });
  const submitted = (studentId: number) => ({ studentId, result: 'Submitted', handedInOn: dayOfJuly(10) });
  const other = await school.person();
  await teachSubject(school, other, [first]);
  school.clock.now = new Date('2026-07-10T09:00:00Z');
  await checkHomework(
    maths,
    ids[0] ?? 0,
    first.children.map((studentId, index) => ({ ...submitted(studentId), marks: [20, 10, null][index] })),
  );
  const name = `${first.name}, ${(await school.sql(`select name from configuration_subject where id = ${subjectId}`))[0]?.name}`;
  // Without marks of another section there is nothing to compare.
  expect(await marks(maths)).toEqual([[name, '75 %', '', '1']]);
  await checkHomework(
    maths,
    ids[1] ?? 0,
    (sections[1]?.children ?? []).map((studentId) => ({ ...submitted(studentId), marks: 6 })),
  );
  expect(await marks(maths)).toContainEqual([name, '75 %', '60 %', '1']);
  expect(await marks(other)).toEqual([]);
  school.clock.now = before;
});

test('the marks of homework leave out a predecessor, cancelled homework and a child who is no longer on its list', async () => {
  const before = school.clock.now;
  school.clock.now = monday;
  const days = { from: '2026-06-01', to: '2027-05-31' };
  const { teacher: predecessor, sections, subjectId, first } = await openTaught(school);
  const successor = await school.person();
  const check = async (person: Person, id: number | undefined, marks: number) =>
    checkHomework(
      person,
      id ?? 0,
      first.children.map((studentId) => ({ studentId, result: 'Submitted', handedInOn: dayOfJuly(10), marks })),
    );
  const [early] = await giveHomework(predecessor, [first], { subjectId, maxMarks: 20 });
  await school.sql(`update academic_section_teacher set effective_to = '${dayOfJuly(7)}'
    where staff_id = ${predecessor.staffId} and section_id = ${first.id}`);
  await teachSubject(school, successor, sections.slice(0, 1), {
    name: String((await school.sql(`select name from configuration_subject where id = ${subjectId}`))[0]?.name),
    from: `'${dayOfJuly(8)}'`,
  });
  school.clock.now = new Date('2026-07-08T04:30:00Z');
  const [kept] = await giveHomework(successor, [first], { subjectId, maxMarks: 20, minutes: 5 });
  const [cancelled] = await giveHomework(successor, [first], { subjectId, maxMarks: 20, minutes: 5 });
  school.clock.now = new Date('2026-07-10T09:00:00Z');
  // The next teacher of the subject checks what a colleague gave.
  await check(successor, early, 4);
  await check(successor, kept, 16);
  await check(successor, cancelled, 2);
  const marks = async (person: Person) => {
    const { table } = await hr.call(staffReportApi.card, { id: person.staffId, key: 'marks', ...days });
    return table?.rows.map((cells) => cells.slice(1).map((cell) => english(cell))) ?? [];
  };
  expect([await marks(predecessor), await marks(successor)]).toEqual([[['20 %', '', '1']], [['45 %', '', '2']]]);
  await school.sql(
    `update homework_section set state = 'Cancelled', cancelled_reason = 'Given twice' where id = ${cancelled}`,
  );
  expect(await marks(successor)).toEqual([['80 %', '', '1']]);
  // A child who left the section before the homework was given has marks of it, and is on its list no more.
  const [left] = first.children;
  await school.sql(`update homework_result set marks = 1 where homework_section_id = ${kept} and student_id = ${left}`);
  expect(await marks(successor)).toEqual([['55 %', '', '1']]);
  await school.sql(`update student_section set effective_to = '${dayOfJuly(7)}' where student_id = ${left}`);
  expect(await marks(successor)).toEqual([['80 %', '', '1']]);
  school.clock.now = before;
});

test('the top of the report says whether the person is here and what leave is left, to HR and the person', async () => {
  const person = await school.person();
  const [year] = await school.sql(`select academic_year_on('${today}') as id`);
  await openType(school, Number(year?.id), { code: 'CL', halves: 24 });
  await employ(school, person, { joined: '2020-06-01' });
  await school.sql(`insert into workday_presence (staff_id, day, kind, in_at, source, entered_by, entered_at)
    values (${person.staffId}, '${today}', 'Late', '09:41', 'Office', ${hr.staffId}, now())`);
  const said = async (reader: Person) =>
    (await reader.call(staffReportApi.today, { id: person.staffId })).map(({ label, value, detail }) =>
      [label, value, detail].map(english).join(', '),
    );
  const own = await said(person);
  expect(own[0]).toBe('Today, Late, in at 09:41');
  expect(own[1]).toMatch(/^Leave, [0-9.]+ days left, $/);
  expect(await said(hr)).toEqual(own);
});
