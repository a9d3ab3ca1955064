import { afterAll, beforeAll, expect, test } from 'vitest';
import { gradeMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { resultList } from '#features/student/contract/result.ts';
import type { AppError } from '#kit/contract/errors.ts';
import { english, type Text } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { linkValueOf } from '#testing/family.ts';
import { plant } from '#testing/masters.ts';
import { finishRun } from '#testing/runs.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { answerList, questionApi } from '../contract/question.ts';
import { dailyReminder, questionMessages, questionRuns } from './ask.ts';
import { differTodo } from './differ-todo.ts';

let school: School;
let office: Person;
let admin: Person;
let [yearId, nextId, gradeId, sectionId] = [0, 0, 0, 0];

const at = (moment: string) => {
  school.clock.now = new Date(`${moment}+05:30`);
};

beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Asha', role: 'Admin' });
  office = await school.person({ name: 'Meena', sets: ['office'] });
  const addYear = async (name: string, startsOn: string, endsOn: string) =>
    (
      await admin.call(yearMaster.api.create, {
        name,
        startsOn,
        endsOn,
        ageCutoffOn: startsOn,
        isActive: true,
      } as never)
    ).id;
  yearId = await addYear('1991-92', '1991-06-01', '1992-05-31');
  nextId = await addYear('1992-93', '1992-06-01', '1993-05-31');
  const above = await plant(school, gradeMaster);
  const grade = await plant(school, gradeMaster, { nextGradeId: above.id });
  gradeId = grade.id;
  sectionId = (await plant(school, sectionMaster, { academicYearId: yearId, gradeId })).id;
  at('1992-03-20T11:00:00');
});
afterAll(() => school.close());

/** The children for whom the proposal differs from the answer that counts, joined as groups. */
const otherProposals = () =>
  school.sql(`select student_id from year_question question
    cross join lateral year_asked(question.to_year_id) asked
    left join year_valid_answer valid using (to_year_id, student_id)
    full join year_proposal own using (to_year_id, student_id)
    where (own.enrollment_id, own.answer, own.is_of_office, own.answer_id) is distinct from
      (asked.enrollment_id, coalesce(valid.answer, ''), coalesce(valid.is_of_office, false), valid.answer_id)`);

const days = { words: 'Will your child be with us?', opensOn: '1992-03-01', closesOn: '1992-04-10', remindDays: 3 };
const save = (over: object = {}, by = office) =>
  by.call(questionApi.save, { yearId, ...days, gradeIds: [gradeId], version: null, ...over } as never);
const read = (by = office) => by.call(questionApi.read, { yearId });
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => 'taken',
    ({ code, text, fields }: AppError & { text: Text }) =>
      `${code}: ${
        Object.entries(fields ?? {})
          .map(([field, why]) => `${field}: ${english(why)}`)
          .join() || english(text)
      }`,
  );
/** A child of the section with guardians who may answer. */
let told = 0;
const child = (name: string) => seat(school, sectionId, name, { joinedOn: '1991-06-01' });
const adult = async (children: readonly number[], firstName: string, relation = 'Father') => {
  const [other] = await school.sql(`select from student_guardian where student_id = ${children[0]} and is_primary`);
  const mobile = `98250${String(++told).padStart(5, '0')}`;
  const id = await raise(school, children, { firstName, mobile }, { relation, isPrimary: other === undefined });
  await school.sql(`update student_guardian set receives_messages = true where guardian_id = ${id}`);
  return id;
};
const linkOf = (guardianId: number) => linkValueOf(school, guardianId);
const part = async (link: string) =>
  (await school.send({ url: `/api/family?family=${link}` })).json.parts['year-end'] as {
    studentId: number;
    answer: string;
    state: string;
  }[];
const say = async (link: string, studentId: number, answer: string, more: object = {}) => {
  const { status, json } = await school.send({
    method: 'POST',
    url: `/api/family/staying?family=${link}`,
    body: { studentId, answer, nextSchool: '', ...more },
  });
  return status === 200 ? 'taken' : `${json.error.code}: ${english(json.error.text ?? json.error.message)}`;
};
const listed = async (studentId: number) => {
  const { rows } = await office.call(answerList.api.list, { toYearId: String(nextId) } as never);
  return rows.find((row) => row.studentId === studentId);
};
const messages = async () =>
  (
    await school.sql(`select subject_id as id from outbox where template = 'year-end.question' order by subject_id`)
  ).map(({ id }) => Number(id));

test('the question of a year has its days within that year, grades with a next one, and a year after it', async () => {
  expect((await read()).question).toBeNull();
  expect(await refusal(save({ closesOn: '1992-03-19' }))).toMatch(
    /^invalid: closesOn: This day has passed\. Choose 20 Mar 1992/,
  );
  expect(await refusal(save({ closesOn: '1992-06-01' }))).toMatch(
    /^invalid: closesOn: 1991-92 is from 1 Jun 1991 to 31 May 1992/,
  );
  expect(await refusal(save({ opensOn: '1992-04-10' }))).toMatch(/^invalid: closesOn: Choose a day after 10 Apr 1992/);
  const last = await plant(school, gradeMaster);
  expect(await refusal(save({ gradeIds: [gradeId, last.id] }))).toMatch(/^invalid: gradeIds: .+ is the last grade/);
  const [latest] = await school.sql('select id, name from academic_year order by starts_on desc limit 1');
  expect(await refusal(save({ yearId: Number(latest?.id) }))).toBe(
    `conflict: Add the academic year after ${latest?.name} first.`,
  );
  expect(await refusal(save())).toBe('taken');
  expect(await refusal(save())).toMatch(/^stale/);
  expect(await read()).toMatchObject({
    next: { id: nextId },
    state: 'Open',
    question: { version: 1, gradeIds: [gradeId] },
  });
});

test('U1.14 of two guardians who differ neither sees the other’s answer; the office decides, and its word stands', async () => {
  const mira = await child('Mira');
  const mother = await linkOf(await adult([mira], 'Meera', 'Mother'));
  const father = await linkOf(await adult([mira], 'Nikhil'));
  expect(await part(mother)).toMatchObject([{ studentId: mira, answer: '', state: 'Open' }]);
  expect(await say(mother, mira, 'Leaving')).toBe('taken');
  expect((await listed(mira))?.answer).toBe('Leaving');
  expect(await say(mother, mira, 'Staying')).toBe('taken');
  expect(await listed(mira)).toMatchObject({ answer: 'Staying', by: 'Meera Shah' });
  expect(await say(father, mira, 'Leaving')).toBe('taken');
  expect((await part(mother))[0]?.answer).toBe('Staying');
  expect((await part(father))[0]?.answer).toBe('Leaving');
  expect(await listed(mira)).toMatchObject({ answer: 'Differ', by: 'Meera Shah: Staying, Nikhil Shah: Leaving' });
  const todo = await differTodo.find({ ...school.services, user: { role: 'Admin', sets: [], scope: {} } } as never, 9);
  expect(todo.rows.map(({ title, detail }) => [title, detail && english(detail as Text)])).toEqual([
    ['Mira Shah', 'Guardians disagree about returning'],
  ]);
  expect((await read()).figures).toMatchObject({ differ: 1, staying: 0, leaving: 0 });
  const results = await office.call(resultList.api.list, { yearId: String(yearId), family: 'Differ' } as never);
  expect(results.rows.map(({ studentId, family }) => [studentId, family])).toEqual([[mira, 'Differ']]);
  const given = {
    id: mira,
    toYearId: nextId,
    answer: 'Leaving',
    lastDay: '1992-05-29',
    reasonId: null,
    nextSchool: 'Far',
  };
  expect(await refusal(office.call(questionApi.answer, { ...given, lastDay: '1992-06-02' } as never))).toMatch(
    /lastDay/,
  );
  await office.call(questionApi.answer, given as never);
  expect(await listed(mira)).toMatchObject({
    answer: 'Leaving',
    by: 'Meena',
    lastDay: '1992-05-29',
    nextSchool: 'Far',
  });
  expect(await say(mother, mira, 'Staying')).toMatch(/^conflict: The school’s office has answered/);
  expect(await part(mother)).toMatchObject([{ answer: 'Staying', state: 'Office' }]);
  expect(await otherProposals()).toEqual([]);
});

test('U1.14 a barred adult, one of school matters alone and another family neither see the question nor answer it', async () => {
  const dev = await child('Dev');
  const mother = await linkOf(await adult([dev], 'Pooja', 'Mother'));
  const father = await adult([dev], 'Ravi');
  const barred = await linkOf(father);
  const other = await linkOf(await adult([await child('Isha')], 'Kiran'));
  expect(await say(barred, dev, 'Leaving')).toBe('taken');
  expect(await say(mother, dev, 'Staying')).toBe('taken');
  expect((await listed(dev))?.answer).toBe('Differ');
  expect(await say(other, dev, 'Leaving')).toMatch(/^not_found/);
  await school.sql(`update student_guardian set family_page = 'School matters' where guardian_id = ${father}`);
  expect(await part(barred)).toEqual([]);
  expect(await say(barred, dev, 'Leaving')).toMatch(/^not_found/);
  // What such an adult said before counts no more.
  expect((await listed(dev))?.answer).toBe('Staying');
  await school.sql(
    `update student_guardian set is_barred = true, receives_messages = false where guardian_id = ${father}`,
  );
  expect(await say(barred, dev, 'Leaving')).toMatch(/^not_found/);
});

test('a child of the last grade, and one who leaves, is asked nothing', async () => {
  const leaver = await child('Lata');
  const link = await linkOf(await adult([leaver], 'Leela', 'Mother'));
  expect(await part(link)).toHaveLength(1);
  await school.sql(`insert into student_leaving (student_id, enrollment_id, last_day, reason_id, decided_by)
    select ${leaver}, id, '1992-05-20', (select id from academic_lookup where kind = 'Leaving reason' limit 1), 'Meena'
    from student_enrollment where student_id = ${leaver}`);
  expect(await part(link)).toEqual([]);
  expect(await say(link, leaver, 'Staying')).toMatch(/^not_found/);
  const top = await plant(school, gradeMaster);
  const section = await plant(school, sectionMaster, { academicYearId: yearId, gradeId: top.id });
  const oldest = await seat(school, section.id, 'Om', { joinedOn: '1991-06-01' });
  expect(await part(await linkOf(await adult([oldest], 'Omana', 'Mother')))).toEqual([]);
});

test('U1.14 twins are in one message; the reminder goes once to the 3 of 10 guardians who have not answered', async () => {
  await school.sql('delete from outbox');
  const twins = [await child('Tara'), await child('Tej')];
  const parent = await adult(twins, 'Tanvi', 'Mother');
  const answering: number[] = [];
  for (let number = 0; number < 7; number++) {
    const one = await child(`Ada${number}`);
    const guardian = await adult([one], `Adi${number}`);
    answering.push(guardian);
    expect(await say(await linkOf(guardian), one, 'Staying')).toBe('taken');
  }
  const silent = [parent];
  for (const name of ['Una', 'Uma']) silent.push(await adult([await child(name)], `Of${name}`));
  const barred = await adult([twins[0] ?? 0], 'Barred');
  await school.sql(
    `update student_guardian set is_barred = true, receives_messages = false where guardian_id = ${barred}`,
  );

  const round = async (which: 'ask' | 'remind') => {
    const preview = await office.call(questionApi[which], { yearId });
    const { runId } = await office.call(questionApi[which], {
      yearId,
      confirmToken: preview.confirmToken ?? undefined,
    });
    at('1992-03-20T11:01:00');
    await finishRun(school.services, questionRuns, runId ?? 0);
    return preview.changed;
  };
  await round('ask');
  const asked = (await messages()).filter((id) => [...answering, ...silent, barred].includes(id));
  expect(asked).toEqual(silent.toSorted((one, other) => one - other));
  expect((await office.call(questionApi.ask, { yearId })).confirmToken).toBeNull();

  // Somebody whom no branch has asked yet is not reminded either.
  const unasked = await adult([await child('Uri')], 'OfUri');
  await school.sql('delete from outbox');
  const remind = () =>
    school.services.db
      .transaction()
      .execute((db) => dailyReminder.act({ ...school.context(), db }, school.services.now()));
  at('1992-04-06T10:00:00');
  await remind();
  expect(await messages()).toEqual([]);
  at('1992-04-07T10:00:00');
  await remind();
  expect((await messages()).filter((id) => [...answering, ...silent, barred, unasked].includes(id))).toEqual(asked);
  const all = await messages();
  at('1992-04-08T10:00:00');
  await remind();
  expect(await messages()).toEqual(all);
  expect((await office.call(questionApi.remind, { yearId })).confirmToken).toBeNull();
  expect(await otherProposals()).toEqual([]);
});

test('a guardian who was asked is asked about the children of a grade that is added later, once', async () => {
  const [own] = await school.sql(`select to_year_id as id, version, grade_ids as grades from year_question
    where from_year_id = ${yearId}`);
  const later = await plant(school, gradeMaster, { nextGradeId: gradeId });
  const section = (await plant(school, sectionMaster, { academicYearId: yearId, gradeId: later.id })).id;
  const first = await child('Uma');
  const second = await seat(school, section, 'Usha', { joinedOn: '1991-06-01' });
  const mother = await adult([first, second], 'Urmila', 'Mother');
  let minutes = 0;
  const sendAll = async () => {
    const { confirmToken } = await office.call(questionApi.ask, { yearId });
    const { runId } = await office.call(questionApi.ask, { yearId, confirmToken: confirmToken ?? undefined });
    at(`1992-04-08T10:0${++minutes}:00`);
    await finishRun(school.services, questionRuns, runId ?? 0);
  };
  const messages = () =>
    school.sql(`select student_ids as children, (select count(*)::integer from outbox
        where template = 'year-end.question' and subject_id = ${mother}) as messages
      from year_asking where guardian_id = ${mother} and round = 'ask'`);
  await sendAll();
  expect(await messages()).toEqual([{ children: [first], messages: 1 }]);
  await save({ gradeIds: [gradeId, later.id], version: own?.version });
  await sendAll();
  expect(await messages()).toEqual([{ children: [first, second], messages: 2 }]);
  const again = await office.call(questionApi.ask, { yearId });
  expect(again.skipped.map(({ id }) => id)).toContain(mother);
  await save({ gradeIds: [gradeId], version: Number(own?.version) + 1 });
});

test('a guardian is reminded only of the children about whom they were asked', async () => {
  const [own] = await school.sql(`select version from year_question where from_year_id = ${yearId}`);
  const later = await plant(school, gradeMaster, { nextGradeId: gradeId });
  const section = (await plant(school, sectionMaster, { academicYearId: yearId, gradeId: later.id })).id;
  const first = await child('Veda');
  const second = await seat(school, section, 'Vihan', { joinedOn: '1991-06-01' });
  const mother = await adult([first, second], 'Vasudha', 'Mother');
  let minutes = 30;
  const sendAll = async (which: 'ask' | 'remind') => {
    const { confirmToken } = await office.call(questionApi[which], { yearId });
    const { runId } = await office.call(questionApi[which], { yearId, confirmToken: confirmToken ?? undefined });
    at(`1992-04-08T10:${++minutes}:00`);
    await finishRun(school.services, questionRuns, runId ?? 0);
  };
  const reminded = () =>
    school.sql(`select student_ids as children from year_asking where guardian_id = ${mother} and round = 'remind'`);
  await sendAll('ask');
  await save({ gradeIds: [gradeId, later.id], version: own?.version });
  await sendAll('remind');
  expect(await reminded()).toEqual([{ children: [first] }]);
  const [written] = await school.sql(`select id, version from outbox
    where template = 'year-end.question' and subject_id = ${mother} order by id desc limit 1`);
  const message = await questionMessages['year-end.question']?.render(
    school.services,
    mother,
    Number(written?.version),
  );
  expect(JSON.stringify(message)).toContain('Veda');
  expect(JSON.stringify(message)).not.toContain('Vihan');
  await school.sql(`delete from year_asking where guardian_id = ${mother} and round = 'remind'`);
  await school.services.db
    .transaction()
    .execute((db) => dailyReminder.act({ ...school.context(), db }, school.services.now()));
  expect(await reminded()).toEqual([{ children: [first] }]);
  const again = await office.call(questionApi.remind, { yearId });
  expect(again.skipped.filter(({ id }) => id === mother)).toMatchObject([{ reason: { id: 'Was sent it.' } }]);
  await save({ gradeIds: [gradeId], version: Number(own?.version) + 1 });
});

test('U1.14 an answer of the last day counts until midnight; five minutes later only the office can change it', async () => {
  const zoya = await child('Zoya');
  const link = await linkOf(await adult([zoya], 'Zara', 'Mother'));
  at('1992-04-10T23:59:00');
  expect(await say(link, zoya, 'Staying')).toBe('taken');
  at('1992-04-11T00:05:00');
  expect(await say(link, zoya, 'Leaving')).toBe(
    'conflict: Answers were taken until 10 Apr 1992. The school’s office can change it.',
  );
  expect(await part(link)).toMatchObject([{ answer: 'Staying', state: 'Over' }]);
  expect(await refusal(office.call(questionApi.remind, { yearId }))).toMatch(/^conflict: Answers were taken until/);
  const given = { id: zoya, toYearId: nextId, answer: 'Leaving', lastDay: '', reasonId: null, nextSchool: '' };
  await office.call(questionApi.answer, given as never);
  expect((await listed(zoya))?.answer).toBe('Leaving');
  at('1992-06-01T09:00:00');
  expect(await part(link)).toEqual([]);
});

test('the office of another branch neither reads nor answers', async () => {
  const [row] = await school.sql(`insert into academic_branch (name, code) values ('Far away', 'FAQ') returning id`);
  const far = await school.person({ sets: ['office'], branchIds: [Number(row?.id)] });
  expect((await read(far)).figures.asked).toBe(0);
  const [own] = (await office.call(answerList.api.list, {} as never)).rows;
  const given = {
    id: own?.studentId,
    toYearId: nextId,
    answer: 'Staying',
    lastDay: '',
    reasonId: null,
    nextSchool: '',
  };
  expect(await refusal(far.call(questionApi.answer, given as never))).toMatch(/^not_found/);
  const { question } = await read();
  expect(await refusal(save({ version: question?.version ?? null, gradeIds: [gradeId] }, far))).toMatch(
    /^conflict: The question goes to families of all branches/,
  );
});
