import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { randomFrom } from '#kit/server/random.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { askLeave, employ, leftOf, openType, openWorkYear } from '#testing/workdays.ts';
import { carryApi, openingImportApi } from '../contract/carry.ts';

let school: School;
let yearId: number;
let nextId: number;
let earned: number;
let hr: Person;
let asha: Person;
const today = '2040-09-03';
beforeAll(async () => {
  school = await openSchool();
  nextId = await openWorkYear(school, today, '2041-06-01', '2042-05-31');
  yearId = await openWorkYear(school, today);
  earned = await openType(school, yearId, { code: 'EL', halves: 30, more: 'carry_halves = 20' });
  await openType(school, yearId, { code: 'CL', halves: 24 });
  hr = await school.person({ name: 'Hema', sets: ['hr'] });
  await employ(school, hr);
});
afterAll(() => school.close());
beforeEach(async () => {
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  await school.sql('delete from workday_credit');
  asha = await school.person({ name: 'Asha' });
  await employ(school, asha);
});

const preview = () => hr.call(carryApi.run, { academicYearId: yearId } as never);
async function carry() {
  const { confirmToken } = await preview();
  return hr.call(carryApi.run, { academicYearId: yearId, confirmToken } as never);
}
const creditsOf = async ({ staffId }: Person) =>
  (
    await school.sql(`select type_id, halves from workday_credit
    where staff_id = ${staffId} and academic_year_id = ${nextId} and kind = 'Carried'`)
  ).map(({ type_id, halves }) => [type_id, halves]);

test('a balance is carried up to the limit of its type; the rest lapses, and a preview writes nothing', async () => {
  const { rows, lapsed } = await preview();
  expect(rows.filter(({ name }) => name === 'Asha').slice(-1)).toMatchObject([
    { type: 'EL', left: '15', carried: '10', lapsed: '5' },
  ]);
  // A type that carries nothing is in the sum alone.
  expect(rows.map(({ type }) => type)).not.toContain('CL');
  expect(Number(lapsed)).toBeGreaterThanOrEqual(2 * 17);
  expect(await creditsOf(asha)).toEqual([]);
  await carry();
  expect(await creditsOf(asha)).toEqual([[earned, 20]]);
});

test('the end of the year names who is to be given leave, and who loses some', async () => {
  school.clock.now = new Date('2041-06-02T10:00:00+05:30');
  const reader = await school.person({ role: 'Admin' });
  const lines = async () => {
    const { json } = await reader.send({ url: `/api/year-end?yearId=${yearId}` });
    return json.lines
      .filter(({ key }: { key: string }) => key.startsWith('workday.'))
      .map(({ key, open }: { key: string; open: number }) => `${key} ${open}`);
  };
  const [found] = await school.sql(
    `select count(*)::integer as people from staff_employment where joined_on < '2041-06-01'`,
  );
  const people = Number(found?.people);
  expect(await lines()).toEqual([`workday.carried ${people}`, `workday.balances ${people}`]);
  school.clock.now = new Date(`${today}T10:00:00+05:30`);
  await carry();
  expect(await lines()).toEqual([`workday.balances ${people}`]);
});

test('leave of women only lapses for no man', async () => {
  await openType(school, yearId, { code: 'ML', halves: 364, more: `gender = 'Female'` });
  await school.sql(`update staff set gender = case id when ${asha.staffId} then 'Female' else 'Male' end`);
  const own = await school.sql(`select distinct staff_id from workday_carry(${yearId}, null) carry
    join workday_leave_type type on type.id = carry.type_id where type.code = 'ML'`);
  expect(own).toEqual([{ staff_id: asha.staffId }]);
});

test('a second run changes nothing; leave taken in between lowers what was carried', async () => {
  await carry();
  expect((await preview()).changes).toBe(0);
  await askLeave(asha, { typeId: earned, from: '2040-09-10', to: '2040-09-20' });
  expect(await leftOf(asha, 'EL')).toBe('6');
  expect((await carry()).changes).toBe(1);
  expect(await creditsOf(asha)).toEqual([[earned, 12]]);
});

test('the file of opening balances adds to the year once, and its undo takes it away', async () => {
  const [row] = await school.sql(`select employee_number as number from staff where id = ${asha.staffId}`);
  const columns = { 0: { to: 'staffId' }, 1: { to: 'typeId' }, 2: { to: 'days' } };
  const asked = (lines: string[]) => ({
    file: ['Number,Type,Days', ...lines].join('\r\n'),
    plan: { fileName: 'a.csv', columns },
  });
  const good = asked([`${row?.number},EL,2.5`, `${row?.number},Type CL,-1`]);
  const { confirmToken } = await hr.call(openingImportApi.import, good as never);
  const { importId, counts } = await hr.call(openingImportApi.import, { ...good, confirmToken } as never);
  expect(counts).toMatchObject({ added: 2, wrong: 0 });
  expect([await leftOf(asha, 'EL'), await leftOf(asha, 'CL')]).toEqual(['17.5', '11']);
  expect((await hr.call(openingImportApi.import, good as never)).counts).toMatchObject({ added: 0, same: 2 });
  const bad = asked([`${row?.number},EL,3`, `${row?.number},CL,1.3`, `${row?.number},XX,1`, 'NONE,EL,1']);
  const refused = await hr.call(openingImportApi.import, bad as never);
  expect(refused.rows.map(({ messages }) => Object.keys(messages))).toEqual([
    ['days'],
    ['days'],
    ['typeId'],
    ['staffId'],
  ]);
  const undo = await hr.call(openingImportApi.importUndo, { importId } as never);
  await hr.call(openingImportApi.importUndo, { importId, confirmToken: undo.confirmToken } as never);
  expect(await leftOf(asha, 'EL')).toBe('15');
});

test('leave left, read for everyone at once, equals each person’s balance through joins, moves and rules of some posts', async () => {
  const [teaching, office] = await school.sql('select id from hris_staff_category order by id limit 2');
  const [terms] = await school.sql('select id from hris_employment_type order by id limit 1');
  const monthly = await openType(school, yearId, {
    code: 'MO',
    halves: 14,
    more: `accrual = 'Monthly', carry_halves = 8`,
  });
  for (const [type, category, kind, halves] of [
    [earned, teaching?.id, null, 22],
    [earned, teaching?.id, terms?.id, 25],
    [monthly, null, terms?.id, 9],
    [monthly, office?.id, null, 31],
  ])
    await school.sql(`insert into workday_leave_rule (academic_year_id, leave_type_id, staff_category_id, employment_type_id, halves)
      values (${yearId}, ${type}, ${category}, ${kind}, ${halves})`);
  const draw = randomFrom(73);
  for (let count = 0; count < 16; count++) {
    const person = await school.person({ name: `Person ${count}` });
    await employ(school, person, { joined: `2040-${String(4 + draw.upTo(8)).padStart(2, '0')}-${14 + draw.upTo(4)}` });
    const moved = `2040-${10 + draw.upTo(2)}-${13 + draw.upTo(4)}`;
    const held = [teaching?.id, office?.id, null][draw.upTo(2)];
    const of = [terms?.id, null][draw.upTo(1)];
    await school.sql(`update staff_post set staff_category_id = ${held} where staff_id = ${person.staffId}`);
    if (draw.upTo(1) === 0) continue;
    await school.sql(`update staff_post set effective_to = greatest('${moved}'::date, effective_from + 1) where staff_id = ${person.staffId};
      insert into staff_post (staff_id, effective_from, branch_id, designation_id, department_id, staff_category_id, employment_type_id)
        select staff_id, effective_to + ${1 + draw.upTo(20)}, branch_id, designation_id, department_id, ${office?.id}, ${of}
        from staff_post where staff_id = ${person.staffId}`);
    await askLeave(person, { typeId: earned, from: '2041-02-04', to: `2041-02-${10 + draw.upTo(5)}` });
  }
  const [row] = await school.sql(`
    with each as (
      select spell.staff_id, type.id as type_id, own.halves, least(own.halves, type.carry_halves::integer) as carried
      from academic_year year
      join staff_employment spell on year.ends_on between spell.joined_on and coalesce(spell.last_day, 'infinity')
      join staff on staff.id = spell.staff_id
      join workday_leave_type type on type.is_active and not type.may_go_below and type.gender in ('', staff.gender)
      cross join lateral (select workday_balance(spell.staff_id, type.id, year.id, year.ends_on) as halves) as own
      where year.id = ${yearId} and own.halves > 0)
    select (select count(*) from each)::integer as each, (select count(*) from workday_carry(${yearId}, null))::integer as all,
      (select count(distinct halves) from each)::integer as amounts,
      (select count(*) from (table each except select * from workday_carry(${yearId}, null)) missed)::integer as missed`);
  expect(row).toMatchObject({ all: row?.each, missed: 0 });
  expect(Number(row?.amounts)).toBeGreaterThan(5);
});
