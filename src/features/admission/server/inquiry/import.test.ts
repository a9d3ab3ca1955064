import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { inEnglish } from '#testing/messages.ts';
import { openAdmission } from '#testing/open-admission.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { isSoak } from '#testing/soak.ts';
import { recordStatements } from '#testing/statements.ts';
import { openSection } from '#testing/teachers.ts';
import { inquiryImportApi } from '../../contract/import.ts';
import { inquiryApi } from '../../contract/inquiry.ts';

let school: School;
let office: Person;
let head: Person;
let year = '';
/** A child of six years and a half on the cut-off date. */
let born = '';
let number = '';

beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena Dave', role: 'Staff', sets: ['office'] });
  head = await school.person({ name: 'Hasmukh', role: 'Staff', sets: ['office', 'admissionHead'] });
  await school.sql(`update academic_grade set min_age_months = 72, max_age_months = 96 where name = 'Grade 1'`);
  await openAdmission(school, 'academic_year.id = academic_year_on()');
  const [row] = await school.sql(`select name, to_char(age_cutoff_on - 2372, 'DD-MM-YYYY') as born
    from academic_year where id = academic_year_on()`);
  [year, born] = [String(row?.name), String(row?.born)];
  const [staff] = await school.sql(`select employee_number as number from staff where name = 'Meena Dave'`);
  number = String(staff?.number);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const heads = [
  'Child’s first name',
  'Child’s last name',
  'Gender',
  'Birth date',
  'Academic year',
  'Program',
  'Grade',
  'Father’s first name',
  'Father’s mobile number',
  'Lead source',
  'Quota',
  'Assigned to',
  'Next follow-up',
  'Remark',
  'Reason for this age',
];
type Cells = Partial<Record<(typeof heads)[number], string>>;
const rowOf = (first: string, over: Cells = {}) => {
  const cells: Cells = {
    'Child’s first name': first,
    'Child’s last name': 'Vyas',
    Gender: 'Female',
    'Birth date': born,
    'Academic year': year,
    Program: 'Regular',
    Grade: 'Grade 1',
    'Father’s first name': 'Kiran',
    'Father’s mobile number': '98250 70001',
    'Lead source': 'Walk-in',
    ...over,
  };
  return heads.map((name) => `"${cells[name] ?? ''}"`).join(',');
};
const fileOf = (...rows: string[]) => [heads.join(','), ...rows, ''].join('\n');
const preview = (file: string, who = office) => who.call(inquiryImportApi.import, { file });
async function take(file: string, who = office) {
  const { confirmToken } = await preview(file, who);
  return who.call(inquiryImportApi.import, { file, confirmToken: confirmToken ?? '' });
}
const stored = (like: string) =>
  school.sql(`select id, inquiry_no, first_name, last_name, gender, birth_date::text as born, state, quota,
      father_first_name, father_mobile, next_follow_up_on::text as next, remark, age_reason, assigned_to_id as assigned
    from admission_inquiry where first_name like '${like}%' order by id`);
const counter = async () => {
  const [row] = await school.sql(`select coalesce(max(next_value), 1) as next from number_series_value
    join number_series series on series.id = series_id and code = 'inquiry'`);
  return Number(row?.next);
};

test('a file adds inquiries with numbers in the order of its rows, and a second time nothing', async () => {
  const file = fileOf(
    rowOf('Ira', { 'Assigned to': number, 'Next follow-up': '01-12-2027', Remark: 'Wants a bus', Quota: 'Staff' }),
    rowOf('Ira Two', { Gender: 'male', 'Assigned to': 'meena dave' }),
    rowOf('Ira Three', { Program: '' }),
  );
  const first = await counter();
  await school.sql(`update academic_program set is_active = name = 'Regular'`);
  expect((await preview(file)).counts).toMatchObject({ added: 3, wrong: 0 });
  expect(await counter()).toBe(first);
  expect((await take(file)).counts).toMatchObject({ added: 3, wrong: 0 });
  const rows = await stored('Ira');
  expect(rows[0]).toMatchObject({
    first_name: 'Ira',
    last_name: 'Vyas',
    gender: 'F',
    state: 'New',
    quota: 'Staff',
    father_mobile: '9825070001',
    next: '2027-12-01',
    remark: 'Wants a bus',
    assigned: office.staffId,
  });
  expect(rows[1]).toMatchObject({ gender: 'M', quota: 'General', assigned: office.staffId });
  const numbers = rows.map(({ inquiry_no: no }) => Number(String(no).slice(-5)));
  expect(numbers).toEqual([first, first + 1, first + 2]);
  const again = await take(file);
  expect(again.counts).toMatchObject({ added: 0, same: 3 });
  expect(inEnglish(again.rows[0]?.messages ?? {})['']).toContain(`${rows[0]?.inquiry_no} has this name`);
  expect([await counter(), (await stored('Ira')).length]).toEqual([first + 3, 3]);
  const acts = await school.sql(`select details from audit where action = 'inquiry.imported' order by id`);
  expect(acts).toMatchObject([{ details: { added: 3, same: 0 } }, { details: { added: 0, same: 3 } }]);
});

test('a file names a child and the entries of lists however they are typed', async () => {
  await take(fileOf(rowOf('José', { 'Child’s last name': 'D’Souza' })));
  const again = await preview(
    fileOf(
      rowOf('Jose\u0301', { 'Child’s last name': "D'Souza" }),
      rowOf('Bina\u00a0 Ben', {
        Grade: 'Grade\u00a01',
        'Lead source': 'Walk‑in',
        Program: ' regular\u200b',
        Gender: 'FEMALE ',
      }),
      rowOf('bina ben'),
    ),
  );
  expect(again.rows.map(({ status, messages }) => [status, Object.values(messages).map(english)])).toEqual([
    ['wrong', ['Line 3 of the file has the same entry.']],
    ['added', []],
    ['same', [expect.stringMatching(/has this name and birth date/)]],
  ]);
});

test('each person to whom a file gives inquiries is told once how many, and who imports it is not', async () => {
  const [own] = await school.sql(`select employee_number as number from staff where name = 'Hasmukh'`);
  const toMeena = { 'Assigned to': number };
  const file = fileOf(
    rowOf('Veda', toMeena),
    rowOf('Veda Two', toMeena),
    rowOf('Veda Three'),
    rowOf('Veda Four', { 'Assigned to': String(own?.number) }),
  );
  await school.sql('delete from notice');
  await preview(file, head);
  expect(await school.sql('select id from notice')).toEqual([]);
  await take(file, head);
  await take(file, head);
  const notices = await school.sql('select account_id, text, path from notice');
  expect(notices).toMatchObject([
    { account_id: office.id, path: `/school-erp/admission/inquiry?assignedToId=${office.staffId}&academicYearId=0` },
  ]);
  expect(english(notices[0]?.text as never)).toBe('Hasmukh assigned 2 inquiries to you.');
});

test('an imported inquiry is like a typed one: its form can be sent and its link opens', async () => {
  await take(fileOf(rowOf('Jaya')));
  const [row] = await stored('Jaya');
  const { link } = await office.call(inquiryApi.copyLink, { id: Number(row?.id) });
  const value = new URL(link).searchParams.get('inquiryNo');
  const answer = await school.send({ url: `/api/admission/inquiry?inquiryNo=${value}` });
  expect(answer.json).toMatchObject([{ firstName: 'Jaya', grade: 'Grade 1' }]);
});

test('what the family has changed since is not overwritten by the file', async () => {
  const file = fileOf(rowOf('Kala'));
  await take(file);
  await school.sql(`update admission_inquiry set father_mobile = '9825099999', version = version + 1
    where first_name = 'Kala'`);
  const { confirmToken } = await preview(file);
  await school.sql(`update admission_inquiry set remark = 'x', version = version + 1 where first_name = 'Kala'`);
  const { counts } = await office.call(inquiryImportApi.import, { file, confirmToken: confirmToken ?? '' });
  expect(counts).toMatchObject({ same: 1, added: 0 });
  expect(await stored('Kala')).toMatchObject([{ father_mobile: '9825099999', remark: 'x' }]);
});

test('every row that can’t be taken says why, and none of the file is taken', async () => {
  await school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on, status)
    select '2031-32', '2031-06-01', '2032-05-31', '2031-06-01', 'Open'`);
  const young = born.replace(/\d{4}$/, (y) => String(Number(y) + 3));
  const file = fileOf(
    rowOf('Lata One'),
    rowOf('', {}),
    rowOf('Lata Two', { 'Father’s mobile number': '' }),
    rowOf('Lata Three', { 'Father’s mobile number': '12' }),
    rowOf('Lata Four', { 'Birth date': young }),
    rowOf('Lata Five', { 'Birth date': young, 'Reason for this age': 'Reads already' }),
    rowOf('Lata Six', { 'Academic year': '2031-32' }),
    rowOf('Lata Seven', { Grade: 'Grade 99' }),
    rowOf('Lata Eight', { 'Lead source': '' }),
    rowOf('lata one', { 'Child’s last name': 'VYAS' }),
    rowOf('Lata Nine', { 'Assigned to': 'Nobody' }),
    rowOf('Lata Ten', { Gender: '' }),
  );
  const { rows, counts, confirmToken } = await preview(file);
  expect([counts.wrong, confirmToken]).toEqual([11, null]);
  expect(rows.map(({ line, messages }) => [line, inEnglish(messages)])).toMatchObject([
    [3, { firstName: 'Child’s first name is required.' }],
    [4, { fatherMobile: 'Enter the mobile number of one parent.' }],
    [5, { fatherMobile: expect.any(String) }],
    [6, { ageReason: expect.stringContaining('Grade 1 takes children from 6 years') }],
    [7, { ageReason: 'Only the admission head can accept this age.' }],
    [8, { academicYearId: 'This year is not open for admission.' }],
    [9, { gradeId: '“Grade 99” does not exist.' }],
    [10, { leadSourceId: 'Lead source is required.' }],
    [11, { firstName: 'Line 2 of the file has the same entry.' }],
    [12, { assignedToId: '“Nobody” does not exist.' }],
    [13, { gender: expect.any(String) }],
    [2, {}],
  ]);
  expect(await stored('Lata')).toEqual([]);
  const body = { file, as: 'csv' };
  const { text } = await office.send({ method: 'POST', url: '/api/inquiry/import/errors', body });
  expect(text).toContain('Only the admission head can accept this age.');
  expect(text).not.toContain('Lata One"');
  const [accepted] = (
    await preview(fileOf(rowOf('Lata Five', { 'Birth date': young, 'Reason for this age': 'Reads' })), head)
  ).rows;
  expect(accepted).toMatchObject({ status: 'added', messages: {} });
});

test('the usual headings of an inquiry register are matched at once, and whole names are split', async () => {
  const usual = 'Student Name,Sex,D.O.B.,Session,Class,Father Name,Mobile No.,E-mail ID,Source,Counsellor,Remarks';
  const row = `Mira Ben Trivedi,Female,${born},${year},Grade 1,Kiran Trivedi,9825070009,k@family.example,Walk-in,,-`;
  const { rows, counts } = await preview(`${usual}\n${row}\n`);
  expect([counts.added, rows[0]?.messages, rows[0]?.displayName]).toEqual([1, {}, 'Mira Ben Trivedi']);
  await take(`${usual.replace('Class', 'Std')}\n${row}\n`);
  expect(await stored('Mira Ben')).toMatchObject([{ last_name: 'Trivedi', father_first_name: 'Kiran' }]);
});

/** Holds the number series until two requests wait, for it or for each other. */
const holdNumbers = () =>
  school.sql(`do $$ begin
      perform from number_series where code = 'inquiry' for update;
      for turn in 1..3000 loop
        perform pg_stat_clear_snapshot();
        exit when (select count(*) from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock') = 2;
        perform pg_sleep(0.02);
      end loop;
    end $$`);

test('two imports of one file at once add each child once, and one is told', async () => {
  const file = fileOf(...Array.from({ length: 20 }, (_, n) => rowOf(`Nila ${n}`)));
  const { confirmToken } = await preview(file);
  const body = { file, confirmToken };
  const held = holdNumbers();
  const answers = await Promise.all(
    [office, head].map((who) => who.send({ method: 'POST', url: '/api/inquiry/import', body })),
  );
  await held;
  // The other is refused, because the data has changed.
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const rows = await stored('Nila');
  expect([rows.length, new Set(rows.map(({ inquiry_no: no }) => no)).size]).toEqual([20, 20]);
});

test('an import and a clerk who types the same child add it once', async () => {
  const file = fileOf(rowOf('Omi'));
  const { confirmToken } = await preview(file);
  const [one] = await stored('Jaya');
  const { values } = await office.call(inquiryApi.read, { id: Number(one?.id) });
  const typed = { ...values, firstName: 'Omi', isAnotherChild: false, sendsForm: false };
  const held = holdNumbers();
  const answers = await Promise.all([
    head.send({ method: 'POST', url: '/api/inquiry/import', body: { file, confirmToken } }),
    office.send({ method: 'POST', url: '/api/inquiry', body: typed }),
  ]);
  await held;
  // The import sees the clerk's inquiry, or the clerk that of the import.
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(await stored('Omi')).toHaveLength(1);
});

test('a file of ten times the rows takes as few statements, and a refused file uses no number', async () => {
  const rows = isSoak ? 2000 : 200;
  const many = (count: number, name: string) =>
    fileOf(...Array.from({ length: count }, (_, n) => rowOf(`${name} ${n}`)));
  const small = await recordStatements(school, () => take(many(rows / 10, 'Puja')));
  const file = many(rows, 'Rina');
  const started = Date.now();
  const large = await recordStatements(school, () => take(file));
  if (isSoak) expect(Date.now() - started).toBeLessThan(30_000);
  expect(large.texts.length).toBeLessThanOrEqual(small.texts.length + 30);
  expect(await stored('Rina')).toHaveLength(rows);
  const before = await counter();
  await preview(file.replace(`Rina ${rows - 1}`, `Rina ${rows - 2}`));
  expect(await counter()).toBe(before);
});

test('Q1.1 a file asks about a child who is a student or has an inquiry under another spelling, and adds nobody twice', async () => {
  const [place] = await school.sql(`select id from academic_branch order by id`);
  const section = await openSection(school, { branchId: Number(place?.id) });
  const day = born.split('-').reverse().join('-');
  const student = await seat(school, section, 'Yamini');
  await school.sql(`update student set last_name = 'Vyas', birth_date = '${day}' where id = ${student}`);
  await take(fileOf(rowOf('Zarna')));
  const file = fileOf(
    rowOf('Yamini'),
    rowOf('Vyas', { 'Child’s last name': 'Zarnaben' }),
    rowOf('Yash'),
    rowOf('Vyas', { 'Child’s last name': 'Yash' }),
  );
  const { rows, questions } = await preview(file);
  expect(rows.map(({ line, messages }) => [line, inEnglish(messages).firstName])).toEqual([
    [2, expect.stringMatching(/^This may be Yamini Vyas, GR .*: already a student\.$/)],
    [3, expect.stringMatching(/^INQ.* has nearly this name and birth date\.$/)],
    [5, 'Line 4 of the file has the same entry.'],
    [4, undefined],
  ]);
  expect(questions?.map(({ kind, open }) => [kind, open])).toEqual([
    ['student', 1],
    ['inquiry', 1],
  ]);
  const fields = [
    ...['firstName', 'lastName', 'gender', 'birthDate', 'academicYearId', 'programId', 'gradeId', 'fatherFirstName'],
    ...['fatherMobile', 'leadSourceId'],
  ];
  const answer = (answers: Record<string, string>) => ({
    file: fileOf(rowOf('Yamini'), rowOf('Vyas', { 'Child’s last name': 'Zarnaben' })),
    plan: { columns: Object.fromEntries(fields.map((to, index) => [index, { to }])), answers, mode: 'all' },
  });
  const same = await office.call(inquiryImportApi.import, answer({ 2: 'same', 3: 'same' }) as never);
  expect(same.counts).toMatchObject({ added: 0, same: 2, wrong: 0 });
  const other = answer({ 2: 'other', 3: 'same' });
  const { confirmToken, counts } = await office.call(inquiryImportApi.import, other as never);
  expect(counts).toMatchObject({ added: 1, same: 1 });
  await office.call(inquiryImportApi.import, { ...other, confirmToken } as never);
  expect(await stored('Yamini')).toHaveLength(1);
  expect(await stored('Vyas')).toEqual([]);
});

test('Q1.22 a row without a last name is asked about, and the inquiry has one name once it is answered', async () => {
  const fields = [
    ...['firstName', 'lastName', 'gender', 'birthDate', 'academicYearId', 'programId', 'gradeId', 'fatherFirstName'],
    ...['fatherMobile', 'leadSourceId'],
  ];
  const input = (alike: Record<string, string>) => ({
    file: fileOf(rowOf('Kaveri', { 'Child’s last name': '' }), rowOf('Yamuna', { 'Child’s last name': '.' })),
    plan: { columns: Object.fromEntries(fields.map((to, index) => [index, { to }])), alike, mode: 'all' },
  });
  const asked = await office.call(inquiryImportApi.import, input({}) as never);
  expect(asked.rows.map(({ messages }) => inEnglish(messages).lastName)).toEqual([
    'The last name is empty. Does Kaveri have one name only?',
    'The last name is empty. Does Yamuna have one name only?',
  ]);
  const answered = input({ oneName: 'one' });
  const { confirmToken, counts } = await office.call(inquiryImportApi.import, answered as never);
  expect(counts).toMatchObject({ added: 2, wrong: 0 });
  await office.call(inquiryImportApi.import, { ...answered, confirmToken } as never);
  expect([...(await stored('Kaveri')), ...(await stored('Yamuna'))]).toMatchObject([
    { last_name: null },
    { last_name: null },
  ]);
});
