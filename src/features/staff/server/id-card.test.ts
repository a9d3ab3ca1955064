import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { cardSheet } from '#kit/server/paper/paper.ts';
import type { Person } from '#testing/browser.ts';
import { nextNumber } from '#testing/numbers.ts';
import { form, openSchool, photo, type School } from '#testing/school.ts';
import { mostIdCards, type staffIdCardApi } from '../contract/id-card.ts';

let school: School;
let hr: Person;
const branches: number[] = [];
const today = toLocalDate(new Date());
const yesterday = addDays(today, -1);

beforeAll(async () => {
  school = await openSchool();
  await school.sql(`insert into academic_designation (name, level) values ('Head of science', 1);
    insert into academic_department (name) values ('Science')`);
  await school.sql(`update academic_school set name = 'Teak Tree School', phone = '079 2646 1234'`);
  for (const name of ['North', 'South']) {
    const [branch] = await school.sql(
      `insert into academic_branch (name, code) values ('${name}', '${name}') returning id`,
    );
    branches.push(Number(branch?.id));
  }
  hr = await school.person({ name: 'Hiral', sets: ['hr'] });
});
afterAll(() => school.close());

/** A member of staff with these columns, joined and left on these days. */
async function add(
  name: string,
  columns: Record<string, string> = {},
  last: string | null = null,
  branch = branches[0],
) {
  const values = { name, employee_number: `E-${nextNumber()}`, ...columns };
  const [row] = await school.sql(`insert into staff (${Object.keys(values)})
    values (${Object.values(values).map((value) => `'${value}'`)}) returning id`);
  await school.sql(`insert into staff_employment (staff_id, joined_on, last_day)
    values (${row?.id}, '2020-06-01', ${last ? `'${last}'` : 'null'})`);
  await school.sql(`insert into staff_post (staff_id, effective_from, designation_id, department_id, branch_id)
    select ${row?.id}, '2020-06-01', designation.id, department.id, ${branch}
    from academic_designation designation, academic_department department
    where designation.name = 'Head of science' and department.name = 'Science'`);
  return Number(row?.id);
}

const print = async (selection: InputOf<typeof staffIdCardApi.print>, person = hr) =>
  person.send({ method: 'POST', url: '/api/staff/id-card', body: selection });

/** What the sheet of cards is set from, and the names on them. */
async function cardsOf(selection: InputOf<typeof staffIdCardApi.print>, person = hr) {
  const { status, headers } = await print(selection, person);
  expect([status, headers['content-type']]).toEqual([200, 'application/pdf']);
  const { template, data, pictures } = school.papers.last();
  expect(template).toBe(cardSheet);
  const names: string[] = data.cards.map(({ name }: { name: string }) => name);
  return { ...data, names, pictures };
}

test('a card has what the record has of the person, and nothing for what it lacks', async () => {
  const full = await add('Asha Trivedi', {
    employee_number: 'EMP-77',
    blood_group: 'AB-',
    emergency_name: 'Kamla',
    emergency_mobile: '5550012345',
  });
  const post = [
    ['Designation', 'Head of science'],
    ['Department', 'Science'],
  ];
  expect(await cardsOf({ ids: [full] })).toMatchObject({
    head: { name: 'Teak Tree School' },
    title: 'Staff identity card',
    cards: [
      {
        name: 'Asha Trivedi',
        facts: [
          ['Employee number', 'EMP-77'],
          ...post,
          ['Blood group', 'AB-'],
          ['Emergency contact', 'Kamla, 5550012345'],
        ],
      },
    ],
    foot: 'If found, call the school: 079 2646 1234',
  });

  const little = await cardsOf({ ids: [await add('Ravi Solanki', { employee_number: 'EMP-78' })] });
  expect(little.cards).toEqual([
    { name: 'Ravi Solanki', initials: 'RS', facts: [['Employee number', 'EMP-78'], ...post] },
  ]);
});

test('a card has the photo of the person', async () => {
  const asha = await school.person({ name: 'Zarna Vyas' });
  await asha.send({
    method: 'POST',
    url: `/api/staff/${asha.staffId}/picture`,
    body: form({}, { picture: await photo() }),
  });
  const { cards, pictures } = await cardsOf({ ids: [asha.staffId] });
  expect((await sharp(pictures.get(cards[0].picture)).metadata()).format).toBe('jpeg');
});

test('of the selected people, those who have left get no card, and the sheet says so', async () => {
  const ids = [
    await add('Chhaya Present'),
    await add('Dev Gone', {}, yesterday),
    await add('Esha Gone', {}, yesterday),
  ];
  const { names, notes } = await cardsOf({ ids });
  expect([names, notes.at(-1)]).toEqual([['Chhaya Present'], '2 selected people have left and have no card.']);
  expect((await cardsOf({ ids: ids.slice(0, 1) })).notes.join()).not.toContain('left');

  const refused = await print({ ids: ids.slice(1) });
  expect([refused.status, refused.json.error.message]).toEqual([
    409,
    'ID cards are for present staff. Select people who have not left.',
  ]);
});

test('all people of a look get cards in the order of their names, except those taken out', async () => {
  const [, out] = [await add('Zed Lookup'), await add('Mid Lookup'), await add('ann Lookup')];
  const { names } = await cardsOf({ isAll: true, query: { search: 'lookup' }, ids: [out] });
  expect(names).toEqual(['ann Lookup', 'Zed Lookup']);
});

test('HR of one branch prints no cards of another branch', async () => {
  const ids = [await add('Near Person'), await add('Far Person', {}, null, branches[1])];
  const near = await school.person({ sets: ['hr'], branchIds: branches.slice(0, 1) });
  expect((await cardsOf({ ids }, near)).names).toEqual(['Near Person']);
  expect((await print({ ids: ids.slice(1) }, near)).status).toBe(409);
});

test('each printing is audited with the number of cards, that of one card in the person’s history', async () => {
  const ids = [await add('First Audited'), await add('Second Audited')];
  const [last] = await school.sql('select max(id) as id from audit');
  await cardsOf({ ids });
  await cardsOf({ ids: ids.slice(1) });
  const rows = await school.sql(
    `select actor, action, entity, entity_id, details from audit where id > ${last?.id} order by id`,
  );
  const act = { actor: 'Hiral', action: 'staff.id-cards-printed', entity: 'staff' };
  expect(rows).toEqual([
    { ...act, entity_id: 0, details: { rows: 2 } },
    { ...act, entity_id: ids[1], details: { rows: 1 } },
  ]);
});

test('more cards than fit into one file are refused before any is made', async () => {
  await school.sql(`with made as (insert into staff (name, employee_number)
      select 'Crowd ' || number, 'CR' || number from generate_series(1, ${mostIdCards + 1}) number returning id)
    insert into staff_employment (staff_id, joined_on) select id, '2020-06-01' from made`);
  const { status, json } = await print({ isAll: true, query: { search: 'crowd' } });
  expect([status, json.error.message]).toEqual([409, 'Print at most 200 ID cards at once. Select fewer people.']);
});
