import { afterAll, beforeAll, expect, test } from 'vitest';
import { monthApi } from '#features/attendance/contract/month.ts';
import { english, type Text, verbatim } from '#kit/contract/text.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { setDay, takeRegister } from '#testing/registers.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { addRiders, openFleet } from '#testing/transport.ts';
import { sectionReportApi, studentReportApi } from '../contract/student.ts';

let school: School;
let office: Person;
let principal: Person;
let teacher: Person;
let section: number;
let nisha: number;
const today = toLocalDate(new Date());
/** The month before this one has ended. */
const from = `${addDays(`${today.slice(0, 7)}-01`, -1).slice(0, 7)}-01`;
const dayAt = (index: number) => addDays(from, index);
const month = { from, to: addDays(`${today.slice(0, 7)}-01`, -1) };

beforeAll(async () => {
  school = await openOwnSchool();
  // A card with content that only a reason opens, as the manifest of a later feature would have it.
  school.services.recordCards = [
    ...school.services.recordCards,
    {
      card: {
        record: 'student',
        key: 'notes',
        part: 'now',
        order: 90,
        title: verbatim('Notes'),
        access: [{ role: 'Staff', sets: ['principal'] }],
        isRestricted: true,
      },
      read: async () => ({
        asOf: '',
        facts: [{ label: verbatim('Note'), value: verbatim('Lives with his aunt') }],
        table: null,
        to: '',
        empty: verbatim('No notes.'),
      }),
    },
  ];
  office = await school.person({ sets: ['office'] });
  principal = await school.person({ sets: ['principal'] });
  teacher = await school.person();
  section = await openSection(school, { day: `'${from}'` });
  for (let index = 0; index < 6; index += 1) await setDay(school, dayAt(index), 'Working day');
  for (let index = 6; dayAt(index) <= today; index += 1) await setDay(school, dayAt(index), 'Vacation', 'Vacation');
  await teach(school, teacher, { sectionId: section });
  nisha = await seat(school, section, 'Nisha', { joinedOn: from });
  await takeRegister(office, section, dayAt(0), { Nisha: 'A' });
  await takeRegister(office, section, dayAt(1), { Nisha: 'L 09:10' });
  await takeRegister(office, section, dayAt(2));
});
afterAll(() => school.close());

const keysOf = async (person: Person) =>
  (await person.call(studentReportApi.read, { id: nisha })).cards.map(({ key }) => key);
const card = (person: Person, key: string, days = month) =>
  person.call(studentReportApi.card, { id: nisha, key, ...days });
const factOf = (facts: readonly { label: Text; value: Text }[], label: string) =>
  english(facts.find((fact) => english(fact.label) === label)?.value ?? verbatim(''));

test('D1.1 a class teacher opens the report of an own student, and finds none of another section', async () => {
  expect((await teacher.call(studentReportApi.read, { id: nisha })).head.name).toBe('Nisha Shah');
  const other = await seat(school, await openSection(school, { day: `'${from}'` }), 'Tara', { joinedOn: from });
  for (const url of [`${other}`, `${other}/card/attendance`, `${other}/timeline`])
    expect((await teacher.send({ url: `/api/report/student/${url}` })).status).toBe(404);
});

test('D1.3 the fee card is in the answer of the office, and for teachers neither there nor at its own address', async () => {
  expect(await keysOf(office)).toContain('fee');
  expect(await keysOf(teacher)).not.toContain('fee');
  expect((await teacher.send({ url: `/api/report/student/${nisha}/card/fee` })).status).toBe(404);
});

test('D1.2 the attendance of the card is that of Month Wise Attendance for the same days', async () => {
  const { facts } = await card(office, 'attendance');
  const sheet = await office.call(monthApi.read, { sectionId: section, month: from.slice(0, 7) });
  const row = sheet.children.find(({ studentId }) => studentId === nisha);
  expect(row?.totals.perMille).toBe(667);
  expect(english(facts[0]?.value ?? verbatim(''))).toMatch(/^66\.7 % of 3 days/);
  expect([factOf(facts, 'Absent'), factOf(facts, 'Late')]).toEqual(['1', '1']);
});

test('D1.8 a card counts the chosen days alone, and only those on which the student was enrolled', async () => {
  const two = await card(office, 'attendance', { from: dayAt(1), to: dayAt(2) });
  expect(english(two.facts[0]?.value ?? verbatim(''))).toMatch(/^100\.0 % of 2 days/);
  const year = await office.call(studentReportApi.read, { id: nisha });
  expect(year.periods.map(({ key }) => key)).toEqual(expect.arrayContaining(['year', 'month']));
  const outside = await office.send({
    url: `/api/report/student/${nisha}/card/attendance?from=2001-06-01&to=2001-06-30`,
  });
  expect(outside.status).toBe(404);
});

test('D1.5 a student without data has cards that say so', async () => {
  const mihir = await seat(school, section, 'Mihir', { joinedOn: from });
  const { cards } = await office.call(studentReportApi.read, { id: mihir });
  expect(cards.length).toBeGreaterThan(3);
  const said = await Promise.all(
    cards
      .filter(({ isRestricted }) => !isRestricted)
      .map(({ key }) => office.call(studentReportApi.card, { id: mihir, key, from: dayAt(4), to: dayAt(4) })),
  );
  for (const { empty, facts } of said) {
    expect(english(empty)).not.toBe('');
    expect(facts.map(({ value }) => english(value))).not.toContain('0');
  }
});

test('D1.6 the timeline is ordered by the day of the event, over all areas and pages', async () => {
  const events: { day: string; kind: string; id: number }[] = [];
  let before: string | null = '';
  while (before !== null) {
    const page: { events: typeof events; next: string | null } = await office.call(studentReportApi.timeline, {
      id: nisha,
      ...month,
      before,
    });
    events.push(...page.events);
    before = page.next;
  }
  expect(events.map(({ day, kind }) => [day, kind])).toEqual([
    [dayAt(1), 'attendance'],
    [dayAt(0), 'section'],
    [dayAt(0), 'enrolment'],
    [dayAt(0), 'attendance'],
  ]);
});

test('D1.7 a restricted card needs a reason, which the audit log keeps, and is no card of the record', async () => {
  expect(await keysOf(office)).not.toContain('notes');
  expect((await principal.call(studentReportApi.read, { id: nisha })).cards).toContainEqual({
    key: 'notes',
    title: verbatim('Notes'),
    isRestricted: true,
  });
  for (const path of ['report/student', 'student'])
    expect((await principal.send({ url: `/api/${path}/${nisha}/card/notes` })).status).toBe(404);
  const open = (reason: string, person = principal) =>
    person.send({
      method: 'POST',
      url: `/api/report/student/${nisha}/card/notes`,
      body: { ...month, reason },
    });
  expect((await open('')).status).toBe(422);
  expect((await open('Call of the family', office)).status).toBe(404);
  const opened = await open('Call of the family');
  expect([opened.status, english(opened.json.facts[0].value)]).toEqual([200, 'Lives with his aunt']);
  const [row] = await school.sql(`select actor, details from audit where action = 'report.card-opened'`);
  expect(JSON.stringify(row?.details)).toContain('Call of the family');
  expect(JSON.stringify(row?.details)).not.toContain('aunt');
});

test('D1.4 the PDF has the chosen cards alone, and a restricted one needs a reason', async () => {
  const print = (cards: string[], reason = '', person = principal) =>
    person.send({ method: 'POST', url: `/api/report/student/${nisha}/paper`, body: { ...month, cards, reason } });
  expect((await print(['attendance'])).status).toBe(200);
  expect(school.papers.last().data.people[0].cards.map(({ title }: { title: string }) => title)).toEqual([
    'Attendance',
  ]);
  expect((await print(['attendance', 'notes'])).status).toBe(422);
  expect((await print(['attendance', 'notes'], 'Meeting of the counsellors')).status).toBe(200);
  expect(school.papers.last().words).toContain('Liveswithhisaunt');
  expect((await print(['notes'], 'Curious', office)).status).toBe(404);
  school.papers.isReal = true;
  expect((await print(['attendance', 'elective'])).status).toBe(200);
  school.papers.isReal = false;
});

test('D1.6 rides and receipts stand in the timeline on their days, and receipts only for readers of fees', async () => {
  const kindsOf = async (person: Person) =>
    (await person.call(studentReportApi.read, { id: nisha })).kinds.map(({ kind }) => kind);
  expect(await kindsOf(office)).toEqual(expect.arrayContaining(['enrolment', 'attendance', 'ride', 'receipt']));
  expect(await kindsOf(teacher)).not.toContain('receipt');
  const [child = 0] = await addRiders(school, section, 1);
  const { pickup, stops } = await openFleet(school, { seats: 3 });
  await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from, effective_to,
      billed_from, fee)
    values (${child}, ${pickup.trip}, ${stops[0]}, '${today}', '${today}', '${today}', 'Free')`);
  const page = await office.call(studentReportApi.timeline, { id: child, from: today, to: today, kind: 'ride' });
  expect(page.events.map(({ what, day }) => [what.id, day])).toEqual([
    ['Last ride from {stop}', today],
    ['Rides the bus from {stop}', today],
  ]);
  for (const kind of ['receipt', 'certificate'])
    expect((await office.call(studentReportApi.timeline, { id: child, kind })).events).toEqual([]);
});

test('D1.9 the reports of a section are one PDF of the students whom the user sees, never with a restricted card', async () => {
  const offered = (await office.call(sectionReportApi.cards, {})).map(({ key }) => key);
  expect(offered).toContain('attendance');
  expect(offered).not.toContain('notes');
  const print = (person: Person, cards: string[], sectionId = section) =>
    person.send({ method: 'POST', url: '/api/report/student/section-paper', body: { sectionId, ...month, cards } });
  expect((await print(office, ['attendance', 'enrollment'])).status).toBe(200);
  const { people } = school.papers.last().data;
  expect(people.length).toBeGreaterThan(1);
  expect(people[0].cards.map(({ title }: { title: string }) => title)).toEqual(['Attendance', 'Enrolment']);
  expect(school.papers.last().words).toContain('NishaShah');
  const other = await openSection(school, { day: `'${from}'` });
  await seat(school, other, 'Hetal', { joinedOn: from });
  expect((await print(teacher, ['attendance'], other)).status).toBe(404);
  expect((await print(teacher, ['fee'])).status).toBe(404);
  expect((await print(principal, ['notes'])).status).toBe(404);
  const [row] = await school.sql(`select details from audit where action = 'report.section-list-printed'`);
  expect(row?.details).toMatchObject({ cards: 'attendance, enrollment' });
  school.papers.isReal = true;
  expect((await print(office, ['attendance', 'elective'])).status).toBe(200);
  school.papers.isReal = false;
});

test('D1.10 the cards of transport, skills and the application are those of the chosen days', async () => {
  const [child = 0] = await addRiders(school, section, 1);
  const { pickup, stops } = await openFleet(school, { seats: 3 });
  await school.sql(`insert into transport_assignment (student_id, pickup_trip_id, pickup_stop_id, effective_from, billed_from, fee)
    values (${child}, ${pickup.trip}, ${stops[0]}, '${today}', '${today}', 'Free')`);
  const read = (key: string, days: { from: string; to: string }) =>
    office.call(studentReportApi.card, { id: child, key, ...days });
  expect((await read('transport', { from: today, to: today })).facts.length).toBeGreaterThan(1);
  const before = await read('transport', { from: dayAt(0), to: dayAt(1) });
  expect([before.facts, before.asOf, before.empty.id]).toEqual([[], dayAt(1), 'No seat on a bus on {day}.']);

  const rated = (level: number, day: string) =>
    school.sql(`insert into student_skill_evidence (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
        skill_id, skill_level_id, noted_on)
      select own.id, student_id, academic_year_id, branch_id, program_id, grade_id, skill.id,
        (select id from configuration_skill_level order by position offset ${level} limit 1), '${day}'
      from student_enrollment own join academic_grade grade on grade.id = own.grade_id,
        (select min(id) as id from configuration_skill) as skill where own.student_id = ${child}`);
  await school.sql(`insert into configuration_skill_domain (name, position) values ('Reading', 900);
    insert into configuration_skill (name, skill_domain_id, stages) select 'Retells', max(id), '{Middle}' from configuration_skill_domain;
    update academic_grade set stage = 'Middle'`);
  await rated(0, dayAt(0));
  await rated(1, dayAt(3));
  const skills = (days: { from: string; to: string }) =>
    principal.call(studentReportApi.card, { id: child, key: 'skill', ...days });
  const [row] = (await skills(month)).table?.rows ?? [];
  expect(row?.map(english).slice(2, 4)).toEqual(['Higher', '2']);
  const [first] = (await skills({ from: dayAt(0), to: dayAt(2) })).table?.rows ?? [];
  expect(first?.map(english).slice(2, 4)).toEqual(['First', '1']);
  expect((await skills({ from: dayAt(1), to: dayAt(2) })).table).toBeNull();
});

test('D1.6 the application of a student stands in the timeline, for those who read the card of admission', async () => {
  const { id } = await school.inquiry();
  // The seat that such an inquiry holds does not matter here.
  await school.sql('alter table admission_inquiry drop constraint admission_inquiry_holds');
  await school.sql(`update admission_inquiry set student_id = ${nisha}, state = 'Admitted', submitted_at = '${dayAt(2)}T10:00Z'
    where id = ${id}`);
  const read = (person: Person) =>
    person.call(studentReportApi.timeline, { id: nisha, from: from, to: today, kind: 'admission' });
  const { events } = await read(office);
  expect(events.map(({ day, what }) => [day, what.id])).toContainEqual([
    dayAt(2),
    'Admission form of {number} submitted',
  ]);
  expect((await read(teacher)).events).toEqual([]);
});
