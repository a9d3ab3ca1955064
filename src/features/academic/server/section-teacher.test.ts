import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { gradeSubjectApi } from '#features/configuration/contract/grade-subject.ts';
import { subjectMaster } from '#features/configuration/contract/masters.ts';
import type { Person } from '#testing/browser.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { create } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { sectionMaster, yearMaster } from '../contract/masters.ts';
import { sectionTeacherApi } from '../contract/section-teacher.ts';

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
    ...{ academicYearId, programId },
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

const leader = (staffId: number, more: object = {}) => ({
  ...{ sectionId: here.sectionId, role: 'Class teacher', subjectId: null, staffId, periodsPerWeek: null },
  ...{ effectiveFrom: here.from, effectiveTo: '', ...more },
});
const post = (body: object, url = '') =>
  admin.send({ method: 'POST', url: `/api/academic/section-teacher${url}`, body });
const on = (day: string) =>
  admin.call(sectionTeacherApi.read, { academicYearId: here.academicYearId, gradeId: here.gradeId, on: day });
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
    ...{ ...(await only()), staffId: raviId, effectiveFrom: day(40), effectiveTo: '' },
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
  const replace = (more: object) => post({ version, staffId: raviId, effectiveTo: '', ...more }, `/${id}/replace`);
  const fields = async (more: object) => Object.keys((await replace(more)).json.error.fields);
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
    admin.call(sectionTeacherApi.gaps, { academicYearId: here.academicYearId, gradeId: '', on: here.from });
  const meena = await school.person({ name: 'Meena' });
  const before = await gaps();
  expect(before).toMatchObject({ total: 2, gaps: [{ subject: '', left: '' }, { left: '' }] });
  await post(leader(await staffIdOf(meena)));
  await post(leader(ashaId, { role: 'Subject teacher', subjectId: here.subjectId }));
  expect(await gaps()).toEqual({ total: 0, gaps: [] });
  await school.sql(`update sign_in_account set is_active = false where id = ${meena.id}`);
  expect(await gaps()).toMatchObject({ total: 1, gaps: [{ sectionId: here.sectionId, subject: '', left: 'Meena' }] });
  await school.sql(`update configuration_subject set is_active = false where id = ${here.subjectId}`);
  await school.sql(`delete from academic_section_teacher where subject_id = ${here.subjectId}`);
  expect((await gaps()).total).toBe(1);
  // Nor can they be entered anew.
  const refused = await post(leader(await staffIdOf(meena), { role: 'Co-class teacher' }));
  expect(refused.json.error.fields).toEqual({ staffId: 'Meena is not active any more. Choose somebody else.' });
});

test('K3.5 the exported table holds what is shown, and it is written down', async () => {
  await post(leader(ashaId));
  await post(leader(raviId, { role: 'Subject teacher', subjectId: here.subjectId }));
  await post(leader(raviId, { role: 'Co-class teacher', effectiveFrom: day(1) }));
  const { text } = await admin.send({
    url: `/api/academic/section-teacher/export?academicYearId=${here.academicYearId}&gradeId=${here.gradeId}&on=${here.from}&as=csv`,
  });
  const shown = await on(here.from);
  const [section, subject] = [shown.sections[0], shown.subjects[0]];
  const [head, row] = text.replace('\uFEFF', '').trim().split('\r\n');
  expect(head).toBe(`Section,Program,Branch,Class teacher,Co-class teacher,${subject?.name}`);
  expect(row).toBe(`"${section?.name}",${section?.program},${section?.branch},Asha,,Ravi`);
  expect(await school.sql(`select 1 from audit where action = 'section-teacher.exported'`)).not.toEqual([]);
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

test('nobody is entered for a section that is switched off', async () => {
  await school.sql(`update academic_section set is_active = false where id = ${here.sectionId}`);
  expect((await post(leader(ashaId))).status).toBe(404);
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
  const copy = (isTrial: boolean) =>
    admin.call(sectionTeacherApi.copy, { fromYearId: here.academicYearId, toYearId: year.id, isTrial });
  expect(await copy(true)).toMatchObject({
    added: 0,
    there: 0,
    left: [{ why: /new year/ }, {}].map(() => expect.anything()),
  });
  await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select ${year.id}, branch_id, grade_id, program_id, upper(name), capacity, medium from academic_section
    where id = ${here.sectionId}`);
  // Its grade takes no subject there yet.
  const trial = await copy(true);
  expect(trial).toMatchObject({
    added: 1,
    there: 0,
    left: [{ why: 'The grade does not take this subject in the new year.' }],
  });
  await admin.call(gradeSubjectApi.copy, { fromYearId: here.academicYearId, toYearId: year.id, isTrial: false });
  const twice = await Promise.all([copy(false), copy(false)]);
  expect(twice.map(({ added, there }) => [added, there]).sort()).toEqual([
    [0, 2],
    [2, 0],
  ]);
  const { assigned } = await admin.call(sectionTeacherApi.read, {
    ...{ academicYearId: year.id, gradeId: here.gradeId, on: '' },
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
  const body = { fromYearId: here.academicYearId, toYearId: year.id, isTrial: true };
  const copy = async () => (await post(body, '/copy')).json;
  const whys = async () => (await copy()).left.map(({ why }: { why: string }) => why);
  await school.sql(`insert into academic_section (academic_year_id, branch_id, grade_id, program_id, name, capacity, medium)
    select ${year.id}, branch_id, grade_id, program_id, name, capacity, medium from academic_section
    where id = ${here.sectionId}`);
  await post(leader(ashaId, { effectiveTo: day(9) }));
  await post(leader(await staffIdOf(meena), { role: 'Co-class teacher' }));
  expect(await copy()).toEqual({ added: 1, there: 0, left: [] });
  await school.sql(`update sign_in_account set is_active = false where id = ${meena.id}`);
  expect(await whys()).toEqual(['This teacher is not active any more.']);
  await school.sql(`update academic_section set is_active = false where academic_year_id = ${year.id}`);
  expect(await whys()).toEqual(['This section is not there in the new year.']);
  await school.sql(`update academic_year set status = 'Closed' where id = ${year.id}`);
  expect((await copy()).error.message).toBe('This academic year is closed. It can only be read.');
});

test('a year keeps the days of its teachers: it neither ends before them nor begins behind them', async () => {
  await post(leader(ashaId, { effectiveFrom: day(200) }));
  const { rows } = await admin.call(yearMaster.api.list, { search: '' });
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
    admin.call(sectionTeacherApi.load, { academicYearId: here.academicYearId, gradeId: '', on });
  expect(await load(day(3))).toEqual([
    { staffId: ashaId, staff: 'Asha', periods: 7, sections: 1 },
    { staffId: raviId, staff: 'Ravi', periods: 0, sections: 1 },
  ]);
  expect(await load(day(4))).toHaveLength(1);
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
