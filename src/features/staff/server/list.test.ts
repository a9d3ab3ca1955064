import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { GrantedSet } from '#access/contract/grants.ts';
import { employmentTypeMaster, staffCategoryMaster } from '#features/hris/contract/masters.ts';
import { branchMaster, departmentMaster, designationMaster } from '#features/school/contract/masters.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import type { Master } from '#kit/contract/master.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { openAccount, type Person, password } from '#testing/browser.ts';
import { create } from '#testing/masters.ts';
import { nextNumber } from '#testing/numbers.ts';
import { openSchool, type School } from '#testing/school.ts';
import { recordStatements } from '#testing/statements.ts';
import { teach } from '#testing/teachers.ts';
import { signInStates, staffList } from '../contract/list.ts';

const { api } = staffList;
type Query = InputOf<typeof api.list>;
type Row = Awaited<ReturnType<typeof page>>['rows'][number];

let school: School;
let admin: Person;
const today = toLocalDate(new Date());
const [yesterday, tomorrow] = [addDays(today, -1), addDays(today, 1)];

/** Two of each, to filter by. */
const masters = {
  departmentId: departmentMaster,
  designationId: designationMaster,
  branchId: branchMaster,
  staffCategoryId: staffCategoryMaster,
  employmentTypeId: employmentTypeMaster,
};
type Chosen = keyof typeof masters;
const made: Record<Chosen, { id: number; name: string }[]> = {
  departmentId: [],
  designationId: [],
  branchId: [],
  staffCategoryId: [],
  employmentTypeId: [],
};

beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Zarna', role: 'Admin' });
  for (const [field, master] of Object.entries(masters) as [Chosen, Master][])
    for (let number = 0; number < 2; number++) {
      const { id, name } = await create(admin, master);
      made[field].push({ id, name: String(name) });
    }
  await addMany();
});
afterAll(() => school.close());
beforeEach(() => {
  school.clock.now = undefined;
});

type Spell = [joinedOn: string, lastDay: string | null];
/** A post's first and last day, and which of the two masters' rows it has. */
type Post = [from: string, until: string | null, which: 0 | 1];

interface Facts {
  name?: string;
  email?: string;
  spells?: Spell[];
  posts?: Post[];
}

async function addPerson({ name, email, spells = [['2020-06-01', null]], posts = [] }: Facts = {}): Promise<number> {
  const number = nextNumber();
  const [row] = await school.sql(`insert into staff (name, employee_number, email, mobile) values
    ('${name ?? `Person ${number}`}', 'T${number}', '${email ?? `t${number}@staff.example`}', '${6_100_000_000 + number}') returning id`);
  const id = Number(row?.id);
  const day = (value: string | null) => (value ? `'${value}'` : 'null');
  for (const [joined, last] of spells)
    await school.sql(`insert into staff_employment (staff_id, joined_on, last_day)
      values (${id}, ${day(joined)}, ${day(last)})`);
  for (const [from, until, which] of posts)
    await school.sql(`insert into staff_post (staff_id, effective_from, effective_to, department_id, designation_id,
        branch_id, staff_category_id, employment_type_id)
      values (${id}, ${day(from)}, ${day(until)},
        ${Object.values(made).map((rows) => rows[which]?.id)})`);
  return id;
}

/** Enough people for three pages, with equal names and joining dates, in every tab. */
async function addMany() {
  const names = ['Asha Patel', 'asha patel', 'Bina Shah', 'Chirag Mehta', 'Devang Joshi'];
  const spells: Spell[][] = [
    [['2019-06-01', null]],
    [['2021-06-01', yesterday]],
    [[tomorrow, null]],
    [
      ['2015-06-01', '2018-05-31'],
      ['2019-06-01', null],
    ],
  ];
  for (let place = 0; place < 60; place++)
    await addPerson({
      name: names[place % names.length],
      spells: spells[place % spells.length],
      posts: place % 3 === 0 ? [] : [['2019-06-01', null, place % 2 === 0 ? 0 : 1]],
    });
}

const page = (query: Query = {}, person = admin) => person.call(api.list, query);

/** Every row of a list, turning its pages forwards. */
async function walk(query: Query, person = admin): Promise<Row[]> {
  const rows: Row[] = [];
  for (let after: string | null = ''; after !== null; ) {
    const found: Awaited<ReturnType<typeof page>> = await page({ ...query, after }, person);
    rows.push(...found.rows);
    after = found.next;
  }
  return rows;
}

async function walkBack(query: Query): Promise<Row[]> {
  const rows: Row[] = [];
  for (let before: string | null = 'end'; before !== null; ) {
    const found: Awaited<ReturnType<typeof page>> = await page({ ...query, before });
    rows.unshift(...found.rows);
    before = found.previous;
  }
  return rows;
}

const find = async (id: number, query: Query = {}) =>
  (await walk({ tab: 'all', ...query })).find((row) => row.id === id);
const idsOf = (rows: readonly { id: number }[]) => rows.map(({ id }) => id);
const inOrder = (ids: number[]) => [...ids].sort((one, other) => one - other);

test('in each order, both ways, the pages show every person once, forwards and backwards', async () => {
  const all = inOrder(idsOf((await school.sql('select id from staff')) as { id: number }[]));
  expect(all.length).toBeGreaterThan(50);
  for (const column of ['name', 'employeeNumber', 'joinedOn'] as const) {
    const up = await walk({ tab: 'all', sort: column });
    expect([column, inOrder(idsOf(up))]).toEqual([column, all]);
    const keys = up.map((row) => `${row[column].toLowerCase()} ${String(row.id).padStart(9, '0')}`);
    expect(keys).toEqual([...keys].sort());
    expect(idsOf(await walk({ tab: 'all', sort: `-${column}` }))).toEqual(idsOf(up).reverse());
    expect(idsOf(await walkBack({ tab: 'all', sort: column }))).toEqual(idsOf(up));
    expect(idsOf(await walkBack({ tab: 'all', sort: `-${column}` }))).toEqual(idsOf(up).reverse());
  }
  expect(idsOf(await walk({ tab: 'all' }))).toEqual(idsOf(await walk({ tab: 'all', sort: 'name' })));
});

test('an order that the list does not have is refused', async () => {
  for (const sort of ['mobile', '-', 'constructor', '-status'])
    expect([sort, (await admin.send({ url: `/api/staff?sort=${sort}` })).status]).toEqual([sort, 422]);
});

test('a person joins later, is active or has left by the spell of the day, the next or the last', async () => {
  const cases: [Spell[], status: string, joinedOn: string][] = [
    [[['2020-06-01', null]], 'Active', '2020-06-01'],
    [[['2020-06-01', today]], 'Active', '2020-06-01'],
    [[['2020-06-01', yesterday]], 'Left', '2020-06-01'],
    [[[today, null]], 'Active', today],
    [[[tomorrow, null]], 'Joining', tomorrow],
    [[['2010-06-01', '2012-05-31'], ['2014-06-01', '2016-05-31']], 'Left', '2014-06-01'],
    [[['2010-06-01', '2012-05-31'], ['2014-06-01', null]], 'Active', '2014-06-01'],
    [[['2010-06-01', '2012-05-31'], [tomorrow, null]], 'Joining', tomorrow],
    [[['2010-06-01', today], [tomorrow, null]], 'Active', '2010-06-01'],
  ]; // biome-ignore format: one case a line
  for (const [spells, status, joinedOn] of cases) {
    const id = await addPerson({ spells });
    expect([spells, await find(id)]).toEqual([spells, expect.objectContaining({ status, joinedOn })]);
    const tabs = ['active', 'joining', 'left'] as const;
    const shownIn = await Promise.all(tabs.map(async (tab) => ((await find(id, { tab })) ? [tab] : [])));
    expect([spells, shownIn.flat()]).toEqual([spells, [status.toLowerCase()]]);
  }
});

test('the day of the school decides, so that a person who joins tomorrow is active then', async () => {
  const id = await addPerson({ spells: [[tomorrow, null]] });
  expect(await find(id, { tab: 'active' })).toBeUndefined();
  // Half an hour past midnight in India is still today in UTC.
  school.clock.now = new Date(`${tomorrow}T00:30:00+05:30`);
  expect(await find(id, { tab: 'active' })).toMatchObject({ status: 'Active' });
});

test('the post shown is that of the day, else the next one, else the last one', async () => {
  const cases: [Post[], which: 0 | 1 | undefined][] = [
    [[], undefined],
    [[['2020-06-01', null, 1]], 1],
    [[['2020-06-01', today, 0], [tomorrow, null, 1]], 0],
    [[['2020-06-01', yesterday, 0], [today, null, 1]], 1],
    [[['2020-06-01', '2021-05-31', 0], ['2021-06-01', '2022-05-31', 1]], 1],
    [[['2020-06-01', '2021-05-31', 0], [tomorrow, null, 1]], 1],
    [[[tomorrow, '2099-05-31', 0], ['2099-06-01', null, 1]], 0],
  ]; // biome-ignore format: one case a line
  for (const [posts, which] of cases) {
    const id = await addPerson({ posts });
    const nameOf = (field: Chosen) => (which === undefined ? '' : made[field][which]?.name);
    expect([posts, await find(id)]).toEqual([
      posts,
      expect.objectContaining({
        designation: nameOf('designationId'),
        department: nameOf('departmentId'),
        branch: nameOf('branchId'),
        staffCategory: nameOf('staffCategoryId'),
      }),
    ]);
    const filtered = await find(id, { departmentId: String(made.departmentId[which ?? 0]?.id) });
    expect([posts, filtered !== undefined]).toEqual([posts, which !== undefined]);
  }
});

test('each filter shows exactly the people with that post', async () => {
  const all = await walk({ tab: 'all' });
  for (const which of [0, 1] as const) {
    // A person of these tests has the same place in all five masters.
    const expected = idsOf(all.filter(({ department }) => department === made.departmentId[which]?.name));
    expect(expected.length).toBeGreaterThan(10);
    for (const [field, rows] of Object.entries(made))
      expect([field, idsOf(await walk({ tab: 'all', [field]: String(rows[which]?.id) }))]).toEqual([field, expected]);
  }
  const both = { departmentId: String(made.departmentId[0]?.id), branchId: String(made.branchId[1]?.id) };
  expect(await walk({ tab: 'all', ...both })).toEqual([]);
});

test('the account of a person is missing, never used, suspended, or used', async () => {
  const open = async () => openAccount(school);
  const [never, suspended, used] = [await open(), await open(), await open()];
  const none = await addPerson();
  await school.sql(`update sign_in_account set is_active = false where id = ${suspended.id}`);
  const body = { AuthenicateUserBy: 'UserNameNPassword', UserName: used.userName, Password: password };
  await school.browser().send({ method: 'POST', url: '/api/sign-in/authenticate-user', body });
  const expected = {
    'No account': none,
    'Never signed in': never.staffId,
    Suspended: suspended.staffId,
    'Signs in': used.staffId,
  };
  for (const state of signInStates) {
    const found = await walk({ tab: 'all', signIn: state });
    expect(new Set(found.map(({ signIn }) => signIn))).toEqual(new Set([state]));
    expect(idsOf(found)).toContain(expected[state]);
  }
  const all = await Promise.all(signInStates.map((signIn) => walk({ tab: 'all', signIn })));
  expect(inOrder(idsOf(all.flat()))).toEqual(inOrder(idsOf(await walk({ tab: 'all' }))));
});

test('a search finds people by words of name, number, mobile and email, in any order and case', async () => {
  const id = await addPerson({ name: 'Yamini Ben O’Zala', email: 'yamini.zala@staff.example' });
  const [person] = await school.sql(`select employee_number, mobile from staff where id = ${id}`);
  for (const search of [
    'zala yamini',
    'YAMINI ben',
    String(person?.employee_number).toLowerCase(),
    String(person?.mobile).slice(2),
    'yamini.zala@',
    ` yamini  ${person?.mobile} `,
  ])
    expect([search, idsOf(await walk({ search }))]).toEqual([search, [id]]);
  for (const search of ['yamini asha', '%', 'y_mini', 'yam%zala']) expect(await walk({ search })).toEqual([]);
});

test('a search finds a name in any script and spelling, and by a part of it as it is written', async () => {
  const [pooja, shaikh] = [await addPerson({ name: 'Pooja Zaveri' }), await addPerson({ name: 'Nafisa Sheikh' })];
  for (const search of ['puja javeri', 'પૂજા', 'ooja', 'poo', 'po zav', 'POOJA'])
    expect([search, idsOf(await walk({ search }))]).toEqual([search, [pooja]]);
  for (const search of ['nafisa shaikh', 'nafisa શેખ', 'shekh', 'eikh'])
    expect([search, idsOf(await walk({ search }))]).toEqual([search, [shaikh]]);
});

test('the sections of a person are those that they lead or teach today, each once', async () => {
  const id = await addPerson();
  const teacher = { staffId: id };
  const nameOf = async (section: number) => {
    const [row] = await school.sql(`select academic_section_name(grade.name, section.name) as name
      from academic_section section join academic_grade grade on grade.id = section.grade_id where section.id = ${section}`);
    return String(row?.name);
  };
  const led = await teach(school, teacher);
  await teach(school, teacher, { role: 'Subject teacher', sectionId: led });
  const taught = await teach(school, teacher, { role: 'Subject teacher' });
  await teach(school, teacher, { until: `'${yesterday}'` });
  await teach(school, teacher, { from: `'${tomorrow}'` });
  const inactive = await teach(school, teacher);
  await school.sql(`update academic_section set is_active = false where id = ${inactive}`);
  const names = [await nameOf(led), await nameOf(taught)].sort();
  expect([...((await find(id))?.sections ?? [])].sort()).toEqual(names);
  const { rows } = await exported(`&tab=all&columns=sections&ids=${id}`);
  expect(rows.map(([sections]) => sections?.split('; ').sort())).toEqual([names]);
});

test('letters that sound like a single one are searched as they are typed', async () => {
  const id = await addPerson({ name: 'Baa Zzuberi' });
  for (const search of ['zzzz', 'qqqq', 'ssss', 'aaaa', 'zzzz baa'])
    expect([search, await walk({ search })]).toEqual([search, []]);
  for (const search of ['aa', 'ZZ', 'zz aa']) expect([search, idsOf(await walk({ search }))]).toEqual([search, [id]]);
});

test('the count of each tab is the number of its rows, whatever is searched and filtered', async () => {
  for (const query of [
    {},
    { search: 'patel' },
    { signIn: 'No account' },
    { departmentId: String(made.departmentId[1]?.id), search: 'a' },
  ] as Query[]) {
    const counts = await admin.call(api.counts, { ...query, tab: 'left' });
    expect(Object.keys(counts)).toEqual(['active', 'joining', 'due', 'left', 'all']);
    for (const [tab, count] of Object.entries(counts)) {
      const rows = await walk({ ...query, tab });
      expect([query, tab, count]).toEqual([query, tab, { total: rows.length, isMore: false }]);
      expect((await page({ ...query, tab })).total).toBe(rows.length);
    }
  }
  const { texts } = await recordStatements(school, () => admin.call(api.counts, {}));
  expect(texts.filter((statement) => statement.includes('staff_employment'))).toHaveLength(1);
});

const exported = async (query: string, person = admin) => {
  const { status, text, headers } = await person.send({ url: `/api/staff/export?as=csv${query}` });
  expect([query, status]).toEqual([query, 200]);
  const [heads, ...rows] = parse(text, { bom: true, record_delimiter: '\r\n' }) as unknown as string[][];
  return { heads, rows, headers };
};

test('an export has the rows of the list in its order, with the chosen columns in theirs', async () => {
  const query = { tab: 'active', search: 'patel', sort: '-joinedOn' };
  const rows = await walk(query);
  const parameters = `&${new URLSearchParams(query)}&columns=`;
  const all = await exported(parameters);
  expect(all.heads).toEqual(Object.values(staffList.columns).map(({ label }) => label.id));
  expect(all.rows.map(([name, number]) => [name, number])).toEqual(rows.map((row) => [row.name, row.employeeNumber]));
  expect(all.headers['content-disposition']).toContain('staff.csv');

  const some = await exported(`${parameters}status,gone,employeeNumber,status,constructor`);
  expect(some.heads).toEqual(['Status', 'Employee number']);
  expect(some.rows).toEqual(rows.map((row) => [row.status, row.employeeNumber]));
  expect((await exported(`${parameters}gone`)).heads).toEqual(all.heads);
});

test('an export of chosen people has them alone, also those whom the filters hide', async () => {
  const shown = await walk({ tab: 'all', sort: 'name' });
  const chosen = [shown.at(-1), shown[30], shown[2]].flatMap((row) => row ?? []);
  const { rows } = await exported(`&tab=joining&search=nobody&columns=employeeNumber&ids=${idsOf(chosen)}`);
  expect(rows).toEqual(chosen.reverse().map(({ employeeNumber }) => [employeeNumber]));
  for (const ids of ['1,', 'x', '9999999999', Array.from({ length: 501 }, (_, n) => n).join()])
    expect([ids, (await admin.send({ url: `/api/staff/export?as=csv&ids=${ids}` })).status]).toEqual([ids, 422]);
});

test('the list is exported as a workbook and on paper, and each export is audited with its user', async () => {
  const [last] = await school.sql('select max(id) as id from audit');
  for (const as of ['xlsx', 'pdf', 'csv']) {
    const { status } = await admin.send({ url: `/api/staff/export?as=${as}&search=bina&columns=name,status` });
    expect([as, status]).toEqual([as, 200]);
  }
  const { title, table } = school.papers.last().data;
  expect([title, table.heads, table.rows[0]]).toEqual(['Staff', ['Name', 'Status'], ['Bina Shah', 'Active']]);
  const rows = (await walk({ search: 'bina' })).length;
  expect(
    await school.sql(`select actor, action, entity, details from audit where id > ${last?.id} order by id`),
  ).toEqual(
    ['xlsx', 'pdf', 'csv'].map((as) => ({
      actor: 'Zarna',
      action: 'staff.exported',
      entity: 'staff',
      details: { rows, as, columns: 'Name, Status' },
    })),
  );
});

test('Admin, HR, principal, office and accountant read the list, and nobody else; only Admin and HR see who left', async () => {
  const urls = ['', '/count', '/export?as=csv', '/view'];
  const readers: GrantedSet[] = ['hr', 'principal', 'office', 'accountant'];
  for (const sets of [[], ['admissionHead', 'counsellor'], ['nurse', 'transportIncharge']] as const) {
    const person = await school.person({ sets });
    for (const url of urls)
      expect([sets, url, (await person.send({ url: `/api/staff${url}` })).status]).toEqual([sets, url, 403]);
    expect((await person.send({ method: 'POST', url: '/api/staff/view', body: {} })).status).toBe(403);
  }
  const left = await addPerson({ name: 'Relieved Person', spells: [['2020-06-01', yesterday]] });
  const of = (person: Person, tab: string) => walk({ tab, search: 'Relieved Person' }, person);
  for (const set of readers) {
    const person = await school.person({ sets: [set] });
    const isSeen = set === 'hr';
    expect([set, idsOf(await of(person, 'left'))]).toEqual([set, isSeen ? [left] : []]);
    expect([set, idsOf(await of(person, 'all'))]).toEqual([set, isSeen ? [left] : []]);
    const counts = await person.call(api.counts, { search: 'Relieved Person' });
    expect([set, counts.left?.total]).toEqual([set, isSeen ? 1 : 0]);
    const { rows } = await exported(`&tab=active&ids=${left}`, person);
    expect([set, rows.length]).toEqual([set, isSeen ? 1 : 0]);
  }
});

test('only those who keep the records read what is due of documents', async () => {
  const id = await addPerson({ name: 'Paperless Person' });
  for (const set of ['hr', 'principal', 'office', 'accountant'] as const) {
    const person = await school.person({ sets: [set] });
    const isKept = set === 'hr';
    const search = 'Paperless';
    const [row] = await walk({ search }, person);
    expect([set, row?.documentsDue]).toEqual([set, isKept ? 3 : null]);
    for (const query of [{ tab: 'due' }, { tab: 'all', documents: 'Missing' }])
      expect([set, idsOf(await walk({ search, ...query }, person))]).toEqual([set, isKept ? [id] : []]);
    expect([set, (await person.call(api.counts, { search })).due?.total]).toEqual([set, isKept ? 1 : 0]);
  }
});

test('only those who keep the records read and export genders and birth dates', async () => {
  const id = await addPerson({ name: 'Vanraj Own', posts: [['2019-06-01', null, 0]] });
  await school.sql(`update staff set gender = 'Male', birth_date = '1980-02-29' where id = ${id}`);
  const sets: GrantedSet[] = ['hr', 'principal', 'office', 'accountant'];
  for (const set of sets) {
    const person = await school.person({ sets: [set] });
    const seen = set === 'hr' ? ['Male', '1980-02-29'] : ['', ''];
    const [row] = (await page({ search: 'Vanraj' }, person)).rows;
    expect([set, row?.gender, row?.birthDate]).toEqual([set, ...seen]);
    const file = await person.send({ url: `/api/staff/export?as=csv&search=Vanraj&columns=gender,birthDate` });
    expect(file.text.trim().split('\r\n')[1]).toBe(seen.map((value) => `"${value}"`).join(','));
  }
});

test('a tab of 1,006 says so, and beyond ten thousand rows a count says that there are more', async () => {
  const add = (first: number, last: number) =>
    school.sql(`with made as (insert into staff (name, employee_number)
        select 'Crowd ' || number, 'CR' || number from generate_series(${first}, ${last}) number returning id)
      insert into staff_employment (staff_id, joined_on) select id, '2020-06-01' from made;
      -- As PostgreSQL does by itself after a while.
      analyze staff; analyze staff_employment`);
  const all = (total: number, isMore: boolean) => ({
    active: { total, isMore },
    joining: { total: 0, isMore: false },
    due: { total, isMore },
    left: { total: 0, isMore: false },
    all: { total, isMore },
  });
  await add(1, 1006);
  expect(await admin.call(api.counts, { search: 'crowd' })).toEqual(all(1006, false));
  await add(1007, 10_001);
  expect(await admin.call(api.counts, { search: 'crowd' })).toEqual(all(10_000, true));
});
