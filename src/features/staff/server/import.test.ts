import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Person } from '#testing/browser.ts';
import { inEnglish } from '#testing/messages.ts';
import { openSchool, type School } from '#testing/school.ts';
import { staffImportApi } from '../contract/import.ts';
import { staffRecordApi } from '../contract/record.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
  await school.sql(`insert into academic_designation (name, level) values ('Teacher', 1), ('Clerk', 2)`);
  await school.sql(`insert into academic_department (name) values ('Science'), ('Office')`);
});
afterAll(() => school.close());

const heads = 'Name,Mobile number,Email address,Gender,Birth date,Joining date,Designation,Department,Employee number';
const fileOf = (...rows: string[]) => [heads, ...rows, ''].join('\n');
const preview = (file: string) => admin.call(staffImportApi.import, { file });
async function take(file: string) {
  const { confirmToken } = await preview(file);
  return admin.call(staffImportApi.import, { file, confirmToken: confirmToken ?? '' });
}
const peopleLike = (name: string) =>
  school.sql(`select staff.name, mobile, email, gender, birth_date::text as born, employee_number as number,
      joined_on::text as joined, designation.name as designation, department.name as department, branch.name as branch
    from staff join staff_employment spell on spell.staff_id = staff.id join staff_post post on post.staff_id = staff.id
    join academic_designation designation on designation.id = designation_id
    join academic_department department on department.id = department_id
    join academic_branch branch on branch.id = branch_id
    where staff.name like '${name}%' order by staff.id`);

test('M1 a file adds staff with employment, post and a number from the series, and a second time changes nothing', async () => {
  const file = fileOf(
    'Bela Shah,98250 12345,BELA@school.example,Female,05/03/1988,1 Jun 2020,Teacher,Science,',
    'Bela Desai,,bela.desai@school.example,,,01-06-2021,clerk,Office,T-7',
  );
  expect((await take(file)).counts).toMatchObject({ added: 2, wrong: 0 });
  const [one, two] = await peopleLike('Bela');
  expect(one).toMatchObject({
    name: 'Bela Shah',
    mobile: '9825012345',
    email: 'bela@school.example',
    gender: 'Female',
    born: '1988-03-05',
    joined: '2020-06-01',
    designation: 'Teacher',
    department: 'Science',
    number: expect.stringMatching(/^EMP\d{4}$/),
  });
  expect(two).toMatchObject({ mobile: null, designation: 'Clerk', number: 'T-7', joined: '2021-06-01' });
  expect((await preview(file)).counts).toMatchObject({ same: 2 });
  const acts = await school.sql(`select action from audit where action like 'staff.%' order by id`);
  expect(acts.map(({ action }) => action)).toEqual(['staff.created', 'staff.created', 'staff.imported']);
});

test('M1 the usual headings of a staff list are matched at once, and of two for one column the second is asked about', async () => {
  const usual = 'Full Name,Mobile No.,E-mail ID,SEX,D.O.B.,Date of Joining,Job Title,Dept,Campus,Emp. No';
  const row = 'Usual Shah,98250 12399,usual@school.example,Female,05/03/1988,01-06-2020,Teacher,Science,,U-1';
  const { rows, counts } = await preview(`${usual}\n${row}\n`);
  expect([counts.added, rows[0]?.messages]).toEqual([1, {}]);
  for (const heads of ['Name,Mobile,DOJ', 'Name,Phone,Date of joining'])
    expect((await preview(`${heads}\nA,9825012398,01-06-2020\n`)).rows[0]?.messages).toEqual({
      designationId: expect.anything(),
      departmentId: expect.anything(),
    });
  const file = 'Name,Phone,Mobile number,Salary\nA,1,2,3\n';
  const { columns } = await admin.call(staffImportApi.importOpen, { file });
  expect(columns.map(({ plan }) => plan?.to)).toEqual(['name', undefined, 'mobile', undefined]);
});

test('M1 every row that cannot be taken says why, and none of the file is taken', async () => {
  const file = fileOf(
    'Chirag One,9825000001,,,,01-06-2020,Teacher,Science,',
    ',9825000002,,,,01-06-2020,Teacher,Science,',
    'Chirag Three,123,,,,01-06-2020,Teacher,Science,',
    'Chirag Four,,,,,01-06-2020,Teacher,Science,',
    'Chirag Five,9825000005,,Boy,,01-06-2020,Teacher,Science,',
    'Chirag Six,9825000006,,,,31-02-2020,Teacher,Science,',
    'Chirag Seven,9825000007,,,,01-06-2020,Pilot,Science,',
    'Chirag Eight,9825000008,,,,01-06-2020,,Science,',
    'Chirag Nine,9825000001,,,,01-06-2020,Teacher,Science,',
    'Chirag Ten,9825000010,x,,,01-06-2020,Teacher,Science,',
  );
  const { rows, counts, confirmToken } = await preview(file);
  expect([counts.wrong, confirmToken]).toEqual([9, null]);
  expect(rows.map(({ line, messages }) => [line, inEnglish(messages)])).toMatchObject([
    [3, { name: 'Name is required.' }],
    [4, { mobile: expect.any(String) }],
    [5, { mobile: 'Enter a mobile number or an email address.' }],
    [6, { gender: expect.stringMatching(/^Use one of these/) }],
    [7, { joinedOn: expect.any(String) }],
    [8, { designationId: '“Pilot” does not exist.' }],
    [9, { designationId: 'Designation is required.' }],
    [10, { mobile: 'Line 2 of the file has the same entry.' }],
    [11, { email: expect.any(String) }],
    [2, {}],
  ]);
  expect(await peopleLike('Chirag')).toEqual([]);
});

test('M1 a file finds people by number, mobile or email, changes what it fills in, and leaves posts and sign-in contacts', async () => {
  await take(fileOf('Dev Rana,9825000021,,,,01-06-2020,Teacher,Science,D-1'));
  const changed = fileOf('Dev R. Rana,9825000022,,Male,,,,,d-1');
  expect((await take(changed)).counts).toMatchObject({ changed: 1, wrong: 0 });
  expect(await peopleLike('Dev')).toMatchObject([
    { name: 'Dev R. Rana', mobile: '9825000022', gender: 'Male', designation: 'Teacher', joined: '2020-06-01' },
  ]);
  const moved = await preview(fileOf('Dev R. Rana,9825000022,,,,01-07-2020,Clerk,,'));
  expect(inEnglish(moved.rows[0]?.messages ?? {})).toEqual({
    joinedOn: 'An import can’t change this. Leave it empty.',
    designationId: 'An import can’t change this. Leave it empty.',
  });
  const person = await school.person({ name: 'Esha' });
  const [{ number } = {}] = await school.sql(
    `select employee_number as number from staff where id = ${person.staffId}`,
  );
  const taken = await preview(fileOf(`Esha,9825000099,,,,,Teacher,Science,${number}`));
  expect(inEnglish(taken.rows[0]?.messages ?? {})).toMatchObject({
    mobile: 'An import can’t change this. Leave it empty.',
  });
});

test('M1 a branch, a designation, a number and a mobile number are found however they are typed', async () => {
  const heads = 'Name,Mobile number,Joining date,Designation,Department,Branch,Employee number';
  const row = (over: string) => preview(`${heads}\n${over}\n`);
  const file = `${heads}\nGopi Rao,\u202a+91 98251 77701\u202c,૦૧-૦૬-૨૦૨૦,TEACHER\u00a0,Science\u200b,Main\u00a0campus,G-૧\nGopi Sen,0091 98251 77702,01-06-2020,Teacher,Science,Main  campus,\n`;
  expect((await take(file)).counts).toMatchObject({ added: 2, wrong: 0 });
  expect(await peopleLike('Gopi')).toMatchObject([
    { mobile: '9825177701', branch: 'Main campus', number: 'G-1', joined: '2020-06-01' },
    { mobile: '9825177702', branch: 'Main campus' },
  ]);
  for (const typed of ['g‑1', 'G-૧', 'G-1\u200b'])
    expect((await row(`Gopi  Rao,9825177701,,,,,${typed}`)).counts).toMatchObject({ same: 1, wrong: 0 });
});

test('M1 numbers that are taken, also by another row of the file, are passed over', async () => {
  await take(fileOf('Hema One,,hema@school.example,,,01-06-2020,Teacher,Science,'));
  const [first] = await peopleLike('Hema One');
  const after = (count: number) => `EMP${String(Number(String(first?.number).slice(3)) + count).padStart(4, '0')}`;
  const rows = ['Two', 'Three'].map(
    (name) => `Hema ${name},,hema.${name}@school.example,,,01-06-2020,Teacher,Science,`,
  );
  const file = fileOf(
    `Hema Ahead,,hema.ahead@school.example,,,01-06-2020,Teacher,Science,${after(2).toLowerCase()}`,
    ...rows,
  );
  expect((await take(file)).counts).toMatchObject({ added: 3, wrong: 0 });
  const numbers = (await peopleLike('Hema')).map(({ name, number }) => [name, number]);
  expect(Object.fromEntries(numbers)).toMatchObject({ 'Hema Two': after(1), 'Hema Three': after(3) });
});

test('M1 two imports of the same file at once add each person once, and one is told', async () => {
  const file = fileOf(
    ...Array.from({ length: 20 }, (_, n) => `Farid ${n},98251000${10 + n},,,,01-06-2020,Teacher,Science,`),
  );
  const { confirmToken } = await preview(file);
  const body = { file, confirmToken };
  const answers = await Promise.all([1, 2].map(() => admin.send({ method: 'POST', url: '/api/staff/import', body })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const people = await peopleLike('Farid');
  expect([people.length, new Set(people.map(({ number }) => number)).size]).toEqual([20, 20]);
});

test('M1 what somebody edited after the preview is not overwritten unseen', async () => {
  await take(fileOf('Gita Rao,9825000031,,,,01-06-2020,Teacher,Science,G-1'));
  const file = fileOf('Gita R. Rao,,,,,,,,G-1');
  const { confirmToken } = await preview(file);
  await school.sql(`update staff set name = 'Gita Edited', version = version + 1 where employee_number = 'G-1'`);
  const { status, json } = await admin.send({ method: 'POST', url: '/api/staff/import', body: { file, confirmToken } });
  expect([status, json.error.code, (await peopleLike('Gita'))[0]?.name]).toEqual([409, 'stale', 'Gita Edited']);
});

test('K2 a form that was open while an import changed the person is refused with what is stored now', async () => {
  await take(fileOf('Hema Rao,9825000041,,,,01-06-2020,Teacher,Science,H-1'));
  const [row] = await school.sql(`select id from staff where employee_number = 'H-1'`);
  const { id, version, person } = await admin.call(staffRecordApi.read, { id: Number(row?.id) });
  await take(fileOf('Hema R. Rao,,,,,,,,H-1'));
  const body = { ...person, version, address: '12 Ring Road' };
  const { status, json } = await admin.send({ method: 'PUT', url: `/api/staff/${id}`, body });
  expect([status, json.error.code]).toEqual([409, 'stale']);
  expect(json.error.data).toMatchObject({ version: version + 1, saved: { name: 'Hema R. Rao', address: '' } });
});

test('a file with the mobile number or email address of a colleague who has left names them and asks to re-join them', async () => {
  await take(fileOf('Indu Left,9825000051,indu@school.example,,,01-06-2015,Teacher,Science,I-1'));
  await school.sql(`update staff_employment set last_day = '2020-03-31'
    where staff_id = (select id from staff where employee_number = 'I-1')`);
  const refusal = 'Indu Left (I-1) left on 31 Mar 2020 and has this. Re-join them instead.';
  const messagesOf = async (row: string) => inEnglish((await preview(fileOf(row))).rows[0]?.messages ?? {});
  expect(await messagesOf('Indu Left,9825000051,,,,01-06-2015,Teacher,Science,')).toEqual({ mobile: refusal });
  expect(await messagesOf('Indu Again,,INDU@school.example,,,01-06-2026,Clerk,Office,')).toEqual({ email: refusal });
  expect(await messagesOf('Indu Left,,,,,01-06-2026,,,I-1')).toEqual({ joinedOn: refusal });
  // By employee number the file corrects the record of the person who left.
  expect((await take(fileOf('Indu L. Left,,,,,,,,I-1'))).counts).toMatchObject({ changed: 1, wrong: 0 });
});

test('a row with the contact of somebody who was added with an account asks, and gives them number, day and post', async () => {
  const office = await school.person({ name: 'Ketaki Office', sets: ['office'] });
  await school.sql(`update staff set email = 'ketaki@school.example', mobile = '9825000071'
    where id = (select staff_id from sign_in_account where id = ${office.id})`);
  const file = fileOf('Ketaki R. Office,9825000071,ketaki@school.example,Female,,01-06-2019,Clerk,Office,K-9');
  const columns = Object.fromEntries(
    [
      'name',
      'mobile',
      'email',
      'gender',
      'birthDate',
      'joinedOn',
      'designationId',
      'departmentId',
      'employeeNumber',
    ].map((to, place) => [place, { to }]),
  );
  const send = (over: object, confirmed: object = {}) =>
    admin.call(staffImportApi.import, { file, plan: { columns, mode: 'good', ...over }, ...confirmed } as never);
  const unanswered = await send({});
  expect(unanswered.counts).toMatchObject({ added: 0, wrong: 1 });
  expect(unanswered.rows[0]?.question).toMatchObject({ kind: 'number', field: 'mobile', choices: [{ key: 'same' }] });
  // Rows of several people have one reason.
  expect(unanswered.causes?.map(({ message }) => inEnglish({ message }).message)).toEqual([
    'Someone with an account has this. Answer the question of the row.',
  ]);
  const { confirmToken } = await send({ alike: { number: 'same' } });
  expect((await send({ alike: { number: 'same' } }, { confirmToken })).counts).toMatchObject({ added: 0, changed: 1 });
  expect(await peopleLike('Ketaki')).toMatchObject([
    {
      ...{ name: 'Ketaki R. Office', number: 'K-9', joined: '2019-06-01', gender: 'Female' },
      ...{ designation: 'Clerk', department: 'Office' },
    },
  ]);
  // The row is about the number now, and a second time changes nothing.
  expect((await send({})).counts).toMatchObject({ same: 1, wrong: 0 });
});

const withPlan = (file: string, over: object = {}) => ({
  file,
  plan: {
    columns: {
      0: { to: 'name' },
      1: { to: 'mobile' },
      5: { to: 'joinedOn' },
      6: { to: 'designationId' },
      7: { to: 'departmentId' },
    },
    mode: 'good' as const,
    ...over,
  },
});
const ask = (file: string, over: object = {}) => admin.call(staffImportApi.import, withPlan(file, over));

test('a row of a colleague who has left asks, and with “They come back” adds a spell and a post to the same person', async () => {
  await take(fileOf('Jaya Left,9825000061,,,,01-06-2015,Teacher,Science,J-1'));
  const end = `update staff_employment set last_day = '2020-03-31'
    where staff_id = (select id from staff where employee_number = 'J-1')`;
  await school.sql(end);
  await school.sql(`update staff_post set effective_to = '2020-03-31'
    where staff_id = (select id from staff where employee_number = 'J-1')`);
  const file = fileOf('Jaya Left,9825000061,,,,01-06-2026,Clerk,Office,');
  const unanswered = await ask(file);
  expect([unanswered.counts.wrong, unanswered.confirmToken]).toEqual([1, null]);
  expect(unanswered.rows[0]?.question).toMatchObject({
    kind: 'colleague',
    field: 'mobile',
    choices: [{ key: 'rejoin' }],
  });
  expect(unanswered.questions).toMatchObject([{ kind: 'colleague', count: 1, open: 1 }]);
  // A wrong key, and an answer for a line without a question, are no answers.
  expect((await ask(file, { answers: { 2: 'stay', 9: 'rejoin' }, alike: { child: 'same' } })).counts.wrong).toBe(1);
  const answers = { answers: { 2: 'rejoin' } };
  const early = await ask(fileOf('Jaya Left,9825000061,,,,01-06-2019,Clerk,Office,'), answers);
  expect(inEnglish(early.rows[0]?.messages ?? {})).toEqual({
    joinedOn: 'Enter a day after 31 Mar 2020, the last day.',
  });
  for (const given of [answers, { alike: { colleague: 'rejoin' } }])
    expect((await ask(file, given)).counts).toMatchObject({ changed: 1, wrong: 0 });
  // Another answer needs another confirmation.
  const { confirmToken } = await ask(file, answers);
  const stale = { ...withPlan(file, { alike: { colleague: 'rejoin' } }), confirmToken };
  expect((await admin.send({ method: 'POST', url: '/api/staff/import', body: stale })).json.error.code).toBe('stale');
  const done = await admin.call(staffImportApi.import, {
    ...withPlan(file, answers),
    confirmToken: confirmToken ?? '',
  });
  expect(done.counts).toMatchObject({ added: 0, changed: 1 });
  expect(
    await school.sql(`select joined_on::text as joined, last_day::text as last from staff_employment spell
      join staff on staff.id = spell.staff_id where mobile = '9825000061' order by joined_on`),
  ).toEqual([
    { joined: '2015-06-01', last: '2020-03-31' },
    { joined: '2026-06-01', last: null },
  ]);
  expect(
    await school.sql(`select designation.name as name from staff_post post join staff on staff.id = post.staff_id
      join academic_designation designation on designation.id = designation_id
      where mobile = '9825000061' order by effective_from`),
  ).toEqual([{ name: 'Teacher' }, { name: 'Clerk' }]);
  expect(await school.sql(`select count(*)::integer as acts from audit where action = 'staff.rejoined'`)).toEqual([
    { acts: 1 },
  ]);
  // What came back stays: the undo names them, and gives nothing back.
  const undo = await admin.call(staffImportApi.importUndo, { importId: done.importId ?? 0 });
  expect([undo.confirmToken, undo.kept, undo.beyond]).toEqual([null, [], ['Jaya Left']]);
});

test('Q1.1 a row with the name and birth date of a colleague and another number asks: the same person is changed, another one is added', async () => {
  const columns = { ...withPlan('').plan.columns, 4: { to: 'birthDate' }, 8: { to: 'employeeNumber' } };
  const first = fileOf('Kiran Twice,9825000871,,,25-08-1985,01-06-2015,Teacher,Science,TW-1');
  const { confirmToken } = await ask(first, { columns });
  await admin.call(staffImportApi.import, { ...withPlan(first, { columns }), confirmToken: confirmToken ?? '' });
  const again = fileOf('Twice Kiranbhai,9825000872,,,25-08-1985,01-06-2015,Teacher,Science,');
  const asked = await ask(again, { columns });
  expect([asked.counts, inEnglish(asked.rows[0]?.messages ?? {})]).toMatchObject([
    { added: 0, wrong: 1 },
    { name: 'Kiran Twice (TW-1) has this name and birth date.' },
  ]);
  expect((await ask(again, { columns, alike: { name: 'other' } })).counts).toMatchObject({ added: 1, wrong: 0 });
  expect((await ask(again, { columns, alike: { name: 'same' } })).counts).toMatchObject({
    added: 0,
    changed: 1,
    wrong: 0,
  });
  // Another birth date, or none, is no question.
  const others = fileOf(
    'Kiran Twice,9825000873,,,26-08-1985,01-06-2015,Teacher,Science,',
    'Kiran Twice,9825000874,,,,01-06-2015,Teacher,Science,',
  );
  expect((await ask(others, { columns })).counts).toMatchObject({ added: 2, wrong: 0 });
});
