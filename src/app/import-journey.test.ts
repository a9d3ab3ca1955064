import { afterAll, beforeAll, expect, test } from 'vitest';
import { staffImportApi } from '#features/staff/contract/import.ts';
import type { ImportStage } from '#kit/contract/import.ts';
import type { Person } from '#testing/browser.ts';
import { digestsOf } from '#testing/digests.ts';
import { openSchool, type School } from '#testing/school.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
  await school.sql(`insert into academic_branch (name, code) select 'Main', 'M1'
    where not exists (select from academic_branch)`);
});
afterAll(() => school.close());

const columnsOf = ({ columns }: ImportStage) =>
  Object.fromEntries(columns.flatMap(({ plan }, index) => (plan ? [[String(index), plan]] : [])));
const one = async (query: string) => (await school.sql(query))[0] ?? {};

const contents = () => digestsOf(school);

const days = (n: number) => `${String((n % 27) + 1).padStart(2, '0')}/06/2020`;
const register = (
  count: number,
  over: (n: number) => Partial<Record<'sex' | 'post' | 'mobile', string>> = () => ({}),
) =>
  [
    'SHREE VIDYALAYA, SURAT – STAFF REGISTER,,,,,,',
    ',,,,,,',
    'Emp Code,Name,Sex,Post,Dept,DOJ,Contact',
    ...Array.from({ length: count }, (_, n) => {
      const { sex = n % 2 ? 'F' : 'M', post = 'Clerk', mobile = `98250${String(10000 + n)}` } = over(n);
      return `JN-${n + 1},Mr. Person ${n + 1},${sex},${post},Office work,${days(n)},${mobile}`;
    }),
    `Total,${count},,,,,`,
  ].join('\n');

test('a staff register comes in: words are matched or created, good rows are imported, the others come back', async () => {
  const file = register(40, (n) => (n < 9 ? (n < 5 ? { mobile: '12345' } : { sex: 'Unknown' }) : {}));
  const opened = await admin.call(staffImportApi.importOpen, { file });
  expect([opened.headLine, opened.rows, opened.skipped.map(({ why }) => why)]).toEqual([3, 40, ['title', 'total']]);
  const columns = columnsOf(opened);
  expect(Object.values(columns).map(({ to }) => to)).toEqual([
    ...['employeeNumber', 'name', 'gender', 'designationId', 'departmentId', 'joinedOn', 'mobile'],
  ]);
  expect(columns[1]).toEqual({ to: 'name', takesTitles: true });
  const stage = await admin.call(staffImportApi.importOpen, { file, plan: { columns } });
  const asked = Object.fromEntries(
    stage.words.map(({ field, words, mayCreate }) => [
      field,
      [mayCreate, ...words.map(({ word, count, proposal }) => `${word} ${count} ${proposal}`)],
    ]),
  );
  expect(asked).toMatchObject({
    gender: [false, 'M 18 Male', 'F 18 Female', 'Unknown 4 null'],
    designationId: [true, 'Clerk 40 null'],
    departmentId: [true, 'Office work 40 null'],
  });
  const plan = {
    ...{ fileName: 'register.csv', columns, mode: 'good' as const, dates: { joinedOn: 'DMY' as const } },
    values: {
      gender: { f: 'Female', m: 'Male' },
      designationId: { clerk: 'Clerk' },
      departmentId: { 'office work': 'Office work' },
    },
    creates: { designationId: ['Clerk'], departmentId: ['Office work'] },
  };
  const preview = await admin.call(staffImportApi.import, { file, plan });
  expect(preview.counts).toEqual({ added: 31, changed: 0, same: 0, wrong: 9 });
  expect(preview.causes?.map(({ field, count }) => [field, count])).toEqual([
    ['mobile', 5],
    ['gender', 4],
  ]);
  expect(preview.rows.find(({ line }) => line === 14)?.cellsAsStored).toMatchObject({
    ...{ name: 'Person 11', gender: 'Male', designationId: 'Clerk', joinedOn: '2020-06-11', mobile: '9825010010' },
  });
  // A preview leaves nothing behind, not even the entries that it would create.
  expect(await one(`select count(*)::integer as n from academic_designation where name = 'Clerk'`)).toEqual({ n: 0 });
  const [cause] = preview.causes ?? [];
  const ofCause = await admin.call(staffImportApi.import, { file, plan, shown: { cause: cause?.key ?? '' } });
  expect([ofCause.found, ofCause.rows.length]).toEqual([5, 5]);
  // All or none: nothing can be confirmed while rows have errors.
  const all = await admin.call(staffImportApi.import, { file, plan: { ...plan, mode: 'all' } });
  expect(all.confirmToken).toBeNull();
  const errors = await admin.send({
    ...{ method: 'POST', url: `/api${staffImportApi.importErrors.path}`, body: { file, plan, as: 'csv' } },
  });
  expect(errors.text.trim().split('\r\n')).toHaveLength(10);
  expect(errors.text).toContain('"Emp Code","Name","Sex","Post","Dept","DOJ","Contact","Errors"');
  const done = await admin.call(staffImportApi.import, { file, plan, confirmToken: preview.confirmToken ?? '' });
  expect([done.isApplied, done.counts.added]).toEqual([true, 31]);
  expect(await one(`select count(*)::integer as n from staff where name like 'Person %'`)).toEqual({ n: 31 });
  const history = await admin.call(staffImportApi.imports, {});
  expect(history[0]).toMatchObject({
    ...{ fileName: 'register.csv', by: 'Asha', mayUndo: true, isUndone: false },
    counts: { added: 31, changed: 0, left: 9 },
  });
  // The corrected file is matched as before without a question; corrected in place, its rows come in.
  const corrected = errors.text.replaceAll('Unknown', 'F');
  const again = await admin.call(staffImportApi.importOpen, { file: corrected });
  expect(columnsOf(again)).toEqual(columns);
  const edits = Object.fromEntries([2, 3, 4, 5, 6].map((line) => [`${line} mobile`, `982509990${line}`]));
  const second = { file: corrected, plan: { ...plan, creates: {}, edits } };
  const rest = await admin.call(staffImportApi.import, second);
  expect(rest.counts).toMatchObject({ added: 9, wrong: 0 });
  await admin.call(staffImportApi.import, { ...second, confirmToken: rest.confirmToken ?? '' });
  expect(await one(`select count(*)::integer as n from staff where name like 'Person %'`)).toEqual({ n: 40 });
});

test('undoing an import of 1,000 leaves the database as it was, and is refused while others depend on it', async () => {
  const other = await school.person({ sets: ['hr'] });
  await other.call(staffImportApi.imports, {});
  const before = await contents();
  const columns = {
    ...{ 0: { to: 'employeeNumber' }, 1: { to: 'name', takesTitles: true }, 2: { to: 'gender' } },
    ...{ 3: { to: 'designationId' }, 4: { to: 'departmentId' }, 5: { to: 'joinedOn' }, 6: { to: 'mobile' } },
  };
  // Five of them are there already, and are changed.
  const file = register(1000, (n) => ({ post: 'Peon', mobile: `97250${String(10000 + n)}` })).replaceAll('JN-', 'KN-');
  const known = await school.sql(`select employee_number as number from staff where name like 'Person 1_' limit 5`);
  const changedFile = known.reduce<string>(
    (text, { number }, index) =>
      text.replace(`KN-${index + 1},Mr. Person ${index + 1},`, `${number},Mr. Other ${index + 1},`),
    file.replaceAll(',Peon,Office work,', ',,,').replaceAll(/,[0-9/]{10},/g, ',,'),
  );
  const some = changedFile.split('\n').slice(0, 8).join('\n');
  const rest = [...file.split('\n').slice(0, 3), ...file.split('\n').slice(8)].join('\n');
  const plan = {
    ...{ fileName: 'thousand.csv', columns, same: {} },
    values: { gender: { f: 'Female', m: 'Male' } },
    creates: { designationId: ['Peon'] },
  };
  const ids: number[] = [];
  for (const [text, creates] of [
    [some, {}],
    [rest, plan.creates],
  ] as const) {
    const input = { file: text, plan: { ...plan, creates } };
    const { confirmToken, counts } = await admin.call(staffImportApi.import, input);
    expect(counts.wrong).toBe(0);
    const done = await admin.call(staffImportApi.import, { ...input, confirmToken: confirmToken ?? '' });
    ids.push(done.importId ?? 0);
  }
  expect(await one(`select count(*)::integer as n from staff where employee_number like 'KN-%'`)).toEqual({ n: 995 });
  expect(await one(`select count(*)::integer as n from staff where name like 'Other %'`)).toEqual({ n: 5 });

  // A record that others point to keeps the whole import.
  const [used] = await school.sql(`select id, name from staff where employee_number = 'KN-500'`);
  await school.sql(`update academic_department set staff_id = ${used?.id} where name = 'Office work'`);
  const refused = await admin.call(staffImportApi.importUndo, { importId: ids[1] ?? 0 });
  expect([refused.confirmToken, refused.kept]).toEqual([null, [used?.name]]);
  await school.sql(`update academic_department set staff_id = null where name = 'Office work'`);

  // So does one that has changed since.
  await school.sql(`update staff set name = 'Changed since' where employee_number = 'KN-600'`);
  const later = await admin.call(staffImportApi.importUndo, { importId: ids[1] ?? 0 });
  expect([later.confirmToken, later.kept]).toEqual([null, ['Person 600']]);
  await school.sql(`update staff set name = 'Person 600' where employee_number = 'KN-600'`);

  await expect(other.call(staffImportApi.importUndo, { importId: ids[1] ?? 0 })).rejects.toMatchObject({
    code: 'not_found',
  });
  for (const importId of ids.toReversed()) {
    const { confirmToken } = await admin.call(staffImportApi.importUndo, { importId });
    await admin.call(staffImportApi.importUndo, { importId, confirmToken: confirmToken ?? '' });
    await expect(admin.call(staffImportApi.importUndo, { importId })).rejects.toMatchObject({ code: 'conflict' });
  }
  expect(await contents()).toEqual(before);
  const mayDelete = await one(`select has_table_privilege('shala_app', 'staff', 'delete') as staff,
    has_table_privilege('shala_app', 'admission_inquiry', 'delete') as inquiries`);
  expect(mayDelete).toEqual({ staff: false, inquiries: false });
  expect(await one(`select count(*)::integer as n from academic_designation where name = 'Peon'`)).toEqual({ n: 0 });
});

test('rows with a word are left out, a value is the same for all rows, and dates are read in the chosen order', async () => {
  const file = [
    'Emp Code,Name,Sex,DOJ,Contact',
    'SM-1,Asha Dave,F,05/06/2020,9825077001',
    'SM-2,Bus Number 4,X,06/07/2020,9825077002',
    'SM-3,Chirag Rao,M,07/08/2020,9825077003',
  ].join('\n');
  const columns = columnsOf(await admin.call(staffImportApi.importOpen, { file }));
  const stage = await admin.call(staffImportApi.importOpen, { file, plan: { columns } });
  expect(stage.dates).toEqual([{ field: 'joinedOn', example: '05/06/2020', proposal: null, isMixed: false }]);
  expect(stage.words.map(({ field, words }) => [field, words.map(({ word }) => word)])).toEqual([
    ['gender', ['F', 'X', 'M']],
  ]);
  const values = { gender: { f: 'Female', m: 'Male', x: null } };
  const plan = {
    fileName: 'left-out.csv',
    columns,
    values,
    same: { designationId: 'Clerk', departmentId: 'Office work' },
  };
  const read = async (order: 'DMY' | 'MDY') => {
    const asked = { file, plan: { ...plan, dates: { joinedOn: order } } };
    const { counts, rows, confirmToken } = await admin.call(staffImportApi.import, asked);
    const cells = rows.map(({ cellsAsStored: { name, joinedOn, designationId } = {} }) => [
      name,
      joinedOn,
      designationId,
    ]);
    return { asked: { ...asked, confirmToken: confirmToken ?? '' }, counts, cells };
  };
  const counts = { added: 2, changed: 0, same: 0, wrong: 0 };
  expect(await read('MDY')).toMatchObject({
    counts,
    cells: [
      ['Asha Dave', '2020-05-06', 'Clerk'],
      ['Chirag Rao', '2020-07-08', 'Clerk'],
    ],
  });
  const { asked, cells } = await read('DMY');
  expect(cells.map(([, day]) => day)).toEqual(['2020-06-05', '2020-08-07']);
  expect((await admin.call(staffImportApi.import, asked)).isApplied).toBe(true);
  const found = await school.sql(`select employee_number as number, staff.gender, joined_on::text as joined,
      designation.name as designation, department.name as department
    from staff join staff_employment on staff_employment.staff_id = staff.id join staff_post post on post.staff_id = staff.id
    join academic_designation designation on designation.id = designation_id
    join academic_department department on department.id = department_id
    where employee_number like 'SM-%' order by 1`);
  const post = { designation: 'Clerk', department: 'Office work' };
  expect(found).toEqual([
    { ...post, number: 'SM-1', gender: 'Female', joined: '2020-06-05' },
    { ...post, number: 'SM-3', gender: 'Male', joined: '2020-08-07' },
  ]);
  // A word that was left out is asked about again.
  const next = await admin.call(staffImportApi.importOpen, { file, plan: { columns } });
  expect(next.words.map(({ words }) => words.map(({ word, proposal }) => [word, proposal]))).toEqual([
    [
      ['F', 'Female'],
      ['X', null],
      ['M', 'Male'],
    ],
  ]);
});
