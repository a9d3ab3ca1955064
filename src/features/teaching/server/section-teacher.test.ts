import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { gradeSubjectApi } from '#features/subject/contract/grade-subject.ts';
import { subjectMaster } from '#features/subject/contract/masters.ts';
import type { Person } from '#testing/browser.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { create } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { sectionTeacherApi } from '../contract/section-teacher.ts';
import { teacherGapApi } from '../contract/teacher-gap.ts';

let school: School;
let admin: Person;
let asha: Person;
let ravi: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
  asha = await school.person({ name: 'Asha' });
  ravi = await school.person({ name: 'Ravi' });
});
afterAll(() => school.close());

const staffIdOf = ({ id }: Person) =>
  school.sql(`select staff_id from sign_in_account where id = ${id}`).then(([row]) => Number(row?.staff_id));

/** A section of a year from June to May, and a subject its grade takes. */
async function place(known: Record<string, unknown> = {}) {
  const section = await create(admin, sectionMaster, known);
  const academicYearId = Number(section.academicYearId);
  const [gradeId, programId] = [Number(section.gradeId), Number(section.programId)];
  const subject = await create(admin, subjectMaster);
  const [year] = await school.sql(
    `select starts_on::text, ends_on::text from academic_year where id = ${academicYearId}`,
  );
  await admin.call(gradeSubjectApi.save, {
    academicYearId,
    programId,
    changes: [{ gradeId, subjectId: subject.id, before: '', after: 'C' }],
  });
  const [from, until] = [String(year?.starts_on), String(year?.ends_on)];
  return { academicYearId, gradeId, programId, sectionId: section.id, subjectId: subject.id, from, until };
}
type Place = Awaited<ReturnType<typeof place>>;

let here: Place;
let [ashaId, raviId] = [0, 0];
beforeEach(async () => {
  here = await place();
  [ashaId, raviId] = [await staffIdOf(asha), await staffIdOf(ravi)];
});

const leader = (staffId: number, overrides: object = {}) => ({
  sectionId: here.sectionId,
  role: 'Class teacher',
  subjectId: null,
  staffId,
  periodsPerWeek: null,
  effectiveFrom: here.from,
  effectiveTo: '',
  ...overrides,
});
const post = (body: object, url = '') =>
  admin.send({ method: 'POST', url: `/api/academic/section-teacher${url}`, body });
const on = (day: string) =>
  admin.call(sectionTeacherApi.read, {
    academicYearId: here.academicYearId,
    gradeId: here.gradeId,
    sectionId: '',
    staffId: '',
    on: day,
  });
const namesOn = async (day: string) =>
  (await on(day)).assigned.filter(({ effectiveFrom }) => effectiveFrom <= day).map(({ staff }) => staff);
/** The day so many days into the year. */
const day = (n: number) => new Date(Date.parse(here.from) + n * 86_400_000).toISOString().slice(0, 10);
const only = async () => {
  const [row] = (await on(here.from)).assigned;
  if (!row) throw new Error('Nobody is entered.');
  return { id: row.id, version: row.version };
};

test('K3.1 a section has one class teacher on a day, also when two are entered at once or by SQL', async () => {
  const answers = await Promise.all([post(leader(ashaId)), post(leader(raviId))]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  const refused = answers.find(({ status }) => status === 422);
  expect(refused?.json.error.fields).toEqual({
    effectiveFrom: 'The section has a class teacher on these days. Replace that one instead.',
  });
  expect((await on(here.from)).assigned).toHaveLength(1);
  await expect(
    school.sql(`insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id,
        role, effective_from)
      select academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role, '${here.until}'
      from academic_section_teacher where section_id = ${here.sectionId}`),
  ).rejects.toThrow('academic_section_teacher_one_class_teacher');
});

test('K3.2 who takes over from a day on leads from then on, and the other one until the day before', async () => {
  await post(leader(ashaId));
  await admin.call(sectionTeacherApi.replace, {
    ...(await only()),
    staffId: raviId,
    effectiveFrom: day(40),
    effectiveTo: '',
  });
  expect([await namesOn(day(39)), await namesOn(day(40)), await namesOn(here.until)]).toEqual([
    ['Asha'],
    ['Ravi'],
    ['Ravi'],
  ]);
});

test('who covers for a while leads only then, and the first one comes back', async () => {
  await post(leader(ashaId));
  const input = { ...(await only()), staffId: raviId, effectiveFrom: day(10), effectiveTo: day(12) };
  await admin.call(sectionTeacherApi.replace, input);
  const days = [9, 10, 12, 13].map((n) => namesOn(day(n)));
  expect(await Promise.all(days)).toEqual([['Asha'], ['Ravi'], ['Ravi'], ['Asha']]);
  // The second time the entry is not what it was.
  const { id, ...body } = input;
  expect((await post(body, `/${id}/replace`)).json.error.code).toBe('stale');
  const rows = await school.sql(`select details from audit where action = 'section-teacher.replaced'
    and entity_id = ${here.sectionId}`);
  expect(rows.map(({ details }) => details)).toEqual([
    expect.objectContaining({ Teacher: 'Ravi', Role: 'Class teacher', From: day(10), Until: day(12) }),
  ]);
});

test('who replaces from the first day on stands alone; days outside the entry and oneself are refused', async () => {
  await post(leader(ashaId, { effectiveFrom: day(5), effectiveTo: day(50) }));
  const entry = (await on(day(5))).assigned[0];
  const { id = 0, version = 0 } = entry ?? {};
  const replace = (overrides: object) =>
    post({ version, staffId: raviId, effectiveTo: '', ...overrides }, `/${id}/replace`);
  const fields = async (overrides: object) => Object.keys((await replace(overrides)).json.error.fields);
  expect(await fields({ effectiveFrom: day(4) })).toEqual(['effectiveFrom']);
  expect(await fields({ effectiveFrom: day(51) })).toEqual(['effectiveFrom']);
  expect(await fields({ effectiveFrom: day(6), effectiveTo: day(51) })).toEqual(['effectiveTo']);
  expect(await fields({ effectiveFrom: day(6), staffId: ashaId })).toEqual(['staffId']);
  expect((await replace({ effectiveFrom: day(5) })).status).toBe(200);
  expect([await namesOn(day(4)), await namesOn(day(5)), await namesOn(day(50)), await namesOn(day(51))]).toEqual([
    [],
    ['Ravi'],
    ['Ravi'],
    [],
  ]);
});

test('K3.3 a subject the grade does not take is neither offered nor taken, and cannot be taken away while it is taught', async () => {
  const other = await create(admin, subjectMaster);
  const taught = { role: 'Subject teacher', subjectId: here.subjectId, periodsPerWeek: '5' };
  expect((await on(here.from)).subjects.map(({ id }) => id)).toEqual([here.subjectId]);
  expect((await post(leader(ashaId, { ...taught, subjectId: other.id }))).json.error.fields).toEqual({
    subjectId: 'This grade does not take this subject.',
  });
  expect((await post(leader(ashaId, { ...taught, subjectId: null }))).json.error.fields).toEqual({
    subjectId: 'Choose the subject.',
  });
  expect((await post(leader(ashaId, taught))).status).toBe(200);
  expect((await on(here.from)).assigned).toMatchObject([
    { staff: 'Asha', subjectId: here.subjectId, periodsPerWeek: 5 },
  ]);
  await expect(
    school.sql(`delete from configuration_grade_subject where subject_id = ${here.subjectId}`),
  ).rejects.toThrow('academic_section_teacher_is_taught');
});

test('N1.2 taking a subject from a grade in which it is taught is refused, and says who teaches it where', async () => {
  await post(leader(ashaId, { role: 'Subject teacher', subjectId: here.subjectId }));
  const { academicYearId, programId, gradeId, subjectId } = here;
  const body = { academicYearId, programId, changes: [{ gradeId, subjectId, before: 'C', after: '' }] };
  const { status, json } = await admin.send({ method: 'PUT', url: '/api/configuration/grade-subject', body });
  const [section, subject] = [(await on(here.from)).sections[0], (await on(here.from)).subjects[0]];
  expect([status, json.error.message]).toEqual([
    409,
    `These teach what you take away. End that in Section Teacher Mapping first: ${section?.name}: ${subject?.name} (Asha).`,
  ]);
  expect((await on(here.from)).subjects).toHaveLength(1);
});

test('K3.4 what nobody leads or teaches is listed, and who has left is named there', async () => {
  const gaps = () =>
    admin.call(sectionTeacherApi.gaps, {
      academicYearId: here.academicYearId,
      gradeId: '',
      sectionId: '',
      staffId: '',
      on: here.from,
    });
  const meena = await school.person({ name: 'Meena' });
  // What the dashboard says of it.
  const counted = () => admin.call(teacherGapApi.count, { academicYearId: here.academicYearId });
  const before = await gaps();
  expect(await counted()).toEqual({ leaders: 1, subjects: 1 });
  expect(before).toMatchObject({ total: 2, gaps: [{ subject: '', left: '' }, { left: '' }] });
  await post(leader(await staffIdOf(meena)));
  await post(leader(ashaId, { role: 'Subject teacher', subjectId: here.subjectId }));
  expect([await gaps(), await counted()]).toEqual([
    { total: 0, gaps: [] },
    { leaders: 0, subjects: 0 },
  ]);
  await school.sql(`update sign_in_account set is_active = false where id = ${meena.id}`);
  expect(await gaps()).toMatchObject({ total: 1, gaps: [{ sectionId: here.sectionId, subject: '', left: 'Meena' }] });
  expect(await counted()).toEqual({ leaders: 1, subjects: 0 });
  await school.sql(`update configuration_subject set is_active = false where id = ${here.subjectId}`);
  await school.sql(`delete from academic_section_teacher where subject_id = ${here.subjectId}`);
  expect((await gaps()).total).toBe(1);
  // Nor can they be entered anew.
  const refused = await post(leader(await staffIdOf(meena), { role: 'Co-class teacher' }));
  expect(refused.json.error.fields).toEqual({ staffId: 'Meena is not active any more. Choose somebody else.' });
  await school.sql(`update academic_year set status = 'Closed' where id = ${here.academicYearId}`);
  expect(await counted()).toEqual({ leaders: 0, subjects: 0 });
});

/** The rows of an export without their quotes. */
const rowsOf = (text: string) => text.replace('\uFEFF', '').replaceAll('"', '').trim().split('\r\n');
const exported = async (overrides: object = {}) => {
  const look = { academicYearId: here.academicYearId, gradeId: here.gradeId, on: here.from, as: 'csv', ...overrides };
  const query = Object.entries(look).map(([name, value]) => `${name}=${value}`);
  return (await admin.send({ url: `/api/academic/section-teacher/export?${query.join('&')}&staffId=` })).text;
};

test('K3.5 the exported table holds all that is shown, places without anybody and those who come later included', async () => {
  await post(leader(ashaId, { effectiveTo: day(9) }));
  await post(leader(raviId, { role: 'Co-class teacher', effectiveFrom: day(1) }));
  const shown = await on(here.from);
  const [section, subject] = [shown.sections[0], shown.subjects[0]];
  const place = `${section?.name},${section?.program},${section?.branch}`;
  expect(rowsOf(await exported())).toEqual([
    'Section,Program,Branch,Role,Subject,Teacher,Periods a week,From,Until,Note',
    `${place},Class teacher,,Asha,,${here.from},${day(9)},`,
    `${place},Co-class teacher,,Ravi,,${day(1)},,`,
    `${place},Subject teacher,${subject?.name},,,${here.from},,nobody yet`,
  ]);
  // A day later who comes back is not there yet, and who has ended is shown no more.
  expect(rowsOf(await exported({ on: day(10) })).map((row) => row.slice(place.length))).toEqual([
    expect.anything(),
    `,Class teacher,,,,${day(10)},,nobody yet`,
    `,Co-class teacher,,Ravi,,${day(1)},,`,
    expect.stringContaining('nobody yet'),
  ]);
  expect(await school.sql(`select 1 from audit where action = 'section-teacher.exported'`)).not.toEqual([]);
});

const importing = (file: string, confirmToken?: string, academicYearId = here.academicYearId) =>
  admin.send({
    method: 'POST',
    url: '/api/academic/section-teacher/import',
    body: { academicYearId, file, confirmToken },
  });
const heads = 'Section,Program,Branch,Role,Subject,Teacher,Periods a week,From,Until,Note';
/** The rows of a file about the one section that is here. */
const fileOf = async (...rows: string[]) => {
  const { sections } = await on(here.from);
  const place = `"${sections[0]?.name}",${sections[0]?.program},`;
  return [heads, ...rows.map((row) => `${place},${row}`)].join('\n');
};

test('what was exported changes nothing when it is imported, and what is filled in there is entered once', async () => {
  await post(leader(ashaId));
  const file = await exported();
  expect((await importing(file)).json).toMatchObject({ counts: { added: 0, changed: 0, same: 2, wrong: 0 } });

  const filled = file
    .replace(/,"","",("[-0-9]+"),"","nobody yet"/, `,"RAVI","6",$1,"${day(20)}",""`)
    .replace('"Asha",""', '"Asha","3"');
  const { json: trial } = await importing(filled);
  expect(trial).toMatchObject({ counts: { added: 1, changed: 1, same: 0, wrong: 0 }, isApplied: false });
  expect((await on(here.from)).assigned).toHaveLength(1);
  expect((await importing(filled, trial.confirmToken)).json.isApplied).toBe(true);
  expect((await on(here.from)).assigned).toMatchObject([
    { staff: 'Asha', periodsPerWeek: 3, effectiveTo: '' },
    { staff: 'Ravi', periodsPerWeek: 6, effectiveFrom: here.from, effectiveTo: day(20) },
  ]);
  const again = (await importing(filled)).json;
  expect(again.counts).toEqual({ added: 0, changed: 0, same: 2, wrong: 0 });
  // What was agreed to is not what would happen any more.
  expect((await importing(filled, trial.confirmToken)).json.error.code).toBe('stale');
  const acts = await school.sql(`select action from audit where request_id =
    (select request_id from audit where action = 'section-teacher.imported' and entity_id = ${here.academicYearId})`);
  expect(acts.map(({ action }) => action).sort()).toEqual([
    'section-teacher.assigned',
    'section-teacher.changed',
    'section-teacher.imported',
  ]);
});

test('one refused row of a file keeps all of it out, and each row says why', async () => {
  const lata = await school.person({ name: 'Lata' });
  await school.sql(`update sign_in_account set is_active = false where id = ${lata.id}`);
  const [subject] = (await on(here.from)).subjects;
  const other = await create(admin, subjectMaster);
  const file = await fileOf(
    `Class teacher,,Asha,,${here.from},,`,
    `Class teacher,,Ravi,,${day(3)},,`,
    `Class teacher,,Asha,,${here.from},,`,
    `Co-class teacher,,Nobody Known,,${here.from},,`,
    `Co-class teacher,,Lata,,${here.from},,`,
    `Co-class teacher,,Ravi,,07/20/2026,,`,
    `Co-class teacher,${subject?.name},Ravi,,${here.from},,`,
    `Subject teacher,,Ravi,,${here.from},,`,
    `Subject teacher,${String(other.name)},Ravi,,${here.from},,`,
    `Subject teacher,${subject?.name},Ravi,61,${here.from},${here.until},`,
    `Head,,Ravi,,${here.from},,`,
    `Co-class teacher,,=1+1,,${here.from},,`,
    `Co-class teacher,,Ravi,,${day(2)},${day(1)},`,
  );
  const whole = `${file}\n"Nowhere, Z",,,Class teacher,,Asha,,${here.from},,`;
  const { json } = await importing(whole);
  expect((await importing(whole, 'x')).json.error.code).toBe('stale');
  expect([json.confirmToken, json.counts]).toEqual([null, { added: 1, changed: 0, same: 0, wrong: 13 }]);
  expect(
    json.rows.map(({ messages }: { messages: Record<string, string> }) => Object.values(messages).join(' ')),
  ).toEqual([
    '',
    'The section has a class teacher on these days. Replace that one instead.',
    'Line 2 of the file is about the same.',
    'There is no Teacher “Nobody Known”.',
    'This teacher is not active. Choose another one.',
    'From is no day. Write it as 21-11-2026.',
    'Only a subject teacher has a subject.',
    'Choose the subject.',
    'This grade does not take this subject.',
    'Periods a week is a whole number of 1 to 60.',
    'Role is one of: Class teacher, Co-class teacher, Subject teacher.',
    'There is no Teacher “=1+1”.',
    'The last day cannot come before the first.',
    'There is no such section in this year: Nowhere, Z.',
  ]);
  expect((await on(here.from)).assigned).toEqual([]);
});

test('a file that is no list of teachers, or for a closed year, is refused with what is wrong with it', async () => {
  const row = 'Class teacher,,Asha,,2026-06-01,,';
  const fileError = async (file: string) => (await importing(file)).json.error.fields?.file;
  expect(await fileError('PK\u0003\u0004')).toMatch(/^This is no CSV file/);
  expect(await fileError('Section,Salary\nA,1')).toMatch(
    /^There is no column “Salary” here. The columns are: Section, /,
  );
  expect(await fileError('Section,Role,Section\nA,B,C')).toBe('The column “Section” comes twice.');
  expect(await fileError('Section,Role\nA,B')).toBe('The column “Subject, Teacher, From” is missing.');
  expect(await fileError(heads)).toBe('This file has no rows below its heads.');
  expect(await fileError(`${heads}\n${`x,,,${row}\n`.repeat(5001)}`)).toMatch(
    /^This file has 5001 rows. One import takes/,
  );
  await school.sql(`update academic_year set status = 'Closed' where id = ${here.academicYearId}`);
  expect((await importing(await fileOf(row))).json.error.message).toMatch('closed');
});

test('two teachers of one name are told apart where one of them stands already, and else refused', async () => {
  const twins = [await school.person({ name: 'Tara Twin' }), await school.person({ name: 'Tara Twin' })];
  const file = await fileOf(`Co-class teacher,,Tara Twin,,${here.from},${day(3)},`);
  expect((await importing(file)).json.rows[0].messages).toEqual({
    staffId: 'There are several of Teacher “Tara Twin”.',
  });
  await post(leader(await staffIdOf(twins[1] as Person), { role: 'Co-class teacher' }));
  expect((await importing(file)).json).toMatchObject({ counts: { changed: 1, wrong: 0 } });
});

test('H3 an import leaves nothing behind whichever of its statements fails', async () => {
  await post(leader(ashaId));
  const [row] = (await on(here.from)).subjects;
  const file = await fileOf(
    `Class teacher,,Asha,,${here.from},${day(9)},`,
    `Subject teacher,${row?.name},Ravi,4,${here.from},,`,
  );
  const { confirmToken } = (await importing(file)).json;
  const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
  const before = await contents();
  for (let n = 1; ; n++) {
    const { status, json } = await failingAt(n, () => importing(file, confirmToken));
    if (status === 200) {
      expect(json.isApplied).toBe(true);
      break;
    }
    expect([n, status, await contents()]).toEqual([n, 500, before]);
  }
  const written = await school.sql(`select details from audit where action = 'section-teacher.imported'
    and entity_id = ${here.academicYearId}`);
  expect(written.map(({ details }) => details)).toEqual([{ from: 'file', added: 1, changed: 1, same: 0 }]);
});

test('a teacher’s sections are shown alone, with who else is there and only the subjects they teach', async () => {
  const other = await place({ academicYearId: here.academicYearId });
  await post({ ...leader(ashaId), sectionId: other.sectionId });
  await post(leader(ashaId));
  await post(leader(raviId, { role: 'Subject teacher', subjectId: here.subjectId, effectiveTo: day(30) }));
  const of = (staffId: number, on: string, gradeId: number | '' = '') =>
    admin.call(sectionTeacherApi.read, { academicYearId: here.academicYearId, gradeId, sectionId: '', staffId, on });
  const ravi = await of(raviId, day(30));
  expect(ravi.sections).toMatchObject([{ id: here.sectionId, subjectIds: [here.subjectId] }]);
  expect(ravi.assigned.map(({ staff, role }) => `${staff}: ${role}`).sort()).toEqual([
    'Asha: Class teacher',
    'Ravi: Subject teacher',
  ]);
  expect((await of(raviId, day(31))).sections).toEqual([]);
  const asha = await of(ashaId, day(31));
  expect([asha.sections.length, asha.subjects]).toEqual([2, []]);
  expect((await of(ashaId, day(31), other.gradeId)).sections).toMatchObject([{ id: other.sectionId }]);
  const look = {
    academicYearId: here.academicYearId,
    gradeId: '',
    sectionId: '',
    staffId: raviId,
    on: day(3),
  } as const;
  expect((await admin.call(sectionTeacherApi.load, look)).rows).toMatchObject([{ staff: 'Ravi', sections: 1 }]);
});

test('a section is shown alone, with all its subjects and its own gaps', async () => {
  const other = await place({ academicYearId: here.academicYearId });
  await post(leader(ashaId));
  await post({ ...leader(raviId), sectionId: other.sectionId });
  const look = { academicYearId: here.academicYearId, sectionId: here.sectionId, staffId: '', on: here.from } as const;
  const alone = await admin.call(sectionTeacherApi.read, { ...look, gradeId: '' });
  expect(alone.sections).toMatchObject([{ id: here.sectionId, subjectIds: [here.subjectId] }]);
  expect([alone.subjects.length, alone.assigned.map(({ staff }) => staff)]).toEqual([1, ['Asha']]);
  const { gaps } = await admin.call(sectionTeacherApi.gaps, { ...look, gradeId: '' });
  expect(gaps.map(({ sectionId }) => sectionId)).toEqual([here.sectionId]);
  expect((await admin.call(sectionTeacherApi.read, { ...look, gradeId: other.gradeId })).sections).toEqual([]);
});

test('of all grades only who leads is shown', async () => {
  await post(leader(ashaId));
  await post(leader(raviId, { role: 'Subject teacher', subjectId: here.subjectId }));
  const { subjects, assigned } = await admin.call(sectionTeacherApi.read, {
    academicYearId: here.academicYearId,
    gradeId: '',
    sectionId: '',
    staffId: '',
    on: here.from,
  });
  expect([subjects, assigned.map(({ staff }) => staff)]).toEqual([[], ['Asha']]);
});

test('a subject that is switched off is shown while somebody teaches it, and nobody begins to', async () => {
  await post(leader(ashaId, { role: 'Subject teacher', subjectId: here.subjectId, effectiveTo: day(9) }));
  await school.sql(`update configuration_subject set is_active = false where id = ${here.subjectId}`);
  expect((await on(day(9))).subjects).toMatchObject([{ id: here.subjectId, isActive: false }]);
  expect((await on(day(10))).subjects).toEqual([]);
  const refused = await post(leader(raviId, { role: 'Subject teacher', subjectId: here.subjectId }));
  expect(refused.json.error.fields).toEqual({ subjectId: 'This subject is switched off. Nobody begins to teach it.' });
});

test('somebody may lead two sections, and it is said; the same twice, swapped days and days outside the year are refused', async () => {
  const first = await post(leader(ashaId));
  expect(first.json).toEqual({ alsoOf: [] });
  const again = { role: 'Co-class teacher' };
  await post(leader(ashaId, again));
  expect(Object.keys((await post(leader(ashaId, again))).json.error.fields)).toEqual(['staffId']);
  expect(Object.keys((await post(leader(raviId, { ...again, effectiveTo: '1999-01-01' }))).json.error.fields)).toEqual([
    'effectiveTo',
  ]);
  const outside = await post(leader(raviId, { ...again, effectiveFrom: '1999-01-01' }));
  expect(outside.json.error.fields).toEqual({ effectiveFrom: 'The days lie inside the academic year.' });
  const after = await post(leader(raviId, { ...again, effectiveTo: day(400) }));
  expect(Object.keys(after.json.error.fields)).toEqual(['effectiveFrom']);
  const other = await place({ academicYearId: here.academicYearId });
  const second = await post({ ...leader(ashaId), sectionId: other.sectionId });
  expect(second.json.alsoOf).toHaveLength(1);
  // Nor is who leads without a last day there for years.
  here = await place();
  expect((await post(leader(ashaId))).json.alsoOf).toEqual([]);
});

test('whatever writes, an entry is of its section, and of a subject where it teaches one', async () => {
  await post(leader(ashaId));
  const set = (change: string) =>
    school.sql(`update academic_section_teacher set ${change} where section_id = ${here.sectionId}`);
  await expect(set(`subject_id = ${here.subjectId}`)).rejects.toThrow('academic_section_teacher_subject');
  await expect(set(`role = 'Subject teacher'`)).rejects.toThrow('academic_section_teacher_subject');
  const other = await place({ academicYearId: here.academicYearId });
  await expect(set(`grade_id = ${other.gradeId}`)).rejects.toThrow('academic_section_teacher_of_section');
});

test('in a section that is switched off nobody begins, takes over, counts or is warned of; who is there can end', async () => {
  await post(leader(ashaId));
  const entry = await only();
  await school.sql(`update academic_section set is_active = false where id = ${here.sectionId}`);
  const off = 'This section is switched off. Switch it on in the Academic Master first.';
  const { id, version } = entry;
  const body = { version, staffId: raviId, effectiveFrom: day(3), effectiveTo: '' };
  for (const { status, json } of [await post(leader(raviId)), await post(body, `/${id}/replace`)])
    expect([status, json.error.message]).toEqual([409, off]);
  const look = { academicYearId: here.academicYearId, gradeId: '', sectionId: '', staffId: '', on: here.from } as const;
  expect(await admin.call(sectionTeacherApi.load, look)).toEqual({ rows: [], omitted: 0 });
  expect(await on(here.from)).toMatchObject({ sections: [], assigned: [] });
  const other = await place({ academicYearId: here.academicYearId });
  expect((await post({ ...leader(ashaId), sectionId: other.sectionId })).json).toEqual({ alsoOf: [] });
  await admin.call(sectionTeacherApi.change, {
    ...entry,
    periodsPerWeek: '',
    effectiveFrom: here.from,
    effectiveTo: day(3),
  });
});

test('an entry’s days and periods are changed once, and a mistaken one is taken back', async () => {
  await post(leader(ashaId));
  const entry = await only();
  const change = { ...entry, periodsPerWeek: 4, effectiveFrom: day(1), effectiveTo: day(2) };
  const { id, ...body } = change;
  await admin.call(sectionTeacherApi.change, change);
  expect((await on(here.from)).assigned).toMatchObject([
    { periodsPerWeek: 4, effectiveFrom: day(1), effectiveTo: day(2) },
  ]);
  const stale = await admin.send({ method: 'PUT', url: `/api/academic/section-teacher/${id}`, body });
  expect(stale.json.error.code).toBe('stale');
  await admin.call(sectionTeacherApi.remove, { ...entry, version: entry.version + 1 });
  expect((await on(here.from)).assigned).toEqual([]);
  const acts =
    await school.sql(`select action from audit where entity = 'academic_section' and entity_id = ${here.sectionId}
    and action like 'section-teacher.%' order by id`);
  expect(acts.map(({ action }) => action)).toEqual([
    'section-teacher.assigned',
    'section-teacher.changed',
    'section-teacher.removed',
  ]);
});

test('a year’s teachers are copied to the same sections of another year; a second time adds nothing', async () => {
  const year = await create(admin, yearMaster);
  await post(leader(ashaId));
  await post(leader(raviId, { role: 'Subject teacher', subjectId: here.subjectId, periodsPerWeek: 6 }));
  const body = { fromYearId: here.academicYearId, toYearId: year.id };
  const preview = () => admin.call(sectionTeacherApi.copy, body);
  expect(await preview()).toMatchObject({
    added: 0,
    alreadyThere: 0,
    left: [{ why: /new year/ }, {}].map(() => expect.anything()),
  });
  await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select ${year.id}, branch_id, grade_id, program_id, upper(name), capacity, medium from academic_section
    where id = ${here.sectionId}`);
  // Its grade takes no subject there yet.
  const trial = await preview();
  expect(trial).toMatchObject({
    added: 1,
    alreadyThere: 0,
    left: [{ why: 'The grade does not take this subject in the new year.' }],
  });
  const { confirmToken: subjects } = await admin.call(gradeSubjectApi.copy, body);
  await admin.call(gradeSubjectApi.copy, { ...body, confirmToken: subjects ?? '' });
  const apply = (confirmToken: string | null) => post({ ...body, confirmToken }, '/copy');
  // One more is copied than the preview showed.
  expect((await apply(trial.confirmToken)).json.error.code).toBe('stale');
  const { confirmToken, added } = await preview();
  expect(added).toBe(2);
  const twice = await Promise.all([apply(confirmToken), apply(confirmToken)]);
  expect(twice.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect(await preview()).toMatchObject({ added: 0, alreadyThere: 2 });
  const { assigned } = await admin.call(sectionTeacherApi.read, {
    academicYearId: year.id,
    gradeId: here.gradeId,
    sectionId: '',
    staffId: '',
    on: '',
  });
  expect(
    assigned
      .map(({ staff, role, periodsPerWeek, effectiveFrom }) => [staff, role, periodsPerWeek, effectiveFrom])
      .sort(),
  ).toEqual([
    ['Asha', 'Class teacher', null, year.startsOn],
    ['Ravi', 'Subject teacher', 6, year.startsOn],
  ]);
});

test('who ended or has left is not copied, nor what belongs to a section that is switched off, nor into a closed year', async () => {
  const year = await create(admin, yearMaster);
  const meena = await school.person({ name: 'Meena' });
  const body = { fromYearId: here.academicYearId, toYearId: year.id };
  const copy = async () => (await post(body, '/copy')).json;
  const whys = async () => (await copy()).left.map(({ why }: { why: string }) => why);
  await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select ${year.id}, branch_id, grade_id, program_id, name, capacity, medium from academic_section
    where id = ${here.sectionId}`);
  await post(leader(ashaId, { effectiveTo: day(9) }));
  await post(leader(await staffIdOf(meena), { role: 'Co-class teacher' }));
  expect(await copy()).toMatchObject({ added: 1, alreadyThere: 0, left: [] });
  await school.sql(`update sign_in_account set is_active = false where id = ${meena.id}`);
  expect(await whys()).toEqual(['This teacher is not active any more.']);
  await school.sql(`update academic_section set is_active = false where academic_year_id = ${year.id}`);
  expect(await whys()).toEqual(['This section is not there in the new year.']);
  await school.sql(`update academic_year set status = 'Closed' where id = ${year.id}`);
  expect((await copy()).error.message).toBe('This academic year is closed. It can only be read.');
});

test('a year keeps the days of its teachers: it neither ends before them nor begins behind them', async () => {
  await post(leader(ashaId, { effectiveFrom: day(200) }));
  const [{ name } = {}] = await school.sql(`select name from academic_year where id = ${here.academicYearId}`);
  const { rows } = await admin.call(yearMaster.api.list, { search: String(name) });
  const row = rows.find(({ id }) => id === here.academicYearId) as Record<string, unknown>;
  const known = Object.fromEntries(Object.keys(yearMaster.fields).map((name) => [name, row[name]]));
  const set = (values: object) =>
    admin.send({
      method: 'PUT',
      url: `/api/academic/year/${here.academicYearId}`,
      body: { ...known, version: row.version, isActive: true, ...values },
    });
  for (const values of [{ endsOn: day(199) }, { startsOn: day(201) }])
    expect((await set(values)).json.error.fields).toEqual({
      startsOn: 'Teachers or students are in sections on days that would lie outside the year.',
    });
  expect((await set({ endsOn: day(200) })).status).toBe(200);
});

test('a closed year’s teachers are read and not changed', async () => {
  await post(leader(ashaId));
  await school.sql(`update academic_year set status = 'Closed' where id = ${here.academicYearId}`);
  const refused = await post(leader(raviId, { role: 'Co-class teacher' }));
  expect(refused.json.error.fields).toEqual({
    effectiveFrom: 'This academic year is closed. It can only be read.',
  });
  expect(await on(here.from)).toMatchObject({ isClosed: true, assigned: [{ staff: 'Asha' }] });
  await expect(
    school.sql(`delete from academic_section_teacher where academic_year_id = ${here.academicYearId}`),
  ).rejects.toThrow('the academic year is closed');
});

test('a load sums a teacher’s periods and sections of that day', async () => {
  await post(leader(ashaId, { periodsPerWeek: 2 }));
  await post(leader(ashaId, { role: 'Subject teacher', subjectId: here.subjectId, periodsPerWeek: 5 }));
  await post(leader(raviId, { role: 'Co-class teacher', effectiveTo: day(3) }));
  const load = (on: string) =>
    admin.call(sectionTeacherApi.load, {
      academicYearId: here.academicYearId,
      gradeId: '',
      sectionId: '',
      staffId: '',
      on,
    });
  expect((await load(day(3))).rows).toEqual([
    { staffId: ashaId, staff: 'Asha', periods: 7, sections: 1 },
    { staffId: raviId, staff: 'Ravi', periods: 0, sections: 1 },
  ]);
  expect((await load(day(4))).rows).toHaveLength(1);
});

test('H3 taking over leaves nothing behind whichever of its statements fails', async () => {
  await post(leader(ashaId));
  const { id, version } = await only();
  const body = { version, staffId: raviId, effectiveFrom: day(10), effectiveTo: day(12) };
  const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
  const before = await contents();
  for (let n = 1; ; n++) {
    const { status } = await failingAt(n, () => post(body, `/${id}/replace`));
    if (status === 200) break;
    expect([n, status, await contents()]).toEqual([n, 500, before]);
  }
});

test('a file is done as it was agreed to and no other one, and a row without a teacher says what else it has', async () => {
  const agreed = await fileOf(`Co-class teacher,,Asha,,${here.from},,`);
  const { confirmToken } = (await importing(agreed)).json;
  const other = await fileOf(`Co-class teacher,,Ravi,,${here.from},,`);
  expect((await importing(other, confirmToken)).json.error.code).toBe('stale');
  expect((await on(here.from)).assigned).toEqual([]);
  const { json } = await importing(
    await fileOf(`Co-class teacher,,,9,${here.from},,`, `Boss,,,,${here.from},,`, `Class teacher,,,,${here.from},,`),
  );
  expect(json.rows.map(({ status }: { status: string }) => status)).toEqual(['wrong', 'wrong', 'same']);
});
