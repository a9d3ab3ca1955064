import { afterAll, beforeAll, expect, test } from 'vitest';
import { dailyApi } from '#features/attendance/contract/daily.ts';
import { coverApi } from '#features/cover/contract/cover.ts';
import { todayApi } from '#features/transport/contract/today.ts';
import { toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { nextNumber } from '#testing/numbers.ts';
import { setDay, takeRegister } from '#testing/registers.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { addBus, addCrew, openFleet } from '#testing/transport.ts';
import { dashboardApi } from './contract.ts';

let school: School;
const today = toLocalDate(new Date());
beforeAll(async () => {
  school = await openOwnSchool();
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
});
afterAll(() => school.close());

const figuresOf = async (person: Person) => {
  const { figures } = await person.call(dashboardApi.line, {});
  return Object.fromEntries(figures.map(({ title, value, of }) => [title.id, of === undefined ? value : [value, of]]));
};

/** What the lists behind the figures have, for the same person. */
async function listsOf(person: Person, readsBuses: boolean) {
  const { sections, absentees } = await person.call(dailyApi.read, { day: '' });
  const { lines } = await person.call(coverApi.read, { day: '' });
  const sum = (of: (section: (typeof sections)[number]) => number) =>
    sections.reduce((all, section) => all + of(section), 0);
  const [present, absent] = [sum((one) => one.present + one.late), sum((one) => one.absent)];
  const due = sections.flatMap(({ registers }) => registers.filter(({ isDue }) => isDue));
  const { trips } = readsBuses ? await person.call(todayApi.day, { day: today }) : { trips: [] };
  const changed = trips.filter(
    ({ isNotRunning, vehicle, driver, attendant }) =>
      isNotRunning || [vehicle, driver, attendant].some((one) => one === null || one.insteadOf !== '' || one.isAway),
  );
  return {
    Present: Math.round((1000 * present) / (present + absent)) * 10,
    'Absent 3rd day': absentees.filter(({ days }) => days >= 3).length,
    Registers: [due.filter(({ takenAt }) => takenAt !== null).length, due.length],
    'Without a teacher': lines.filter(({ cover }) => cover === null).length,
    ...(readsBuses && { 'Buses changed': [changed.length, trips.length] }),
  };
}

test('DL1 each figure of the line is that of its list, for principal, office and a principal of one branch', async () => {
  await setDay(school, today, 'Working day');
  const [row] = await school.sql('select min(id) as id from academic_branch');
  const first = Number(row?.id);
  const [made] = await school.sql(`insert into academic_branch (name, code) values ('East', 'EAST') returning id`);
  const second = Number(made?.id);
  const office = await school.person({ sets: ['office'] });
  for (const [branchId, absent] of [
    [first, 1],
    [second, 2],
  ] as const) {
    const section = await openSection(school, { branchId });
    const names = ['Aarav', 'Bina', 'Charu', 'Dev'];
    for (const name of names) await seat(school, section, name);
    const marks = Object.fromEntries(names.slice(0, absent).map((name) => [name, 'A']));
    await takeRegister(office, section, '', { ...marks, Dev: 'L 09:10' });
    // A register that is not taken, and a class whose teacher is away.
    const waiting = await openSection(school, { branchId });
    await seat(school, waiting, 'Ela');
    const away = await school.person();
    await school.sql(`update staff_employment set joined_on = '2020-06-01' where staff_id = ${away.staffId}`);
    await teach(school, away, { sectionId: waiting });
    await school.sql(`insert into workday_presence (staff_id, day, kind, source, entered_by, entered_at)
      values (${away.staffId}, '${today}', 'Absent', 'Office', ${office.staffId}, now())`);
  }
  const fleet = await openFleet(school, { seats: 3 });
  await school.sql(
    `update transport_slot_plan set weekdays = '{Monday,Tuesday,Wednesday,Thursday,Friday,Saturday,Sunday}'`,
  );
  const driver = await addCrew(school);
  await school.sql(`insert into transport_stand_in (trip_id, role, crew_id, effective_from, effective_to, reason, act, entered_by,
      entered_at)
    values (${fleet.pickup.trip}, 'Driver', ${driver}, '${today}', '${today}', 'Ill', gen_random_uuid(), ${office.staffId}, now());
    insert into transport_vehicle_away (vehicle_id, effective_from, effective_to, reason, note)
      values (${await addBus(school, second, 3)}, '${today}', '${today}', 'Workshop', 'No ${nextNumber()}')`);
  // A trip that does not run is changed, and nothing of it is away.
  await school.sql(`insert into transport_stand_in (trip_id, role, effective_from, effective_to, reason, act, entered_by,
      entered_at)
    values (${fleet.drop.trip}, 'Not running', '${today}', '${today}', '', gen_random_uuid(), ${office.staffId}, now())`);
  await school.sql(`select transport_lay(array[${fleet.pickup.trip}, ${fleet.drop.trip}])`);

  const principal = await school.person({ sets: ['principal'] });
  const ofBranch = await school.person({ sets: ['principal'], branchIds: [second] });
  for (const [person, readsBuses] of [
    [principal, true],
    [office, false],
  ] as const)
    expect(await figuresOf(person)).toMatchObject(await listsOf(person, readsBuses));
  const figures = await figuresOf(principal);
  expect(figures).toMatchObject({
    Present: 6250,
    Registers: [2, 4],
    'Without a teacher': 2,
    'Buses changed': [2, 2],
  });
  // A branch without a trip has no figure of buses.
  const { 'Buses changed': buses, ...lists } = await listsOf(ofBranch, true);
  expect(buses).toEqual([0, 0]);
  const own = await figuresOf(ofBranch);
  expect(own).toMatchObject(lists);
  expect(own).toMatchObject({ Present: 5000, Registers: [1, 2], 'Without a teacher': 1 });
  expect(own).not.toHaveProperty('Buses changed');
  expect(await figuresOf(office)).not.toHaveProperty('Buses changed');
});

test('of more than six figures the least important are folded, and none that is late', async () => {
  const reader = await school.person({ sets: ['principal', 'office', 'accountant', 'financeApprover'] });
  await school.sql(`insert into fee_day (staff_id, day) values (${reader.staffId}, '${today}')`);
  const { figures, more } = await reader.call(dashboardApi.line, {});
  expect(figures).toHaveLength(6);
  expect(more.length).toBeGreaterThan(0);
  expect(more.filter(({ isLate, late }) => isLate || late)).toEqual([]);
  expect(figures.map(({ title }) => title.id)).toEqual(
    expect.arrayContaining(['Present', 'Registers', 'Without a teacher']),
  );
});

test('a register that is not taken is late only from the hour of the setting, and one of the afternoon from 14:00', async () => {
  const registers = async (branchId?: number) => {
    const reader = await school.person({ sets: ['office'], ...(branchId && { branchIds: [branchId] }) });
    const { figures } = await reader.call(dashboardApi.line, {});
    const { cards } = await reader.call(dashboardApi.read, {});
    const { late, before } = figures.find(({ title }) => title.id === 'Registers') ?? {};
    const row = cards.flatMap((card) => card.figures).find(({ label }) => label.id === 'Registers not taken');
    return { late: late?.id, before: before?.id, isLate: row?.isLate };
  };
  const notYet = { late: undefined, before: 'Not taken yet: {sections}', isLate: false };
  const isLate = { late: 'Missing: {sections}', before: undefined, isLate: true };
  const at = (time: string) => {
    school.clock.now = new Date(`${today}T${time}:00+05:30`);
  };
  at('04:40');
  expect(await registers()).toEqual(notYet);
  at('09:00');
  expect(await registers()).toEqual(isLate);
  await school.sql(`insert into setting (key, value) values ('attendance.late-hour', '11')`);
  at('10:00');
  expect(await registers()).toEqual(notYet);
  await school.sql(`delete from setting where key = 'attendance.late-hour'`);
  // A branch with one section, whose register of the morning is taken.
  const [made] = await school.sql(`insert into academic_branch (name, code) values ('West', 'WEST') returning id`);
  const branchId = Number(made?.id);
  const section = await openSection(school, { branchId });
  await seat(school, section, 'Farah');
  await school.sql(`insert into attendance_twice (academic_year_id, grade_id)
    select academic_year_id, grade_id from academic_section where id = ${section}`);
  await takeRegister(await school.person({ sets: ['office'] }), section, '', {});
  at('13:59');
  expect(await registers(branchId)).toEqual(notYet);
  at('14:00');
  expect(await registers(branchId)).toEqual(isLate);
});

test('DL1 a figure that cannot be read keeps its place with a dash, and the others stand', async () => {
  const reader = await school.person({ sets: ['principal'] });
  const before = Object.keys(await figuresOf(reader));
  await school.sql('alter table transport_stand_in rename to transport_stand_in_gone');
  try {
    const other = await school.person({ sets: ['principal'] });
    const { figures, hasFailed } = await other.call(dashboardApi.line, {});
    expect(hasFailed).toBe(true);
    expect(figures.map(({ title }) => title.id)).toEqual(before);
    expect(figures.filter((figure) => figure.hasFailed).map(({ title }) => title.id)).toEqual(['Buses changed']);
  } finally {
    await school.sql('alter table transport_stand_in_gone rename to transport_stand_in');
  }
});
