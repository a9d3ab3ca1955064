import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { ImportAnswer } from '#kit/contract/import.ts';
import { english, type Text } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { dayOfJuly, giveHomework, openStage, type TaughtSection, teachSubject } from '#testing/homework.ts';
import { openSchool, type School } from '#testing/school.ts';
import { saveSetting } from '#testing/settings.ts';
import { homeworkApi } from '../contract/homework.ts';
import { diaryImportApi } from '../contract/import.ts';
import { sendDigests } from './digest.ts';
import { middleLimit } from './settings.ts';

let school: School;
let teacher: Person;
let first: TaughtSection;
let second: TaughtSection;
let maths: number;
/** A Wednesday at ten. */
const wednesday = new Date(`${dayOfJuly(8)}T10:00:00+05:30`);

beforeAll(async () => {
  school = await openSchool();
  school.clock.now = wednesday;
  [first, second] = [
    await openStage(school, { names: ['Aarav', 'Bina'] }),
    await openStage(school, { names: ['Dev'] }),
  ];
  await school.sql(`update academic_grade set name = 'Grade 17' where name = 'Grade 7';
    update academic_grade set name = 'Grade 7' where id = ${first.gradeId};
    update academic_section set name = 'B' where id = ${first.id}; update academic_section set name = 'C' where id = ${second.id}`);
  teacher = await school.person({ name: 'Bhavna Joshi' });
  maths = await teachSubject(school, teacher, [first]);
  const other = await school.person({ name: 'Vijay Vaghela' });
  const science = await teachSubject(school, other, [first, second]);
  await school.sql(`update configuration_subject set name = 'Maths' where id = ${maths};
    update configuration_subject set name = 'Science' where id = ${science}`);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt; delete from homework'));

const head = 'Section,Subject,Title,Minutes,Given on,Due on,Text,Kind,Becomes';
const sheet = (...rows: string[]) => [head, ...rows].join('\n');
const plain = {
  columns: Object.fromEntries(head.split(',').map((name, place) => [String(place), { to: toOf(name) }])),
};
function toOf(name: string) {
  const to: Record<string, string> = {
    Subject: 'subjectId',
    'Given on': 'givenOn',
    'Due on': 'dueOn',
    Text: 'instructions',
  };
  return to[name] ?? name.toLowerCase();
}
type Given = Parameters<typeof teacher.call<typeof diaryImportApi.import>>[1];
const preview = (by: Person, file: string, plan: object = {}) =>
  by.call(diaryImportApi.import, { file, plan: { ...plain, ...plan } } as Given);
async function apply(by: Person, file: string, plan: object = {}) {
  const { confirmToken } = await preview(by, file, plan);
  return by.call(diaryImportApi.import, {
    file,
    plan: { ...plain, ...plan },
    confirmToken: confirmToken ?? '',
  } as Given);
}
const shown = ({ rows }: Pick<ImportAnswer, 'rows'>) =>
  rows
    .toSorted((one, other) => one.line - other.line)
    .map(({ line, status, messages }) => [
      line,
      status,
      ...Object.entries(messages).map(([field, message]) => `${field}: ${english(message as Text)}`),
    ]);
const stored = () =>
  school.sql(`select academic_section_name(grade.name, section.name) as section, subject.name as subject, content.title, content.minutes,
      content.kind, own.state, own.assigned_on::text as given, own.due_on::text as due,
      to_char(own.publish_at at time zone 'Asia/Kolkata', 'DD HH24:MI') as publish, owner.name as teacher
    from homework_section own join homework content on content.id = own.homework_id
    join academic_section section on section.id = own.section_id join academic_grade grade on grade.id = own.grade_id
    join configuration_subject subject on subject.id = own.subject_id join staff owner on owner.id = content.owner_id order by own.id`);

test('I1.41 a sheet of elsewhere has other headings, order and columns, dates of India, and sections as people write them', async () => {
  const file = [
    'Diary of class 7,,,,,,,',
    'Sr,Date,Class,Subject Name,Homework,Submission date,Time,Remarks',
    '1,08/07/2026,VII B,Maths,Sums of page 4,10/07/2026,20,x',
    '2,8-7-2026,7b,MATHS,Read page 5,13 Jul 2026,15,',
  ].join('\n');
  const stage = await teacher.call(diaryImportApi.importOpen, { file });
  expect(stage.same).toEqual({ kind: 'Written', becomes: 'Draft' });
  const columns = Object.fromEntries(stage.columns.flatMap(({ plan }, place) => (plan ? [[String(place), plan]] : [])));
  const done = await apply(teacher, file, { columns, same: stage.same });
  expect([done.counts, done.kept?.map(({ field, count }) => [field, count])]).toEqual([
    { added: 2, changed: 0, same: 0, wrong: 0 },
    [['givenOn', 2]],
  ]);
  const row = {
    section: 'Grade 7, B',
    subject: 'Maths',
    kind: 'Written',
    state: 'Draft',
    publish: null,
    teacher: 'Bhavna Joshi',
  };
  expect(await stored()).toEqual([
    { ...row, title: 'Sums of page 4', minutes: 20, given: dayOfJuly(8), due: dayOfJuly(10) },
    { ...row, title: 'Read page 5', minutes: 15, given: dayOfJuly(8), due: dayOfJuly(13) },
  ]);
  expect(await preview(teacher, file, { columns, same: stage.same })).toMatchObject({ counts: { added: 0, same: 2 } });
});

test('I1.41 rows that can’t be given are refused with the reason, by row, and nothing is given', async () => {
  const file = sheet(
    'Grade 7 B,Maths,Good,20,,10/07/2026,,Written,Draft',
    'Grade 7 B,Science,Of a colleague,20,,10/07/2026,,Written,Draft',
    'Grade 7 C,Maths,Of another section,20,,10/07/2026,,Written,Draft',
    'Grade 9 Z,Maths,Nowhere,20,,10/07/2026,,Written,Draft',
    'Grade 7 B,Maths,On a Sunday,20,,12/07/2026,,Written,Draft',
    'Grade 7 B,Maths,Before it is given,20,09/07/2026,08/07/2026,,Written,Published on its day',
    'Grade 7 B,Maths,Of last week,20,03/07/2026,10/07/2026,,Written,Published on its day',
    'Grade 7 B,Maths,,500,,10/07/2026,,Song,Draft',
    'Grade 7 B,Maths,good,20,,10/07/2026,,Written,Draft',
  );
  const answer = await preview(teacher, file);
  expect(shown(answer)).toEqual([
    [2, 'added'],
    [3, 'wrong', 'subjectId: You are not mapped to this subject in the section on that day.'],
    [4, 'wrong', 'subjectId: You are not mapped to this subject in the section on that day.'],
    [5, 'wrong', 'section: “Grade 9 Z” does not exist.'],
    [6, 'wrong', 'dueOn: There is no school on this day.'],
    [7, 'wrong', 'dueOn: Enter a day on or after the day it is given.'],
    [8, 'wrong', 'givenOn: Enter a day of this week, or a later one.'],
    [9, 'wrong', expect.stringMatching(/^kind:/), expect.stringMatching(/^title:/), expect.stringMatching(/^minutes:/)],
    [10, 'wrong', 'title: Line 2 of the file has the same entry.'],
  ]);
  expect(await stored()).toEqual([]);
});

test('I1.42 a principal gives for every section of the branches, in the name of its teacher', async () => {
  const principal = await school.person({ sets: ['principal'] });
  const away = await school.person({ sets: ['office'] });
  const file = sheet(
    'Grade 7 C,Science,Leaves,20,,10/07/2026,,Activity,Draft',
    'Grade 7 B,Maths,Sums,20,,10/07/2026,,Written,Published on its day',
  );
  expect((await apply(principal, file)).counts).toMatchObject({ added: 2 });
  expect((await stored()).map(({ teacher, state, publish }) => [teacher, state, publish])).toEqual([
    ['Vijay Vaghela', 'Draft', null],
    ['Bhavna Joshi', 'Published', '08 16:00'],
  ]);
  await expect(preview(away, file)).rejects.toThrow();
  const [act] = await school.sql(`select count(*)::integer as acts from audit where action = 'homework.imported'
    and details->>'given' = '8 Jul 2026' and account_id = ${principal.id}`);
  expect(act?.acts).toBe(2);
});

test('I1.43 a row over the limit of its section is marked, and published only with an answer', async () => {
  await saveSetting(school, middleLimit, 60);
  await giveHomework(teacher, [first], { subjectId: maths, minutes: 30, dueOn: dayOfJuly(10) });
  const says = 'Grade 7, B would have 70 minutes on 10 Jul 2026; the limit is 60.';
  const row = (becomes: string) => sheet(`7b,Maths,Sums,40,,10/07/2026,,Written,${becomes}`);
  const draft = await preview(teacher, row('Draft'));
  expect([shown(draft), draft.kept]).toEqual([
    [[2, 'added', `minutes: ${says}`]],
    [expect.objectContaining({ field: 'minutes', count: 1 })],
  ]);
  const asked = await preview(teacher, row('Published on its day'));
  expect([shown(asked), asked.questions]).toEqual([
    [[2, 'wrong', `minutes: ${says}`]],
    [expect.objectContaining({ kind: 'over', count: 1, open: 1 })],
  ]);
  const left = await preview(teacher, row('Published on its day'), { answers: { 2: 'leave' } });
  expect(left.counts).toMatchObject({ added: 0, same: 1, wrong: 0 });
  await apply(teacher, row('Published on its day'), { answers: { 2: 'give' } });
  const [given] = await school.sql(`select over_reason as reason from homework_section order by id desc limit 1`);
  expect(given).toEqual({ reason: 'The other teachers agreed' });
  // Two rows that pass it together are marked both.
  const two = sheet('7b,Maths,One,40,,15/07/2026,,Written,Draft', '7b,Maths,Two,40,,15/07/2026,,Written,Draft');
  expect(shown(await preview(teacher, two)).map(([line, status, message]) => [line, status, typeof message])).toEqual([
    [2, 'added', 'string'],
    [3, 'added', 'string'],
  ]);
  await saveSetting(school, middleLimit, 120);
});

test('I1.44 an import is undone until one of its homework is published, or changed', async () => {
  const file = sheet(
    '7b,Maths,Sums,20,,10/07/2026,,Written,Draft',
    '7b,Maths,Table of 7,20,09/07/2026,10/07/2026,,Practice,Published on its day',
  );
  const undo = async (importId = 0) => {
    const { confirmToken } = await teacher.call(diaryImportApi.importUndo, { importId });
    return teacher.call(diaryImportApi.importUndo, { importId, confirmToken: confirmToken ?? '' });
  };
  const done = await apply(teacher, file);
  expect(await undo(done.importId)).toMatchObject({ added: 2 });
  expect(await stored()).toEqual([]);
  const again = await apply(teacher, file);
  school.clock.now = new Date(`${dayOfJuly(9)}T16:01:00+05:30`);
  await expect(undo(again.importId)).rejects.toThrow('Table of 7');
  school.clock.now = wednesday;
  await school.sql(`update homework_section set version = 2 where state = 'Draft'`);
  await expect(undo(again.importId)).rejects.toThrow('Sums');
  const other = await school.person({ sets: ['principal'] });
  await expect(other.call(diaryImportApi.importUndo, { importId: again.importId ?? 0 })).rejects.toThrow();
});

test('I1.45 a day of this week that has passed is given late: it is published at once, and no message tells of it', async () => {
  const file = sheet(
    '7b,Maths,Of Monday,20,06/07/2026,10/07/2026,,Written,Published on its day',
    '7b,Maths,Of today,20,,10/07/2026,,Written,Published on its day',
  );
  await apply(teacher, file);
  expect((await stored()).map(({ title, given, publish }) => [title, given, publish])).toEqual([
    ['Of Monday', dayOfJuly(6), '08 10:00'],
    ['Of today', dayOfJuly(8), '08 16:00'],
  ]);
  school.clock.now = new Date(`${dayOfJuly(8)}T17:00:00+05:30`);
  await sendDigests(school.context(), dayOfJuly(8), school.clock.now);
  const told = await school.sql(`select content.title, own.digest_on::text as day from homework_section own
    join homework content on content.id = own.homework_id order by own.id`);
  expect(told).toEqual([
    { title: 'Of Monday', day: dayOfJuly(6) },
    { title: 'Of today', day: dayOfJuly(8) },
  ]);
  const [late] = await school.sql(`select own.id from homework_section own where assigned_on = '${dayOfJuly(6)}'`);
  const { assignedOn, state, publishAt } = await teacher.call(homeworkApi.read, { id: Number(late?.id) });
  expect([assignedOn, state, publishAt?.slice(0, 10)]).toEqual([dayOfJuly(6), 'Published', dayOfJuly(8)]);
  school.clock.now = wednesday;
});
