import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { gradeSubjectApi } from '#features/subject/contract/grade-subject.ts';
import { subjectMaster } from '#features/subject/contract/masters.ts';
import type { ImportRow } from '#kit/contract/import.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { reopenWords } from '#testing/closed-year.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { plant } from '#testing/masters.ts';
import { inEnglish } from '#testing/messages.ts';
import { openSchool, type School } from '#testing/school.ts';
import { sectionTeacherApi } from '../contract/section-teacher.ts';
import { countGaps } from './teacher-list.ts';

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
  const section = await plant(school, sectionMaster, known);
  const academicYearId = Number(section.academicYearId);
  const [gradeId, programId] = [Number(section.gradeId), Number(section.programId)];
  const subject = await plant(school, subjectMaster);
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
type TaughtSection = Awaited<ReturnType<typeof place>>;

let here: TaughtSection;
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

test('K3.1 a section has one class teacher on a day, also for simultaneous entries or by SQL', async () => {
  const answers = await Promise.all([post(leader(ashaId)), post(leader(raviId))]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  const refused = answers.find(({ status }) => status === 422);
  expect(refused?.json.error.fields).toEqual({
    effectiveFrom: 'This section already has a class teacher on these days. Use Replace instead.',
  });
  expect((await on(here.from)).assigned).toHaveLength(1);
  await expect(
    school.sql(`insert into academic_section_teacher (academic_year_id, branch_id, program_id, grade_id, section_id, staff_id,
        role, effective_from)
      select academic_year_id, branch_id, program_id, grade_id, section_id, staff_id, role, '${here.until}'
      from academic_section_teacher where section_id = ${here.sectionId}`),
  ).rejects.toThrow('academic_section_teacher_one_class_teacher');
});

test('K3.2 a replacement starts on its first day, and the other teacher ends the day before', async () => {
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

test('a substitute is assigned for the given days, and the first teacher comes back', async () => {
  await post(leader(ashaId));
  const input = { ...(await only()), staffId: raviId, effectiveFrom: day(10), effectiveTo: day(12) };
  await admin.call(sectionTeacherApi.replace, input);
  const days = [9, 10, 12, 13].map((n) => namesOn(day(n)));
  expect(await Promise.all(days)).toEqual([['Asha'], ['Ravi'], ['Ravi'], ['Asha']]);
  // The second request has an outdated version.
  const { id, ...body } = input;
  expect((await post(body, `/${id}/replace`)).json.error.code).toBe('stale');
  const rows = await school.sql(`select details from audit where action = 'section-teacher.replaced'
    and entity_id = ${here.sectionId}`);
  expect(rows.map(({ details }) => details)).toEqual([
    expect.objectContaining({ Teacher: 'Ravi', Role: 'Class teacher', From: day(10), Until: day(12) }),
  ]);
});

test('a replacement from the first day takes over all days; other days and the same teacher are refused', async () => {
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

test('K3.3 only subjects of the grade can be assigned, and a taught one cannot be removed from it', async () => {
  const other = await plant(school, subjectMaster);
  const taught = { role: 'Subject teacher', subjectId: here.subjectId, periodsPerWeek: '5' };
  expect((await on(here.from)).subjects.map(({ id }) => id)).toEqual([here.subjectId]);
  expect((await post(leader(ashaId, { ...taught, subjectId: other.id }))).json.error.fields).toEqual({
    subjectId: 'This subject is not taught in this grade. Add it in the Subject Master.',
  });
  expect((await post(leader(ashaId, { ...taught, subjectId: null }))).json.error.fields).toEqual({
    subjectId: 'Choose one from the list.',
  });
  expect((await post(leader(ashaId, taught))).status).toBe(200);
  expect((await on(here.from)).assigned).toMatchObject([
    { staff: 'Asha', subjectId: here.subjectId, periodsPerWeek: 5 },
  ]);
  await expect(
    school.sql(`delete from configuration_grade_subject where subject_id = ${here.subjectId}`),
  ).rejects.toThrow('academic_section_teacher_is_taught');
});

test('N1.2 removing a taught subject from a grade is refused with its sections and teachers', async () => {
  await post(leader(ashaId, { role: 'Subject teacher', subjectId: here.subjectId }));
  const { academicYearId, programId, gradeId, subjectId } = here;
  const body = { academicYearId, programId, changes: [{ gradeId, subjectId, before: 'C', after: '' }] };
  const { status, json } = await admin.send({ method: 'PUT', url: '/api/configuration/grade-subject', body });
  const [section, subject] = [(await on(here.from)).sections[0], (await on(here.from)).subjects[0]];
  expect([status, json.error.message]).toEqual([
    409,
    `Subjects with teachers: ${section?.name}: ${subject?.name} (Asha). Remove the teachers in Section Teacher Mapping first.`,
  ]);
  expect((await on(here.from)).subjects).toHaveLength(1);
});

test('K3.4 classes and subjects without a teacher are listed with the inactive teacher’s name', async () => {
  const gaps = () =>
    admin.call(sectionTeacherApi.gaps, {
      academicYearId: here.academicYearId,
      gradeId: '',
      sectionId: '',
      staffId: '',
      on: here.from,
    });
  const meena = await school.person({ name: 'Meena' });
  const counted = () => countGaps(school.services, { academicYearId: here.academicYearId, on: here.from });
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
  // An inactive teacher cannot be assigned again.
  const refused = await post(leader(await staffIdOf(meena), { role: 'Co-class teacher' }));
  expect(refused.json.error.fields).toEqual({ staffId: 'This entry is inactive. Choose another one.' });
});

/** The rows of an export without their quotes. */
const rowsOf = (csv: string) => csv.replace('\uFEFF', '').replaceAll('"', '').trim().split('\r\n');
const exported = async (overrides: object = {}) => {
  const filter = { academicYearId: here.academicYearId, gradeId: here.gradeId, on: here.from, as: 'csv', ...overrides };
  const query = Object.entries(filter).map(([name, value]) => `${name}=${value}`);
  return (await admin.send({ url: `/api/academic/section-teacher/export?${query.join('&')}&staffId=` })).text;
};

test('K3.5 the export has all assignments, missing teachers and later ones', async () => {
  await post(leader(ashaId, { effectiveTo: day(9) }));
  await post(leader(raviId, { role: 'Co-class teacher', effectiveFrom: day(1) }));
  const shown = await on(here.from);
  const [section, subject] = [shown.sections[0], shown.subjects[0]];
  const place = `${section?.name},${section?.program},${section?.branch}`;
  expect(rowsOf(await exported())).toEqual([
    'Section,Program,Branch,Role,Subject,Teacher,Periods per week,From,Until,Note',
    `${place},Class teacher,,Asha,,${here.from},${day(9)},`,
    `${place},Co-class teacher,,Ravi,,${day(1)},,`,
    `${place},Subject teacher,${subject?.name},,,${here.from},,no teacher`,
  ]);
  // Ended entries are left out.
  expect(rowsOf(await exported({ on: day(10) })).map((row) => row.slice(place.length))).toEqual([
    expect.anything(),
    `,Class teacher,,,,${day(10)},,no teacher`,
    `,Co-class teacher,,Ravi,,${day(1)},,`,
    expect.stringContaining('no teacher'),
  ]);
  expect(await school.sql(`select 1 from audit where action = 'section-teacher.exported'`)).not.toEqual([]);
});

const importing = (file: string, confirmToken?: string, academicYearId = here.academicYearId) =>
  admin.send({
    method: 'POST',
    url: '/api/academic/section-teacher/import',
    body: { academicYearId, file, confirmToken },
  });
const heads = 'Section,Program,Branch,Role,Subject,Teacher,Periods per week,From,Until,Note';
/** The rows of a file about this test's section. */
const fileOf = async (...rows: string[]) => {
  const { sections } = await on(here.from);
  const place = `"${sections[0]?.name}",${sections[0]?.program},`;
  return [heads, ...rows.map((row) => `${place},${row}`)].join('\n');
};

test('an imported export changes nothing, and teachers filled in there are assigned once', async () => {
  await post(leader(ashaId));
  const file = await exported();
  expect((await importing(file)).json).toMatchObject({ counts: { added: 0, changed: 0, same: 2, wrong: 0 } });

  const filled = file
    .replace(/,"","",("[-0-9]+"),"","no teacher"/, `,"RAVI","6",$1,"${day(20)}",""`)
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
  // The confirmation is outdated.
  expect((await importing(filled, trial.confirmToken)).json.error.code).toBe('stale');
  const acts = await school.sql(`select action from audit where request_id =
    (select request_id from audit where action = 'section-teacher.imported' and entity_id = ${here.academicYearId})`);
  expect(acts.map(({ action }) => action).sort()).toEqual([
    'section-teacher.assigned',
    'section-teacher.changed',
    'section-teacher.imported',
  ]);
});

test('a class word such as 5-A finds its section, and the preview shows the section’s own name', async () => {
  const { sections } = await on(here.from);
  const name = String(sections[0]?.name);
  const [place] = await school.sql(`select grade.name as grade, section.name as letter from academic_section section
    join academic_grade grade on grade.id = section.grade_id where section.id = ${sections[0]?.id}`);
  await school.sql(`update academic_section set name = 'A' where id = ${sections[0]?.id}`);
  const number = String(place?.grade).replace(/[^0-9]/g, '') || String(place?.grade);
  const own = name.replace(String(place?.letter), 'A');
  for (const [word, counts] of [
    [`${number}-A`, { added: 1, wrong: 0 }],
    [`${number} B`, { added: 0, wrong: 1 }],
  ] as const) {
    const file = [heads, `${word},,,Class teacher,,Asha,,${here.from},,`].join('\n');
    const { json } = await importing(file);
    expect(json).toMatchObject({ counts });
    if (counts.added > 0) expect(json.rows[0].cellsAsStored.section).toBe(own);
  }
  await school.sql(`update academic_section set name = '${place?.letter}' where id = ${sections[0]?.id}`);
});

test('one refused row refuses the whole file, and each refused row has its reason', async () => {
  const lata = await school.person({ name: 'Lata' });
  await school.sql(`update sign_in_account set is_active = false where id = ${lata.id}`);
  const [subject] = (await on(here.from)).subjects;
  const other = await plant(school, subjectMaster);
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
  expect(json.rows.map(({ messages }: ImportRow) => Object.values(inEnglish(messages)).join(' '))).toEqual([
    'This section already has a class teacher on these days. Use Replace instead.',
    'Line 2 of the file has the same entry.',
    '“Nobody Known” does not exist.',
    'This entry is inactive. Choose another one.',
    'Enter a valid date, such as 21-11-2026.',
    'Only subject teachers have a subject. Leave this empty.',
    'Choose one from the list.',
    'This subject is not taught in this grade. Add it in the Subject Master.',
    'Enter a whole number from 1 to 60.',
    'Use one of these: Class teacher, Co-class teacher, Subject teacher.',
    '“=1+1” does not exist.',
    'Enter a later last day.',
    '“Nowhere, Z” does not exist.',
    '',
  ]);
  expect((await on(here.from)).assigned).toEqual([]);
});

test('an invalid file, or one for a closed year, is refused with the reason', async () => {
  const row = 'Class teacher,,Asha,,2026-06-01,,';
  const fileError = async (file: string) => (await importing(file)).json.error.fields?.file;
  expect(await fileError('PK\u0003\u0004')).toBe('Choose an Excel file (.xlsx) or a CSV UTF-8 file.');
  expect(await fileError('Section,Salary\nA,1')).toMatch(
    /^Unknown column “Salary”. Use these columns: Grade, Section, /,
  );
  expect(await fileError('Section,Role,Section\nA,B,C')).toBe('The column “Section” appears twice.');
  expect(await fileError('Section,Role\nA,B')).toBe('The column “Subject, Teacher, From” is missing.');
  expect(await fileError(heads)).toBe('This file has no rows. Add rows below the headings.');
  expect(await fileError(`${heads}\n${`x,,,${row}\n`.repeat(20_001)}`)).toMatch(/^This file has 20,001 rows. /);
  await school.sql(`update academic_year set status = 'Closed' where id = ${here.academicYearId}`);
  expect((await importing(await fileOf(row))).json.error.message).toMatch('closed');
});

test('of two teachers with the same name an import finds the assigned one', async () => {
  const twins = [await school.person({ name: 'Tara Twin' }), await school.person({ name: 'Tara Twin' })];
  const file = await fileOf(`Co-class teacher,,Tara Twin,,${here.from},${day(3)},`);
  expect(inEnglish((await importing(file)).json.rows[0].messages)).toEqual({
    staffId: '“Tara Twin” matches more than one entry.',
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

test('filtered by teacher, their sections are shown with all their teachers and the teacher’s subjects', async () => {
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
  const filter = {
    academicYearId: here.academicYearId,
    gradeId: '',
    sectionId: '',
    staffId: raviId,
    on: day(3),
  } as const;
  expect((await admin.call(sectionTeacherApi.load, filter)).rows).toMatchObject([{ staff: 'Ravi', sections: 1 }]);
});

test('filtered by section, its subjects and missing teachers are shown', async () => {
  const other = await place({ academicYearId: here.academicYearId });
  await post(leader(ashaId));
  await post({ ...leader(raviId), sectionId: other.sectionId });
  const filter = {
    academicYearId: here.academicYearId,
    sectionId: here.sectionId,
    staffId: '',
    on: here.from,
  } as const;
  const alone = await admin.call(sectionTeacherApi.read, { ...filter, gradeId: '' });
  expect(alone.sections).toMatchObject([{ id: here.sectionId, subjectIds: [here.subjectId] }]);
  expect([alone.subjects.length, alone.assigned.map(({ staff }) => staff)]).toEqual([1, ['Asha']]);
  const { gaps } = await admin.call(sectionTeacherApi.gaps, { ...filter, gradeId: '' });
  expect(gaps.map(({ sectionId }) => sectionId)).toEqual([here.sectionId]);
  expect((await admin.call(sectionTeacherApi.read, { ...filter, gradeId: other.gradeId })).sections).toEqual([]);
});

test('without a grade only class teachers are shown', async () => {
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

test('an inactive subject is shown while it has a teacher, and cannot be assigned', async () => {
  await post(leader(ashaId, { role: 'Subject teacher', subjectId: here.subjectId, effectiveTo: day(9) }));
  await school.sql(`update configuration_subject set is_active = false where id = ${here.subjectId}`);
  expect((await on(day(9))).subjects).toMatchObject([{ id: here.subjectId, isActive: false }]);
  expect((await on(day(10))).subjects).toEqual([]);
  const refused = await post(leader(raviId, { role: 'Subject teacher', subjectId: here.subjectId }));
  expect(refused.json.error.fields).toEqual({
    subjectId: 'This entry is inactive. Choose another one.',
  });
});

test('a class teacher of two sections is reported; repeated entries and invalid days are refused', async () => {
  const first = await post(leader(ashaId));
  expect(first.json).toEqual({ alsoOf: [] });
  const again = { role: 'Co-class teacher' };
  await post(leader(ashaId, again));
  expect(Object.keys((await post(leader(ashaId, again))).json.error.fields)).toEqual(['staffId']);
  expect(Object.keys((await post(leader(raviId, { ...again, effectiveTo: '1999-01-01' }))).json.error.fields)).toEqual([
    'effectiveTo',
  ]);
  const outside = await post(leader(raviId, { ...again, effectiveFrom: '1999-01-01' }));
  expect(outside.json.error.fields).toEqual({ effectiveFrom: 'Enter dates within the academic year.' });
  const after = await post(leader(raviId, { ...again, effectiveTo: day(400) }));
  expect(Object.keys(after.json.error.fields)).toEqual(['effectiveFrom']);
  const other = await place({ academicYearId: here.academicYearId });
  const second = await post({ ...leader(ashaId), sectionId: other.sectionId });
  expect(second.json.alsoOf).toHaveLength(1);
  // An entry without a last day ends with its year.
  here = await place();
  expect((await post(leader(ashaId))).json.alsoOf).toEqual([]);
});

test('the database keeps an entry within its section, and a subject teacher’s with a subject', async () => {
  await post(leader(ashaId));
  const set = (change: string) =>
    school.sql(`update academic_section_teacher set ${change} where section_id = ${here.sectionId}`);
  await expect(set(`subject_id = ${here.subjectId}`)).rejects.toThrow('academic_section_teacher_subject');
  await expect(set(`role = 'Subject teacher'`)).rejects.toThrow('academic_section_teacher_subject');
  const other = await place({ academicYearId: here.academicYearId });
  await expect(set(`grade_id = ${other.gradeId}`)).rejects.toThrow('academic_section_teacher_of_section');
});

test('an inactive section takes no new teachers and is left out of loads and gaps; its entries can end', async () => {
  await post(leader(ashaId));
  const entry = await only();
  await school.sql(`update academic_section set is_active = false where id = ${here.sectionId}`);
  const off = 'This section is inactive. Activate it in the Academic Master first.';
  const { id, version } = entry;
  const body = { version, staffId: raviId, effectiveFrom: day(3), effectiveTo: '' };
  for (const { status, json } of [await post(leader(raviId)), await post(body, `/${id}/replace`)])
    expect([status, json.error.message]).toEqual([409, off]);
  const filter = {
    academicYearId: here.academicYearId,
    gradeId: '',
    sectionId: '',
    staffId: '',
    on: here.from,
  } as const;
  expect(await admin.call(sectionTeacherApi.load, filter)).toEqual({ rows: [], omitted: 0 });
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

test('an entry’s days and periods can be changed, and a mistaken entry removed', async () => {
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
  const year = await plant(school, yearMaster);
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
  // Its grade has no subjects there yet.
  const trial = await preview();
  expect(trial).toMatchObject({
    added: 1,
    alreadyThere: 0,
    left: [{ why: text`This subject is not taught in this grade. Add it in the Subject Master.` }],
  });
  const { confirmToken: subjects } = await admin.call(gradeSubjectApi.copy, body);
  await admin.call(gradeSubjectApi.copy, { ...body, confirmToken: subjects ?? '' });
  const apply = (confirmToken: string | null) => post({ ...body, confirmToken }, '/copy');
  // One more would be copied than the preview showed.
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

test('ended entries, inactive teachers and inactive sections are not copied, nor anything into a closed year', async () => {
  const year = await plant(school, yearMaster);
  const meena = await school.person({ name: 'Meena' });
  const body = { fromYearId: here.academicYearId, toYearId: year.id };
  const copy = async () => (await post(body, '/copy')).json;
  const whys = async () => (await copy()).left.map(({ why }: { why: Text }) => english(why));
  await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select ${year.id}, branch_id, grade_id, program_id, name, capacity, medium from academic_section
    where id = ${here.sectionId}`);
  await post(leader(ashaId, { effectiveTo: day(9) }));
  await post(leader(await staffIdOf(meena), { role: 'Co-class teacher' }));
  expect(await copy()).toMatchObject({ added: 1, alreadyThere: 0, left: [] });
  await school.sql(`update sign_in_account set is_active = false where id = ${meena.id}`);
  expect(await whys()).toEqual(['This entry is inactive. Choose another one.']);
  await school.sql(`update academic_section set is_active = false where academic_year_id = ${year.id}`);
  expect(await whys()).toEqual(['This section does not exist in the new year.']);
  await school.sql(`update academic_year set status = 'Closed' where id = ${year.id}`);
  expect((await copy()).error.message).toEqual(reopenWords);
});

test('a teacher who leaves during a year is not copied into it', async () => {
  const meena = await school.person({ name: 'Meena' });
  const copy = async () => (await post({ fromYearId: here.academicYearId, toYearId: 2 }, '/copy')).json;
  await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select 2, branch_id, grade_id, program_id, name, capacity, medium from academic_section where id = ${here.sectionId}`);
  await post(leader(await staffIdOf(meena)));
  const leave = (day: string) =>
    school.sql(`update staff_employment set last_day = (select ${day} from academic_year where id = 2)
      where staff_id = ${meena.staffId}`);
  await leave('ends_on');
  expect((await copy()).added).toBe(1);
  await leave('ends_on - 1');
  expect((await copy()).left).toMatchObject([{ why: text`This entry is inactive. Choose another one.` }]);
});

test('a year’s dates cannot exclude days of its teachers', async () => {
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
      startsOn: 'Students or teachers have section dates outside the year. Change their dates first.',
    });
  expect((await set({ endsOn: day(200) })).status).toBe(200);
});

test('teachers of a closed year can be read but not changed', async () => {
  await post(leader(ashaId));
  await school.sql(`update academic_year set status = 'Closed' where id = ${here.academicYearId}`);
  const refused = await post(leader(raviId, { role: 'Co-class teacher' }));
  expect(refused.json.error.fields).toEqual({
    effectiveFrom: reopenWords,
  });
  expect(await on(here.from)).toMatchObject({ isClosed: true, assigned: [{ staff: 'Asha' }] });
  await expect(
    school.sql(`delete from academic_section_teacher where academic_year_id = ${here.academicYearId}`),
  ).rejects.toThrow('the academic year is closed');
});

test('a load adds up a teacher’s periods and sections of a day', async () => {
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

test('H3 a replacement leaves nothing behind whichever of its statements fails', async () => {
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

test('a confirmation holds for one file, and a row without a teacher still has its other errors', async () => {
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
