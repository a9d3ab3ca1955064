import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sectionMaster } from '#features/academic/contract/masters.ts';
import { yearMaster } from '#features/calendar/contract/masters.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { reopenWords } from '#testing/closed-year.ts';
import { contentsOf, failingAt } from '#testing/failing.ts';
import { plant } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { type EnrolmentPlace, enroll } from '#testing/students.ts';
import { gradeSubjectApi } from '../contract/grade-subject.ts';
import { electiveGroupMaster, subjectMaster } from '../contract/masters.ts';
import { studentSubjectApi } from '../contract/student-subject.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
});
afterAll(() => school.close());

/** A section whose grade has three electives, of which a child chooses one or two, and one compulsory subject. */
async function place() {
  const section = await plant(school, sectionMaster);
  const { academicYearId, branchId, programId, gradeId } = section as unknown as EnrolmentPlace;
  const group = await plant(school, electiveGroupMaster);
  const subjects: number[] = [];
  for (const name of ['Art', 'Band', 'Chess', 'English']) {
    const { id } = await plant(school, subjectMaster);
    await school.sql(`update configuration_subject set name = '${name} ${group.id}' where id = ${id}`);
    subjects.push(id);
  }
  const [art = 0, band = 0, chess = 0, english = 0] = subjects;
  const at = { academicYearId, gradeId, programId };
  await put('grade-subject', {
    academicYearId,
    programId,
    changes: subjects.map((subjectId) => ({
      gradeId,
      subjectId,
      before: '',
      after: subjectId === english ? 'C' : `E${group.id}`,
    })),
  });
  return { ...at, branchId, sectionId: section.id, group, groupId: group.id, art, band, chess, english };
}

const put = (path: string, body: object) => admin.send({ method: 'PUT', url: `/api/configuration/${path}`, body });

let here: Awaited<ReturnType<typeof place>>;
beforeEach(async () => {
  here = await place();
});

/** Enrols a child in the grade; returns the enrollment. */
const child = (name: string) => enroll(school, here, name);

const at = () => {
  const { academicYearId, gradeId, programId, groupId } = here;
  return { academicYearId, gradeId, programId, groupId };
};
const take = (enrollmentId: number, subjectId: number) => ({ enrollmentId, subjectId, before: false, after: true });
const drop = (enrollmentId: number, subjectId: number) => ({ enrollmentId, subjectId, before: true, after: false });
const save = (...changes: object[]) => put('student-subject', { ...at(), changes });
const students = async (overrides: { sectionId?: string; few?: '' | 'yes'; search?: string } = {}) => {
  const { few = '', ...filter } = overrides;
  return admin.call(studentSubjectApi.students, { ...at(), sectionId: '', search: '', few, ...filter });
};
const chosen = async () =>
  Object.fromEntries((await students()).students.map((student) => [student.name, student.chosen]));
/** Writes directly to the database, past the application's rules. */
const insert = (enrollmentId: number, subjectId: number) =>
  school.sql(`insert into student_subject (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, subject_id)
    select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${subjectId}
    from student_enrollment where id = ${enrollmentId}`);

test('an inactive elective, or one of an inactive group, can only be removed', async () => {
  const [asha, bela] = [await child('Asha'), await child('Bela')];
  await save(take(asha, here.art));
  for (const off of [
    `configuration_subject set is_active = false where id = ${here.art}`,
    `configuration_subject set is_active = true where id = ${here.art}`,
    `configuration_elective_group set is_active = false where id = ${here.groupId}`,
  ]) {
    await school.sql(`update ${off}`);
    const refused = await save(take(bela, here.art));
    if (off.includes('is_active = true')) {
      expect(refused.status).toBe(200);
      await save(drop(bela, here.art));
    } else {
      expect(refused.json.error.message).toBe('This entry is inactive. Choose another one.');
    }
  }
  const { groups } = await admin.call(studentSubjectApi.groups, at());
  expect(groups[0]?.subjects.map(({ isActive }) => isActive)).toEqual([false, false, false]);
  expect((await save(drop(asha, here.art))).status).toBe(200);
});

test('electives are saved for several students together, counted and audited', async () => {
  const [asha, bela] = [await child('Asha'), await child('Bela')];
  await school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id,
      section_id, effective_from)
    select own.id, student_id, academic_year_id, branch_id, program_id, grade_id, ${here.sectionId}, year.starts_on
    from student_enrollment own join academic_year year on year.id = academic_year_id where own.id = ${asha}`);
  expect((await save(take(asha, here.art), take(asha, here.band), take(bela, here.art))).status).toBe(200);
  expect(await chosen()).toEqual({ 'Asha Shah': [here.art, here.band], 'Bela Shah': [here.art] });
  const [row] = await school.sql(`select section.name from academic_section section where id = ${here.sectionId}`);
  expect((await students({ sectionId: String(here.sectionId) })).students).toMatchObject([
    { name: 'Asha Shah', section: row?.name },
  ]);
  expect((await students({ search: 'bel' })).students.map(({ name }) => name)).toEqual(['Bela Shah']);

  expect((await save(drop(asha, here.art), take(asha, here.chess))).status).toBe(200);
  const { groups } = await admin.call(studentSubjectApi.groups, { ...at() });
  expect(groups).toMatchObject([{ groupId: here.groupId, min: 1, max: 2, students: 2, few: 0 }]);
  expect(groups[0]?.subjects.map((subject) => [subject.id, subject.chosen])).toEqual([
    [here.art, 1],
    [here.band, 1],
    [here.chess, 1],
  ]);
  const rows = await school.sql(`select actor, entity, details from audit where action = 'student-subject.changed'
    order by id desc limit 1`);
  expect(rows).toMatchObject([
    {
      actor: 'Kiran',
      entity: 'student',
      details: {
        Student: 'Asha Shah',
        [String(here.group.name)]:
          `Art ${here.groupId}, Band ${here.groupId} → Band ${here.groupId}, Chess ${here.groupId}`,
      },
    },
  ]);
});

test('students with too few electives are marked and can be filtered', async () => {
  const [asha, bela] = [await child('Asha'), await child('Bela')];
  await save(take(asha, here.art));
  const { groups } = await admin.call(studentSubjectApi.groups, { ...at() });
  expect(groups).toMatchObject([{ students: 2, few: 1 }]);
  expect((await students({ few: 'yes' })).students.map(({ id }) => id)).toEqual([bela]);
});

test('a choice of one group does not count in another', async () => {
  const asha = await child('Asha');
  const other = await plant(school, electiveGroupMaster);
  const { id: drama } = await plant(school, subjectMaster);
  const { academicYearId, programId, gradeId } = here;
  const change = { gradeId, subjectId: drama, before: '', after: `E${other.id}` };
  await put('grade-subject', { academicYearId, programId, changes: [change] });
  await save(take(asha, here.art));
  const { groups } = await admin.call(studentSubjectApi.groups, { ...at() });
  const told = Object.fromEntries(groups.map(({ groupId, few, subjects }) => [groupId, [few, subjects.length]]));
  expect(told).toEqual({ [here.groupId]: [0, 3], [other.id]: [1, 1] });
});

test('N1.3 too many electives of a group are refused with the students’ names', async () => {
  const [asha, bela] = [await child('Asha'), await child('Bela')];
  const { status, json } = await save(
    ...[here.art, here.band, here.chess].map((subject) => take(asha, subject)),
    take(bela, here.art),
  );
  expect([status, json.error.message]).toEqual([409, `Choose at most 2 in ${here.group.name} for Asha Shah.`]);
  expect(await chosen()).toEqual({ 'Asha Shah': [], 'Bela Shah': [] });
});

test('N1.3 of two simultaneous saves that together exceed the maximum one is refused', async () => {
  const asha = await child('Asha');
  await save(take(asha, here.art));
  const answers = await Promise.all([save(take(asha, here.band)), save(take(asha, here.chess))]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  expect((await chosen())['Asha Shah']).toHaveLength(2);
});

test('N1.3 two simultaneous inserts by SQL cannot exceed the maximum', async () => {
  const bela = await child('Bela');
  await insert(bela, here.art);
  let later: Promise<unknown> | undefined;
  await school.services.db.transaction().execute(async (db) => {
    await sql`insert into student_subject
        (enrollment_id, student_id, academic_year_id, branch_id, program_id, grade_id, subject_id)
      select id, student_id, academic_year_id, branch_id, program_id, grade_id, ${here.band}
      from student_enrollment where id = ${bela}`.execute(db);
    later = insert(bela, here.chess).then(
      () => 'done',
      (error: Error) => error.message,
    );
    const waiting = () =>
      school.sql(`select 1 from pg_stat_activity where datname = current_database()
        and wait_event_type = 'Lock' and query like '%insert into student_subject%'`);
    await expect.poll(waiting).toHaveLength(1);
  });
  expect(await later).toBe('more electives than the group allows');
  expect((await chosen())['Bela Shah']).toHaveLength(2);
});

test('N1.3 neither a lower maximum nor a subject joining the group can leave a student with too many', async () => {
  const asha = await child('Asha');
  await save(take(asha, here.art), take(asha, here.band));
  const { id, version, name } = here.group;
  const body = { name, minChoices: 1, maxChoices: 1, isActive: true, version };
  const { json } = await put(`elective-group/${id}`, body);
  expect(json.error.fields).toEqual({
    maxChoices: 'Some students would have too many electives. Change their electives first.',
  });

  const change = { gradeId: here.gradeId, subjectId: here.chess };
  const { academicYearId, programId } = here;
  const matrix = (before: string, after: string) =>
    put('grade-subject', { academicYearId, programId, changes: [{ ...change, before, after }] });
  expect((await matrix(`E${here.groupId}`, 'E')).status).toBe(200);
  await put('student-subject', { ...at(), groupId: null, changes: [take(asha, here.chess)] });
  const refused = await matrix('E', `E${here.groupId}`);
  expect([refused.status, refused.json.error.message]).toEqual([
    409,
    'Some students would have too many electives. Change their electives first.',
  ]);
});

test('only electives of the grade can be chosen, through the page or by SQL', async () => {
  const asha = await child('Asha');
  const other = await plant(school, subjectMaster);
  for (const subject of [here.english, other.id]) {
    expect((await save(take(asha, subject))).json.error.message).toBe(
      'Someone else has changed this. Check it and try again.',
    );
    await expect(insert(asha, subject)).rejects.toThrow('student_subject_is_elective');
  }
  const elsewhere = here;
  here = await place();
  const { status, json } = await save(take(asha, here.art));
  expect([status, json.error.message]).toEqual([409, 'Someone else has changed this. Check it and try again.']);
  here = elsewhere;
  expect((await put('student-subject', { ...at(), groupId: 999_999, changes: [take(asha, here.art)] })).status).toBe(
    409,
  );
  expect((await save(take(asha, here.art), drop(asha, here.art))).status).toBe(422);
  expect(await chosen()).toEqual({ 'Asha Shah': [] });
});

test('a save from outdated choices is refused', async () => {
  const [asha, bela] = [await child('Asha'), await child('Bela')];
  await save(take(asha, here.art));
  const { status, json } = await save(take(bela, here.art), take(asha, here.art));
  expect([status, json.error.code]).toEqual([409, 'stale']);
  expect((await save(drop(bela, here.band))).json.error.code).toBe('stale');
  expect(await chosen()).toEqual({ 'Asha Shah': [here.art], 'Bela Shah': [] });
});

test('N1.2 removing a chosen elective from a grade, or making it compulsory, is refused with the students’ names', async () => {
  const [asha, bela] = [await child('Asha'), await child('Bela')];
  await save(take(bela, here.art), take(asha, here.art));
  const [grade] = await school.sql(`select name from academic_grade where id = ${here.gradeId}`);
  const { academicYearId, programId, gradeId, art } = here;
  for (const after of ['', 'C']) {
    const changes = [{ gradeId, subjectId: art, before: `E${here.groupId}`, after }];
    const { status, json } = await put('grade-subject', { academicYearId, programId, changes });
    const what = `${grade?.name}: Art ${here.groupId}`;
    expect([status, json.error.message]).toEqual([
      409,
      `Electives already chosen: ${what} (Asha Shah); ${what} (Bela Shah). Change these students’ electives first.`,
    ]);
    await expect(
      school.sql(`${after === '' ? 'delete from' : 'update'} configuration_grade_subject
        ${after === '' ? '' : 'set is_compulsory = true, elective_group_id = null'} where subject_id = ${art}`),
    ).rejects.toThrow('student_subject_is_elective');
  }
});

test('a student who is moved to another grade on the first day chooses electives again, and the preview says so', async () => {
  const asha = await child('Asha');
  await save(take(asha, here.art));
  const { academicYearId } = here;
  const other = await plant(school, sectionMaster, { academicYearId });
  const [year] = await school.sql(`select starts_on::text as day from academic_year where id = ${academicYearId}`);
  const body = { academicYearId, sectionId: other.id, enrollmentIds: [asha], from: year?.day, reason: '' };
  const { json } = await admin.send({ method: 'POST', url: '/api/academic/section-student', body });
  expect(json.also.map(english)).toEqual([expect.stringMatching(/^Electives to choose again: Art /)]);
  expect((await chosen())['Asha Shah']).toEqual([here.art]);
  const confirmed = { ...body, confirmToken: json.confirmToken };
  await admin.send({ method: 'POST', url: '/api/academic/section-student', body: confirmed });
  expect(await school.sql(`select from student_subject where enrollment_id = ${asha}`)).toEqual([]);
});

test('a copied year has the electives without the students’ choices', async () => {
  const asha = await child('Asha');
  await save(take(asha, here.art));
  const to = await plant(school, yearMaster);
  const years = { fromYearId: here.academicYearId, toYearId: to.id };
  const { confirmToken } = await admin.call(gradeSubjectApi.copy, years);
  await admin.call(gradeSubjectApi.copy, { ...years, confirmToken: confirmToken ?? '' });
  const copied = { academicYearId: to.id, gradeId: here.gradeId };
  const { groups } = await admin.call(studentSubjectApi.groups, copied);
  expect(groups).toMatchObject([{ subjects: [{ chosen: 0 }, { chosen: 0 }, { chosen: 0 }], students: 0 }]);
  expect(await school.sql(`select 1 from student_subject where academic_year_id = ${to.id}`)).toEqual([]);
});

test('the choices of a closed year can be read but not changed', async () => {
  const asha = await child('Asha');
  await save(take(asha, here.art));
  await school.sql(`update academic_year set status = 'Closed' where id = ${here.academicYearId}`);
  const { status, json } = await save(drop(asha, here.art));
  expect([status, json.error.message]).toEqual([409, reopenWords]);
  expect((await admin.call(studentSubjectApi.groups, { ...at() })).isClosed).toBe(true);
  await expect(school.sql(`delete from student_subject where enrollment_id = ${asha}`)).rejects.toThrow('closed');
  expect(await chosen()).toEqual({ 'Asha Shah': [here.art] });
});

test('H3 a save of electives leaves nothing behind whichever of its statements fails', async () => {
  const asha = await child('Asha');
  await save(take(asha, here.art));
  const contents = async () => ({ ...(await contentsOf(school)), sign_in_session: '' });
  const before = await contents();
  for (let n = 1; ; n++) {
    const { status } = await failingAt(n, () => save(drop(asha, here.art), take(asha, here.band)));
    if (status === 200) break;
    expect([n, status, await contents()]).toEqual([n, 500, before]);
  }
});

test('a student who left stays listed while they have choices, which can only be removed', async () => {
  const [asha, bela] = [await child('Asha'), await child('Bela')];
  await save(take(asha, here.art), take(bela, here.art));
  const [year] = await school.sql(
    `select (starts_on + 5)::text as on from academic_year where id = ${here.academicYearId}`,
  );
  await school.sql(`update student_enrollment set status = 'Transferred', left_on = '${year?.on}' where id = ${asha}`);
  const [planned] = (await students()).students;
  const past = `update academic_year set starts_on = '2019-06-01', ends_on = '2019-12-01' where id = ${here.academicYearId}`;
  expect(planned).toMatchObject({ id: asha, until: '' });

  await school.sql(`update student_enrollment set joined_on = '2019-06-01' where id in (${asha}, ${bela})`);
  await school.sql(`update student_enrollment set left_on = '2019-07-01' where id = ${asha}`);
  await school.sql(past);
  expect((await students()).students.map(({ id, until }) => [id, until])).toEqual([
    [bela, ''],
    [asha, '2019-07-01'],
  ]);
  const { groups } = await admin.call(studentSubjectApi.groups, { ...at() });
  expect(groups).toMatchObject([{ students: 1, few: 0, subjects: [{ chosen: 1 }, {}, {}] }]);
  const refused = await save(take(asha, here.band));
  expect([refused.status, refused.json.error.code]).toEqual([409, 'conflict']);
  expect((await save(drop(asha, here.art))).status).toBe(200);
  expect((await students()).students.map(({ id }) => id)).toEqual([bela]);
});

test('unchanged choices are not audited', async () => {
  const asha = await child('Asha');
  const nothing = { enrollmentId: asha, subjectId: here.art, before: false, after: false };
  const count = async () => (await school.sql(`select 1 from audit where action = 'student-subject.changed'`)).length;
  const before = await count();
  expect((await save(nothing)).status).toBe(200);
  expect(await count()).toBe(before);
});
