import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { english } from '#kit/contract/text.ts';
import type { HookAnswer } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { answer } from '#kit/server/hook.ts';
import { type RunBatch, readRun } from '#kit/server/job/runs.ts';
import type { Person } from '#testing/browser.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openSection } from '#testing/teachers.ts';
import { type EnrolmentChange, enrolmentHook } from '../../contract/hooks.ts';
import { studentImportApi } from '../../contract/import.ts';
import { studentRecordApi } from '../../contract/record.ts';
import { importRuns } from './import.ts';

let school: School;
let office: Person;
let north: number;
let grade: string;
let section: number;
const one = async (statement: string) => (await school.sql(statement))[0] as Record<string, unknown>;
beforeAll(async () => {
  school = await openSchool();
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('North', 'N') returning id`);
  north = Number(branch?.id);
  section = await openSection(school, { branchId: north });
  await school.sql(`update academic_section set name = 'A' where id = ${section}`);
  await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select academic_year_id, branch_id, grade_id, program_id, letter, 80, medium
    from academic_section, unnest('{B,C,D,E}'::text[]) as letter where id = ${section}`);
  ({ grade } = (await one(`select name as grade from academic_grade order by id limit 1`)) as { grade: string });
  office = await school.person({ name: 'Omkar', sets: ['office'], branchIds: [north] });
});
afterAll(() => school.close());
beforeEach(async () => {
  await school.sql(`delete from file_import; delete from run_row; delete from run; delete from student_guardian;
    delete from guardian; delete from student_schooling; delete from student_section; delete from student_enrollment;
    delete from student_gr_spent; delete from student`);
  await school.sql(`update academic_section set capacity = 80 where id = ${section}`);
});

const heads = [
  'GR number',
  'First name',
  'Middle name',
  'Last name',
  'Gender',
  'Date of birth',
  'Admitted on',
  'Grade',
];
const more = [
  'Section',
  'Roll number',
  'Father’s name',
  'Father’s mobile number',
  'Mother’s name',
  'Mother’s mobile number',
];
const allHeads = [
  ...[...heads, ...more, 'PEN', 'Aadhaar number', 'Previous school', 'Category'],
  ...['Whom to call', 'Deceased', 'Barred', 'Restriction'],
];
type Row = Partial<Record<(typeof allHeads)[number], string>>;
const usual = (): Row => ({
  'First name': 'Riya',
  'Middle name': 'Ramesh',
  'Last name': 'Patel',
  Gender: 'F',
  'Date of birth': '04/03/2017',
  'Admitted on': '12/06/2023',
  Grade: grade,
  Section: 'A',
});
const fileOf = (rows: Row[]) =>
  [allHeads, ...rows.map((row) => allHeads.map((head) => ({ ...usual(), ...row })[head] ?? ''))]
    .map((cells) => cells.join(','))
    .join('\r\n');
const preview = (file: string, person = office) => person.call(studentImportApi.import, { file });
const messagesOf = (rows: Awaited<ReturnType<typeof preview>>['rows']) =>
  rows.map(({ line, status, messages }) => [
    line,
    status,
    ...Object.values(messages).map((message) => english(message)),
  ]);

/** Starts the import of a file; returns its run. */
async function start(file: string, person = office): Promise<number> {
  const { confirmToken, rows } = await preview(file, person);
  expect(messagesOf(rows).filter(([, status]) => status === 'wrong')).toEqual([]);
  const { runId } = await person.call(studentImportApi.import, { file, confirmToken: confirmToken ?? '' });
  return Number(runId);
}
const work = (run: number, acts: Record<string, RunBatch> = importRuns) => finishRun(school.services, acts, run);
const resultOf = async (run: number) => {
  const ctx = { ...school.context(), user: { id: office.id } } as never;
  const { done, skipped, failed, isFinished, notDone } = await readRun(ctx, { id: run });
  return { done, skipped, failed, isFinished, reasons: notDone.map(({ reason }) => english(reason)) };
};
async function bring(rows: Row[]) {
  const run = await start(fileOf(rows));
  await work(run);
  return { run, ...(await resultOf(run)) };
}
const children = () =>
  school.sql(`select student.gr_no as gr, student.first_name as name, own.roll_no as roll, enrollment.admission_type as type,
      student.pen, (select count(*)::integer from student_guardian where student_id = student.id) as adults
    from student left join student_enrollment enrollment on enrollment.student_id = student.id
    left join student_section own on own.enrollment_id = enrollment.id order by student.id`);
const adults = () => school.sql(`select first_name as name, mobile from guardian order by id`);

test('L1.29 a row becomes a child with number, section, roll number, adults and earlier school', async () => {
  const result = await bring([
    {
      'GR number': 'N-7',
      'Roll number': '12',
      'Father’s name': 'Ramesh Patel',
      'Father’s mobile number': '+91 55502 00001',
      'Mother’s name': 'Kokila',
      PEN: '99900000001',
      'Previous school': 'Sunrise School',
    },
  ]);
  expect(result).toMatchObject({ done: 1, skipped: 0, failed: 0, isFinished: true });
  expect(await children()).toEqual([
    { gr: 'N-7', name: 'Riya', roll: 12, type: 'Existing', pen: '99900000001', adults: 2 },
  ]);
  expect(await adults()).toEqual([
    { name: 'Ramesh', mobile: '5550200001' },
    { name: 'Kokila', mobile: '' },
  ]);
  expect(await school.sql(`select school from student_schooling`)).toEqual([{ school: 'Sunrise School' }]);
  const [audited] =
    await school.sql(`select actor, action from audit where entity = 'student' and action = 'student.created'
    order by id desc limit 1`);
  expect(audited).toEqual({ actor: 'Omkar', action: 'student.created' });
});

test('a row says whom to call, who is deceased and who is barred, and a barred father is never called by default', async () => {
  const both = {
    'Father’s name': 'Ramesh Patel',
    'Father’s mobile number': '5550200001',
    'Mother’s name': 'Kokila Patel',
  };
  const { rows } = await preview(
    fileOf([
      { ...both, 'First name': 'Asha', 'Whom to call': 'Father', Barred: 'Father' },
      { ...both, 'First name': 'Bina', 'Whom to call': 'Guardian' },
      { ...both, 'First name': 'Chaya', Restriction: 'No contact' },
    ]),
  );
  expect(messagesOf(rows)).toEqual([
    [2, 'wrong', 'This adult can’t be called first. Enter another adult.'],
    [3, 'wrong', 'This field is required.'],
    [4, 'wrong', 'Name the barred person, or leave the restriction empty.'],
  ]);
  const other = { 'Father’s name': 'Dilip Shah', 'Father’s mobile number': '5550200002', 'Mother’s name': 'Usha Shah' };
  const third = {
    'Father’s name': 'Ketan Mehta',
    'Father’s mobile number': '5550200003',
    'Mother’s name': 'Ila Mehta',
  };
  const { done } = await bring([
    { ...both, 'First name': 'Asha', Barred: 'Father', Restriction: 'By order of the court' },
    { ...other, 'First name': 'Bina', 'Whom to call': 'Mother' },
    { ...third, 'First name': 'Chaya', Deceased: 'Father' },
  ]);
  expect(done).toBe(3);
  const links = await school.sql(`select first_name as adult, is_primary as first, is_barred as barred, restriction,
      is_deceased as deceased, may_collect as collects, receives_messages as messages
    from student_guardian link join guardian on guardian.id = guardian_id order by student_id, contact_order`);
  const usual = { first: false, barred: false, restriction: '', deceased: false, collects: true, messages: true };
  const away = { collects: false, messages: false };
  expect(links).toEqual([
    { ...usual, adult: 'Kokila', first: true },
    { ...usual, ...away, adult: 'Ramesh', barred: true, restriction: 'By order of the court' },
    { ...usual, adult: 'Usha', first: true },
    { ...usual, adult: 'Dilip' },
    { ...usual, adult: 'Ila', first: true },
    { ...usual, ...away, adult: 'Ketan', deceased: true },
  ]);
});

test('L1.4 a file of 200 rows with 3 errors imports no row and lists the three', async () => {
  const rows = Array.from(
    { length: 200 },
    (_, index): Row => ({
      'First name': `Child${index}`,
      'GR number': `N-${index}`,
      Section: 'ABC'[Math.floor(index / 70)] ?? '',
    }),
  );
  rows[3] = { ...rows[3], 'Date of birth': '31/02/2017' };
  rows[77] = { ...rows[77], Section: 'Z' };
  rows[150] = { ...rows[150], 'GR number': 'N-1' };
  const answer = await preview(fileOf(rows));
  expect([answer.counts, answer.confirmToken]).toEqual([{ added: 197, changed: 0, same: 0, wrong: 3 }, null]);
  expect(messagesOf(answer.rows).slice(0, 3)).toEqual([
    [5, 'wrong', expect.stringContaining('date')],
    [79, 'wrong', 'This grade has no active section “Z”.'],
    [152, 'wrong', 'Line 3 of the file has the same entry.'],
  ]);
  expect(await children()).toEqual([]);
});

test('L1.13 two children of one father get one guardian, also in one file and with the name spelt differently', async () => {
  await bring([
    { 'First name': 'Riya', 'Father’s name': 'Rameshbhai Patel', 'Father’s mobile number': '5550200001' },
    { 'First name': 'Mihir', 'Father’s name': 'Ramesh K. Patel', 'Father’s mobile number': '5550200001' },
    { 'First name': 'Tara', 'Father’s name': 'Suresh Shah', 'Father’s mobile number': '5550200001' },
  ]);
  expect(await adults()).toEqual([
    { name: 'Rameshbhai', mobile: '5550200001' },
    { name: 'Suresh', mobile: '5550200001' },
  ]);
  await bring([{ 'First name': 'Dev', 'Father’s name': 'Ramesh Patel', 'Father’s mobile number': '5550200001' }]);
  expect(await adults()).toHaveLength(2);
  expect(await school.sql(`select count(distinct family_id)::integer as families from student`)).toEqual([
    { families: 2 },
  ]);
});

test('L1.13 fathers without a number are one adult where the mother is the same, and two where she differs', async () => {
  await bring([
    {
      'First name': 'A',
      'Father’s name': 'Mahesh Joshi',
      'Mother’s name': 'Hina Joshi',
      'Mother’s mobile number': '5550200002',
    },
    {
      'First name': 'B',
      'Father’s name': 'Mahesh Joshi',
      'Mother’s name': 'Hina Joshi',
      'Mother’s mobile number': '5550200002',
    },
    {
      'First name': 'C',
      'Father’s name': 'Mahesh Joshi',
      'Mother’s name': 'Nita Joshi',
      'Mother’s mobile number': '5550200003',
    },
  ]);
  expect((await adults()).map(({ name }) => name).sort()).toEqual(['Hina', 'Mahesh', 'Mahesh', 'Nita']);
});

test('L1.29 the same file again changes nothing; a row with a known GR number changes what its cells say', async () => {
  const row: Row = { 'GR number': 'N-7', 'Father’s name': 'Ramesh Patel', 'Father’s mobile number': '5550200001' };
  await bring([row]);
  const again = await preview(fileOf([row]));
  expect([again.counts, again.confirmToken]).toEqual([{ added: 0, changed: 0, same: 1, wrong: 0 }, null]);
  const result = await bring([{ ...row, 'Last name': 'Shah', PEN: '99900000002', 'Mother’s name': 'Kokila Shah' }]);
  expect(result).toMatchObject({ done: 1, failed: 0 });
  expect(await school.sql(`select last_name, pen from student`)).toEqual([{ last_name: 'Shah', pen: '99900000002' }]);
  expect(await children()).toMatchObject([{ gr: 'N-7', adults: 2 }]);
  await bring([{ ...row, 'Last name': 'Shah', Gender: '', 'Date of birth': '', PEN: '', 'Middle name': 'Suresh' }]);
  expect(await school.sql(`select middle_name, pen from student`)).toEqual([
    { middle_name: 'Suresh', pen: '99900000002' },
  ]);
});

test('a category that a file changes asks the other features from today', async () => {
  await bring([{ 'GR number': 'N-7', Category: 'General' }]);
  const asked: EnrolmentChange[] = [];
  const fees = answer(enrolmentHook, { by: 'fee', step: 12 }, async (_, changes) => {
    asked.push(...changes);
    return { texts: [], blocks: [], basis: null };
  });
  const answers = school.services.answers as HookAnswer[];
  answers.push(fees);
  await bring([{ 'GR number': 'N-7', Category: 'RTE', PEN: '99900000002' }]);
  await bring([{ 'GR number': 'N-7', Category: 'RTE', PEN: '99900000003' }]);
  answers.splice(answers.indexOf(fees), 1);
  expect(asked).toEqual([expect.objectContaining({ kind: 'category', day: toLocalDate(new Date()) })]);
});

test('L1.29 rows that need a decision are refused: same name and birth date, PEN of another child, a full section, a taken roll number', async () => {
  await bring([{ 'GR number': 'N-7', 'Roll number': '1', PEN: '99900000001' }]);
  await school.sql(`update academic_section set capacity = 2 where id = ${section}`);
  const { rows } = await preview(
    fileOf([
      {},
      { 'First name': 'B', PEN: '99900000001', Section: '' },
      { 'First name': 'C', 'GR number': 'N-8', 'Roll number': '1' },
      { 'First name': 'D', 'GR number': 'N-9' },
      { 'First name': 'E', 'Father’s mobile number': '5550200001' },
      { 'First name': 'F', 'Admitted on': '' },
    ]),
  );
  expect(messagesOf(rows)).toEqual([
    [2, 'wrong', 'This may be Riya Ramesh Patel, GR N-7. Is it the same child?'],
    [3, 'wrong', expect.stringContaining('required'), 'Another student has this number.'],
    [4, 'wrong', 'The section has 2 seats, and no free one for this row.', 'Another student has this roll number.'],
    [5, 'wrong', 'The section has 2 seats, and no free one for this row.'],
    [6, 'wrong', 'This field is required.', 'The section has 2 seats, and no free one for this row.'],
    [7, 'wrong', 'This field is required.', 'The section has 2 seats, and no free one for this row.'],
  ]);
  const moved = await preview(fileOf([{ 'GR number': 'N-7', Section: 'B' }]));
  expect(messagesOf(moved.rows)).toEqual([[2, 'wrong', 'Move students in Section Student Mapping.']]);
});

test('L1.1 L1.29 an Aadhaar number of a file is sealed, compared in every script, and refused for a second child', async () => {
  const row: Row = { 'GR number': 'N-7', 'Aadhaar number': '૨૩૪૧ ૨૩૪૧ ૨૩૪૬' };
  await bring([row]);
  const [stored] = await school.sql(
    `select encode(aadhaar, 'escape') as sealed, aadhaar_hash is not null as marked from student`,
  );
  expect(stored?.marked).toBe(true);
  expect(String(stored?.sealed)).not.toContain('2341');
  expect((await preview(fileOf([row]))).counts).toMatchObject({ same: 1 });
  expect((await preview(fileOf([{ ...row, 'Aadhaar number': 'XXXX XXXX 2346' }]))).counts).toMatchObject({ same: 1 });
  const second = await preview(fileOf([{ 'First name': 'B', 'Aadhaar number': '2341-2341-2346' }]));
  expect(messagesOf(second.rows)).toEqual([[2, 'wrong', 'Another student has this Aadhaar number.']]);
  expect(JSON.stringify(await school.sql('select details from audit'))).not.toContain('2341');
});

const asPlan = (over: object) => ({
  columns: Object.fromEntries(
    [
      ...['grNo', 'firstName', 'middleName', 'lastName', 'gender', 'birthDate', 'admittedOn', 'gradeId', 'section'],
      'rollNo',
    ].map((to, index) => [String(index), { to }]),
  ),
  mode: 'good' as const,
  ...over,
});
const ask = (file: string, over: object = {}) => office.call(studentImportApi.import, { file, plan: asPlan(over) });
async function bringAnswered(file: string, over: object, before: () => Promise<unknown> = async () => undefined) {
  const { confirmToken } = await ask(file, over);
  const plan = asPlan(over);
  const { runId } = await office.call(studentImportApi.import, { file, plan, confirmToken: confirmToken ?? '' });
  await before();
  await work(Number(runId));
  return { run: Number(runId), ...(await resultOf(Number(runId))) };
}

test('a row without a number that has the name and birth date of a child asks, and is refused without an answer', async () => {
  await bring([{ 'GR number': 'N-7' }, { 'GR number': 'N-8', 'First name': 'Tara' }]);
  const file = fileOf([
    { Gender: 'M' },
    { 'First name': 'Tara', 'Last name': 'Patel', 'Roll number': '4' },
    { 'First name': 'Nila' },
  ]);
  const asked = await ask(file);
  expect([asked.counts, asked.questions]).toMatchObject([
    { added: 1, wrong: 2 },
    [{ kind: 'child', count: 2, open: 2, choices: [{ key: 'same' }, { key: 'other' }] }],
  ]);
  expect(asked.rows[0]?.question).toMatchObject({ field: 'grNo', kind: 'child' });
  // Unknown choices, and answers to rows without a question, change nothing.
  expect((await ask(file, { answers: { 2: 'rejoin', 4: 'same', 99: 'same' } })).counts).toEqual(asked.counts);
  expect((await ask(file, { answers: { 2: 'same' } })).counts).toEqual({ added: 1, changed: 1, same: 0, wrong: 1 });
  expect((await ask(file, { answers: { 2: 'other' } })).counts).toEqual({ added: 2, changed: 0, same: 0, wrong: 1 });
  expect((await ask(file, { alike: { child: 'other' } })).counts).toEqual({ added: 3, changed: 0, same: 0, wrong: 0 });
  const mixed = { alike: { child: 'same' }, answers: { 3: 'other' } };
  expect((await ask(file, mixed)).counts).toEqual({ added: 2, changed: 1, same: 0, wrong: 0 });
  // The answer stays when another cell is corrected.
  const edited = await ask(file, { ...mixed, edits: { '4 lastName': 'Rao' } });
  expect(edited.counts).toEqual({ added: 2, changed: 1, same: 0, wrong: 0 });
  const before = await counted();
  const { run, ...result } = await bringAnswered(file, mixed);
  expect(result).toMatchObject({ done: 3, failed: 0 });
  expect((await children()).map(({ gr, name }) => [gr, name])).toEqual([
    ['N-7', 'Riya'],
    ['N-8', 'Tara'],
    [expect.any(String), 'Tara'],
    [expect.any(String), 'Nila'],
  ]);
  expect(await school.sql(`select gender from student where gr_no = 'N-7'`)).toEqual([{ gender: 'M' }]);
  await undoImport(run);
  expect(await counted()).toEqual(before);
  expect(await school.sql(`select gender from student where gr_no = 'N-7'`)).toEqual([{ gender: 'F' }]);
});

test('Q1.1 “another child” in an import is kept: nobody is asked about these two again', async () => {
  await bring([{ 'GR number': 'N-7' }]);
  const { run, ...result } = await bringAnswered(fileOf([{}]), { alike: { child: 'other' } });
  expect(result).toMatchObject({ done: 1, failed: 0 });
  const ids = (await school.sql('select id from student order by id')).map(({ id }) => id);
  expect(await school.sql('select one_id, other_id from student_not_same')).toEqual([
    { one_id: ids[0], other_id: ids[1] },
  ]);
  expect(await school.sql('select * from student_doubts()')).toEqual([]);
  await undoImport(run);
  expect(await school.sql('select from student_not_same')).toEqual([]);
});

test('Q1.1 a row with the number of a record that was merged or removed is about the record that is kept, and says so', async () => {
  await bring([{ 'GR number': 'N-7' }, { 'GR number': 'N-8', 'First name': 'Tara', 'Date of birth': '05/05/2016' }]);
  await school.sql(`with kept as (select id from student where gr_no = 'N-7'), other as (select id from student where gr_no = 'N-8')
    insert into student_merge (kept_id, retired_id, status, choices, reason, asked_by, asked_at, done_by, done_at)
    select kept.id, other.id, 'Done', '{}', 'Entered twice', (select min(id) from staff), now(), 'Kokila', now() from kept, other`);
  await school.sql(`insert into student_gr_spent (branch_id, gr_no, reason, spent_by, student_id)
    select branch_id, 'N-9', 'Entered twice', 'Meena', id from student where gr_no = 'N-7'`);
  for (const number of ['N-8', 'N-9']) {
    const { counts, rows } = await preview(fileOf([{ 'GR number': number, PEN: '12345678901' }]));
    expect([number, counts]).toEqual([number, { added: 0, changed: 1, same: 0, wrong: 0 }]);
    expect(messagesOf(rows)).toEqual([[2, 'changed', `GR ${number} was entered twice. The row is about GR N-7.`]]);
  }
  await bring([{ 'GR number': 'N-8', PEN: '12345678901' }]);
  expect(await school.sql(`select pen from student where gr_no = 'N-7'`)).toEqual([{ pen: '12345678901' }]);
  // Both numbers in one file are one child.
  const both = await preview(fileOf([{ 'GR number': 'N-7' }, { 'GR number': 'N-8' }]));
  expect(both.rows.map(({ status }) => status)).toEqual(['wrong', 'same']);
  await school.sql('delete from student_merge');
});

test('Q1.4 a mobile number that is known under another name alone is shown in the preview, and makes another adult', async () => {
  await bring([{ 'Mother’s name': 'Priya Patel', 'Mother’s mobile number': '5550200009' }]);
  const row = {
    ...{ 'First name': 'Zara', 'Date of birth': '09/09/2017' },
    ...{ 'Father’s name': 'Ketan Rao', 'Father’s mobile number': '5550200009' },
  };
  expect(messagesOf((await preview(fileOf([row]))).rows)).toEqual([
    [2, 'added', 'A known adult of another name has this number. The adult of the row is added as another one.'],
  ]);
  await bring([row]);
  expect(await adults()).toEqual([
    { name: 'Priya', mobile: '5550200009' },
    { name: 'Ketan', mobile: '5550200009' },
  ]);
});

test('at its turn in the run a row that was answered “the same child” is refused when that child is gone or renamed', async () => {
  await bring([{ 'GR number': 'N-7' }]);
  const file = fileOf([{ Gender: 'M' }]);
  const rename = () => school.sql(`update student set first_name = 'Ria' where gr_no = 'N-7'`);
  const result = await bringAnswered(file, { answers: { 2: 'same' } }, rename);
  expect(result).toMatchObject({ done: 0, failed: 1, reasons: [expect.stringContaining('has changed')] });
  expect(await children()).toHaveLength(1);
});

test('a child who left is not changed by name: the row may only be another child', async () => {
  await bring([{ 'GR number': 'N-7' }]);
  await school.sql(`insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
    select student_id, id, joined_on + 10, (select min(id) from academic_lookup where kind = 'Leaving reason'), 'Asha'
    from student_enrollment`);
  const { rows } = await ask(fileOf([{}]), { alike: { child: 'same' } });
  expect(rows[0]).toMatchObject({ status: 'wrong', question: { choices: [{ key: 'other' }] } });
  expect((await ask(fileOf([{}]), { alike: { child: 'other' } })).counts.added).toBe(1);
  const numbered = await ask(fileOf([{ 'GR number': 'N-7' }]));
  expect(messagesOf(numbered.rows)).toEqual([
    [2, 'wrong', expect.stringMatching(/^Left on .*Re-admit the student first/)],
  ]);
  await school.sql('delete from student_leaving');
});

const many = (count: number, from = 0) =>
  Array.from(
    { length: count },
    (_, index): Row => ({
      'First name': `Child${from + index}`,
      'GR number': `N-${from + index}`,
      Section: 'ABCDE'[Math.floor(index / 70)] ?? '',
      'Father’s name': 'Ramesh Patel',
      'Father’s mobile number': `555030${String(Math.floor((from + index) / 2)).padStart(4, '0')}`,
    }),
  );
const whole = async () => {
  const [row] = await school.sql(`select count(*)::integer as children,
      count(*) filter (where exists (select from student_guardian where student_id = student.id and is_primary)
        and exists (select from student_section where student_id = student.id))::integer as whole,
      (select count(*)::integer from guardian) as adults
    from student`);
  return row;
};

test('L1.30 rows that can no longer be done fail with their reasons and come back as a file, and the others are imported', async () => {
  const run = await start(fileOf(many(5)));
  await school.sql(`update academic_section set capacity = 3 where id = ${section}`);
  await work(run);
  expect(await resultOf(run)).toMatchObject({ done: 3, failed: 2, isFinished: true });
  const { text: file } = await office.send({ url: `/api/student/import/refused?run=${run}&as=csv` });
  const lines = file.trim().split('\r\n');
  expect(lines[0]).toContain('GR number');
  expect(lines[0]).toMatch(/Errors"$/);
  expect(lines.slice(1)).toEqual([
    expect.stringMatching(/N-3.*The section has 3 seats/),
    expect.stringMatching(/N-4.*The section has 3 seats/),
  ]);
  const stranger = await school.person({ sets: ['office'], branchIds: [north] });
  expect((await stranger.send({ url: `/api/student/import/refused?run=${run}&as=csv` })).status).toBe(404);
});

test('L1.30 two imports of the same children at once add each child once', async () => {
  const runs = [await start(fileOf(many(30))), await start(fileOf(many(30)))];
  await Promise.all(runs.map((run) => work(run)));
  const results = await Promise.all(runs.map(resultOf));
  expect(results.map(({ failed }) => failed)).toEqual([0, 0]);
  expect(results.reduce((sum, { done }) => sum + done, 0)).toBe(30);
  expect(results.reduce((sum, { skipped }) => sum + skipped, 0)).toBe(30);
  expect(await whole()).toEqual({ children: 30, whole: 30, adults: 15 });
});

test('L1.30 an import whose process is killed thrice loses no row, doubles none and leaves none half written', async () => {
  const run = await start(fileOf(many(300)));
  const [[name, own]] = Object.entries(importRuns) as [[string, RunBatch]];
  let begun = 0;
  let killed = 0;
  const dying: RunBatch = {
    most: 50,
    act: async (ctx, ids, input) => {
      const notDone = await own.act(ctx, ids, input);
      if (++begun % 2 === 1) return notDone;
      killed++;
      // Its rows are written, and its connection is lost before it commits.
      await school.sql(`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and usename <> current_user and state = 'idle in transaction'`);
      return notDone;
    },
  };
  for (const done of [50, 100, 150]) {
    await expect(work(run, { [name]: dying })).rejects.toThrow();
    expect(await whole()).toMatchObject({ children: done, whole: done });
  }
  await work(run);
  expect(killed).toBe(3);
  expect(await resultOf(run)).toMatchObject({ done: 300, failed: 0, skipped: 0, isFinished: true });
  expect(await whole()).toEqual({ children: 300, whole: 300, adults: 150 });
});

const importOf = async (run: number) => Number((await one(`select id from file_import where run_id = ${run}`)).id);

/** Undoes the import of a run, and does the work. */
async function undoImport(run: number) {
  const importId = await importOf(run);
  const { confirmToken, ...shown } = await office.call(studentImportApi.importUndo, { importId });
  const confirmed = { importId, confirmToken: confirmToken ?? '' };
  const { undoRun = 0 } = await office.call(studentImportApi.importUndo, confirmed);
  await work(undoRun);
  return { shown, ...(await resultOf(undoRun)) };
}
const counted = async () =>
  one(`select (select count(*)::integer from student) as students, (select count(*)::integer from guardian) as adults,
    (select count(*)::integer from student_guardian) as links, (select count(*)::integer from student_section) as seats`);

test('L1.31 an undone import deletes the children that it added with their adults, and their numbers are not used again', async () => {
  const before = await counted();
  const family = {
    'Father’s name': 'Ramesh Patel',
    'Father’s mobile number': '9825012345',
    'Previous school': 'Bal Mandir',
  };
  const { run } = await bring([
    { ...family, 'GR number': 'N-7' },
    { ...family, 'First name': 'Mihir', 'Date of birth': '05/03/2019' },
  ]);
  const [drawn] = await school.sql(`select gr_no from student where first_name = 'Mihir'`);
  const { shown, done } = await undoImport(run);
  expect(shown).toMatchObject({ added: 2, changed: 0, kept: [], isApplied: false });
  expect([done, await counted()]).toEqual([2, before]);
  expect(await school.sql('select gr_no, reason from student_gr_spent')).toEqual([
    { gr_no: drawn?.gr_no, reason: 'The import was undone' },
  ]);
  const other = await school.person({ sets: ['office'], branchIds: [north] });
  await expect(other.call(studentImportApi.importUndo, { importId: await importOf(run) })).rejects.toMatchObject({
    code: 'not_found',
  });
  // The typed number may come again with the corrected file, and the undone import is not undone twice.
  expect((await bring([{ ...family, 'GR number': 'N-7' }])).done).toBe(1);
  await expect(office.call(studentImportApi.importUndo, { importId: await importOf(run) })).rejects.toMatchObject({
    code: 'conflict',
  });
});

test('L1.31 an undone import gives back to known children what it changed, and its new adults are gone', async () => {
  const father = { 'Father’s name': 'Ramesh Patel', 'Father’s mobile number': '9825012345' };
  await bring([{ ...father, 'GR number': 'N-7', PEN: '99900000001', 'Aadhaar number': '2341 2341 2346' }]);
  const rowOf = () => one(`select last_name, pen, aadhaar_hash, category_id from student where gr_no = 'N-7'`);
  const [before, count] = [await rowOf(), await counted()];
  const { run } = await bring([
    {
      ...{ 'GR number': 'N-7', 'Last name': 'Shah', PEN: '99900000002', Category: 'RTE' },
      ...{ 'Mother’s name': 'Kokila Patel', 'Mother’s mobile number': '9825012346' },
    },
  ]);
  expect(await rowOf()).not.toEqual(before);
  const { shown, done } = await undoImport(run);
  expect([shown.changed, done, await rowOf(), await counted()]).toEqual([1, 1, before, count]);
});

test('L1.31 a child that has changed since the import stays, and so does one that other records refer to', async () => {
  const { run } = await bring([
    { 'GR number': 'N-7' },
    { 'GR number': 'N-8', 'First name': 'Mihir' },
    { 'GR number': 'N-9', 'First name': 'Tara' },
  ]);
  const idOf = async (grNo: string) => Number((await one(`select id from student where gr_no = '${grNo}'`)).id);
  const [riya, mihir] = [await idOf('N-7'), await idOf('N-8')];
  const { version, saved } = await office.call(studentRecordApi.personal, { id: riya });
  await office.call(studentRecordApi.savePersonal, {
    ...{ ...saved, id: riya, version, birthPlace: 'Surat' },
    hasOneName: false,
  });
  await school.sql(`insert into student_health (student_id, answers) values (${mihir}, 'sealed')`);
  const { shown, done, failed, reasons } = await undoImport(run);
  expect(shown).toMatchObject({ added: 2, kept: ['Riya Ramesh Patel'] });
  expect([done, failed, reasons]).toEqual([1, 1, ['Other records refer to this student.']]);
  expect((await children()).map(({ gr }) => gr)).toEqual(['N-7', 'N-8']);
  await school.sql('delete from student_health');
});

test('a category is the caste’s where its words say so, and a cell with an error of the spreadsheet is not asked about', async () => {
  // What the school chose before would go first.
  await school.sql('delete from import_word');
  const open = (...words: string[]) =>
    office.call(studentImportApi.importOpen, {
      file: ['Name,Category', ...words.map((word) => `Riya,${word}`)].join('\n'),
    });
  const caste = await open('GEN', 'OBC', 'SC', 'ST', 'EWS', 'GEN', 'OBC', 'SC', 'ST', '#N/A', 'GEN', 'GEN');
  expect(caste.columns[1]?.plan).toEqual({ to: 'casteCategoryId' });
  const asked = caste.words.flatMap(({ words }) => words.map(({ word }) => word));
  expect(asked).not.toContain('#N/A');
  expect((await open('General', 'RTE', 'Management')).columns[1]?.plan).toEqual({ to: 'categoryId' });
});

test('the kept rows are sealed', async () => {
  await start(fileOf([{ 'First name': 'Sealedname', PEN: '99900000001' }]));
  const rows = await school.sql(`select encode(cells, 'escape') as cells from file_import_line`);
  expect(rows).toHaveLength(1);
  expect(String(rows[0]?.cells)).not.toContain('Sealedname');
});
