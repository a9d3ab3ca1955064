import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type PermissionSet, staff } from '#access/contract/grants.ts';
import { derivedRights } from '#access/server/derived-right.ts';
import { inScope } from '#access/server/scope.ts';
import { dashboardApi } from '#features/dashboard/contract.ts';
import type { Access } from '#kit/contract/endpoint.ts';
import { english } from '#kit/contract/text.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { enroll } from '#testing/students.ts';
import { openSection, teach } from '#testing/teachers.ts';
import { accountApi } from '../contract/account.ts';

let school: School;
let admin: Person;
beforeAll(async () => {
  school = await openSchool();
  admin = await school.person({ role: 'Admin', name: 'Asha' });
  // She signs in with a password, so she counts as an Admin who can sign in.
  await school.sql(`update sign_in_account set user_name = 'asha', password_hash = '$argon2id$x', password_set_at = now()
    where id = ${admin.id}`);
});
afterAll(() => school.close());
beforeEach(() => {
  school.clock.now = undefined;
});

/** A day of the school's current year, for the clock and in SQL. */
const noon = new Date('2026-11-25T06:30:00Z');
const day = `'2026-11-25'`;
const dayBefore = `'2026-11-24'`;

const setsOf = async (person: Person): Promise<string[]> => (await person.send({ url: '/api/sign-in/me' })).json.sets;
const sourcesOf = async ({ staffId }: Person) =>
  ((await derivedRights(school.services, [staffId])).get(staffId) ?? []).map(({ source }) => english(source));

test('M1.6 a mapping that begins or ends changes the rights of a signed-in teacher at the next request', async () => {
  const ravi = await school.person({ sets: ['hr'] });
  expect(await setsOf(ravi)).toEqual(['hr']);
  const section = await teach(school, ravi);
  expect(await setsOf(ravi)).toEqual(['hr', 'classTeacher']);
  await teach(school, ravi, { role: 'Subject teacher', sectionId: section });
  expect(await setsOf(ravi)).toEqual(['hr', 'classTeacher', 'subjectTeacher']);
  await school.sql(`update academic_section_teacher set effective_to = current_date - 1
    where staff_id = ${ravi.staffId} and role = 'Class teacher'`);
  expect(await setsOf(ravi)).toEqual(['hr', 'subjectTeacher']);
  await school.sql(`update academic_section set is_active = false where id = ${section}`);
  expect([await setsOf(ravi), await sourcesOf(ravi)]).toEqual([['hr'], []]);
  await school.sql(`update academic_section set is_active = true where id = ${section}`);
  expect(await setsOf(ravi)).toEqual(['hr', 'subjectTeacher']);
  await school.sql(`delete from academic_section_teacher where staff_id = ${ravi.staffId}`);
  expect(await setsOf(ravi)).toEqual(['hr']);
});

test('a substitute has the rights of a class teacher on the days of the substitution only', async () => {
  const [first, substitute] = [await school.person(), await school.person()];
  const sectionId = await openSection(school, { day: `'2026-12-06'` });
  await teach(school, first, { sectionId, until: `'2026-12-06'` });
  await teach(school, substitute, { sectionId, from: `'2026-12-07'`, until: `'2026-12-09'` });
  await teach(school, first, { sectionId, from: `'2026-12-10'` });
  // Sessions end by the database's clock, days follow the school's: midnight in India is half past six in the evening.
  const days: Record<string, [string[], string[]]> = {};
  for (const moment of [
    '2026-12-06T18:29:00Z',
    '2026-12-06T18:30:00Z',
    '2026-12-09T18:29:00Z',
    '2026-12-09T18:30:00Z',
    '2027-05-31T18:29:00Z',
    '2027-05-31T18:30:00Z',
  ]) {
    school.clock.now = new Date(moment);
    days[moment] = [await setsOf(first), await setsOf(substitute)];
  }
  expect(days).toEqual({
    '2026-12-06T18:29:00Z': [['classTeacher'], []],
    '2026-12-06T18:30:00Z': [[], ['classTeacher']],
    '2026-12-09T18:29:00Z': [[], ['classTeacher']],
    '2026-12-09T18:30:00Z': [['classTeacher'], []],
    // A mapping without a last day ends with its year.
    '2027-05-31T18:29:00Z': [['classTeacher'], []],
    '2027-05-31T18:30:00Z': [[], []],
  });
});

test('the head of an active department has the set until another one is its head', async () => {
  const head = await school.person();
  await school.sql(`insert into academic_department (name, staff_id) values ('Botany', ${head.staffId})`);
  expect([await setsOf(head), await sourcesOf(head)]).toEqual([['headOfDepartment'], ['Head of Botany']]);
  await school.sql(`update academic_department set is_active = false where name = 'Botany'`);
  expect([await setsOf(head), await sourcesOf(head)]).toEqual([[], []]);
  await school.sql(
    `update academic_department set is_active = true, staff_id = ${admin.staffId} where name = 'Botany'`,
  );
  expect(await setsOf(head)).toEqual([]);
});

test('a derived set in the account is refused by the form and by the database', async () => {
  const person = await school.person();
  for (const set of ['classTeacher', 'subjectTeacher', 'headOfDepartment', 'assessor']) {
    const body = { version: 1, userName: '', isStaff: true, isAdmin: false, isActive: true, sets: [set] };
    expect((await admin.send({ method: 'PUT', url: `/api/account/${person.id}`, body })).status).toBe(422);
    await expect(school.sql(`update sign_in_account set sets = '{${set}}' where id = ${person.id}`)).rejects.toThrow(
      'sign_in_account_sets_check',
    );
  }
  expect(await setsOf(person)).toEqual([]);
});

test('a session as Admin has no rights that follow from the mapping', async () => {
  const both = await school.person({ role: 'Admin' });
  await teach(school, both);
  expect(await setsOf(both)).toEqual([]);
});

test('the account shows each derived right with its source, as the session has them', async () => {
  const ravi = await school.person({ name: 'Ravi Sources', sets: ['office'] });
  school.clock.now = noon;
  const [sectionId, second] = [await openSection(school, { day }), await openSection(school, { day })];
  await teach(school, ravi, { sectionId, from: `'2026-06-01'` });
  await teach(school, ravi, { role: 'Subject teacher', sectionId, from: `'2026-07-02'`, until: `'2027-03-31'` });
  await teach(school, ravi, { role: 'Co-class teacher', sectionId: second, from: `'2026-08-03'` });
  await teach(school, ravi, { sectionId: second, until: dayBefore });
  await teach(school, ravi, { sectionId: second, from: `'2026-11-26'` });
  const [row] =
    await school.sql(`select academic_section_name(grade.name, section.name) as name, subject.name as subject
    from academic_section section join academic_grade grade on grade.id = section.grade_id
    join academic_section_teacher own on own.section_id = section.id and own.subject_id is not null
    join configuration_subject subject on subject.id = own.subject_id where section.id = ${sectionId}`);
  const { rows } = await admin.call(accountApi.list, { search: 'Ravi Sources', after: '', state: 'all' });
  expect(rows[0]?.sets).toEqual(['office']);
  expect(rows[0]?.derived.map(({ set, source }) => [set, english(source)])).toEqual([
    ['classTeacher', `Class teacher of ${row?.name} since 1 Jun 2026`],
    ['classTeacher', expect.stringMatching(/^Co-class teacher of .* since 3 Aug 2026$/)],
    ['subjectTeacher', `Teacher of ${row?.subject} in ${row?.name} from 2 Jul 2026 until 31 Mar 2027`],
  ]);
  const derived = new Set(rows[0]?.derived.map(({ set }) => set));
  expect(await setsOf(ravi)).toEqual(['office', ...derived]);
});

/** The students that the dashboard counts for a person. */
const counted = async (person: Person) => {
  const { cards } = await person.call(dashboardApi.read, {});
  const card = cards.find(({ title }) => english(title) === 'Students');
  return card?.figures.find(({ label }) => english(label) === 'Students')?.value ?? 'no card';
};

/** Enrols a child in a section from the year's first day. */
async function seat(sectionId: number, name: string) {
  const [row] = await school.sql(`select academic_year_id, branch_id, program_id, grade_id from academic_section
    where id = ${sectionId}`);
  const [academicYearId, branchId, programId, gradeId] = [
    Number(row?.academic_year_id),
    Number(row?.branch_id),
    Number(row?.program_id),
    Number(row?.grade_id),
  ];
  const enrollmentId = await enroll(school, { academicYearId, branchId, programId, gradeId }, name);
  await school.sql(`insert into student_section (enrollment_id, student_id, academic_year_id, branch_id, program_id,
      grade_id, section_id, effective_from)
    select enrollment.id, student_id, academic_year_id, branch_id, program_id, grade_id, ${sectionId}, joined_on
    from student_enrollment enrollment where id = ${enrollmentId}`);
}

test('B9 of the students a teacher sees the own sections of today, an office person the branches of the account', async () => {
  school.clock.now = noon;
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('Vesu', 'VESU') returning id`);
  const vesu = Number(branch?.id);
  const [own, other, there] = [
    await openSection(school, { day }),
    await openSection(school, { day }),
    await openSection(school, { day, branchId: vesu }),
  ];
  for (const [section, count] of [
    [own, 1],
    [other, 2],
    [there, 4],
  ] as const)
    for (let number = 0; number < count; number++) await seat(section, `Child ${section} ${number}`);

  const teacher = await school.person();
  await teach(school, teacher, { sectionId: own });
  const outside = await school.person();
  await teach(school, outside, { sectionId: own, role: 'Subject teacher', until: dayBefore });
  await teach(school, outside, { sectionId: await openSection(school, { day }), role: 'Subject teacher' });
  const both = await school.person({ sets: ['office'], branchIds: [vesu] });
  await teach(school, both, { sectionId: own, role: 'Subject teacher' });
  const nurseTeacher = await school.person({ sets: ['nurse'] });
  await teach(school, nurseTeacher, { sectionId: other });

  expect({
    admin: await counted(admin),
    teacher: await counted(teacher),
    outside: await counted(outside),
    office: await counted(await school.person({ sets: ['office'] })),
    officeOfVesu: await counted(await school.person({ sets: ['office'], branchIds: [vesu] })),
    both: await counted(both),
    // A set that gives no access to students widens nothing.
    nurseTeacher: await counted(nurseTeacher),
    hr: await counted(await school.person({ sets: ['hr'] })),
  }).toEqual({
    admin: 7,
    teacher: 1,
    outside: 'no card',
    office: 7,
    officeOfVesu: 4,
    both: 5,
    nurseTeacher: 7,
    hr: 'no card',
  });
});

test('an Admin limits an account to branches, which counts at the next request and is audited', async () => {
  const [branch] = await school.sql(`insert into academic_branch (name, code) values ('Adajan', 'ADAJ') returning id`);
  const adajan = Number(branch?.id);
  school.clock.now = noon;
  const person = await school.person({ sets: ['office'] });
  await seat(await openSection(school, { day }), 'Mira');
  const all = await counted(person);
  const change = (version: number, branchIds?: number[]) =>
    admin.call(accountApi.update, {
      ...{ id: person.id, version, userName: '', isStaff: true, isAdmin: false, isActive: true },
      sets: ['office'],
      ...(branchIds && { branchIds }),
    });
  expect((await change(1, [adajan])).branchIds).toEqual([adajan]);
  expect(await counted(person)).toBe('no card');
  // A page that was open before accounts had branches does not widen them.
  expect((await change(2)).branchIds).toEqual([adajan]);
  await expect(change(3, [adajan, 999_999])).rejects.toMatchObject({ code: 'invalid', fields: { branchIds: {} } });
  expect((await change(3, [])).branchIds).toEqual([]);
  expect(await counted(person)).toBe(all);
  const rows = await school.sql(`select details from audit where action = 'account.changed'
    and entity_id = ${person.id} order by id`);
  const same = { before: 'active Staff office', after: 'active Staff office' };
  expect(rows.map(({ details }) => details)).toEqual([
    { ...same, branches: '– → ADAJ' },
    same,
    { ...same, branches: 'ADAJ → –' },
  ]);
});

test('a set reaches the records of its own sections only, and a record without a place is in nobody’s scope', async () => {
  const scope = { branches: [2], led: [10], taught: [20], covered: [30] };
  const user = { id: 1, staffId: 1, name: 'Ravi', session: 1, confirmedFor: 0, scope };
  const sees = async (
    sets: PermissionSet[],
    access: Access,
    place: { branch: number | null; section?: number | null },
  ) => {
    const [branch, section] = [sql`${place.branch}::integer`, sql`${place.section ?? null}::integer`];
    const isSeen = inScope({ ...user, role: 'Staff', sets }, access, {
      branch,
      ...('section' in place && { section }),
    });
    const { rows } = await sql<{ isSeen: boolean }>`select ${isSeen} as "isSeen"`.execute(school.services.db);
    return rows[0]?.isSeen;
  };
  const [leaders, teachers] = [[staff('classTeacher')], [staff('subjectTeacher', 'office')]];
  const all: PermissionSet[] = ['classTeacher', 'subjectTeacher', 'office'];
  const [led, taught] = [
    { branch: 1, section: 10 },
    { branch: 1, section: 20 },
  ];
  expect([await sees(all, leaders, led), await sees(all, leaders, taught)]).toEqual([true, false]);
  expect([await sees(all, teachers, led), await sees(all, teachers, taught)]).toEqual([false, true]);
  expect(await sees(all, teachers, { branch: 2, section: 30 })).toBe(true);
  expect(await sees(all, leaders, { branch: 2, section: 30 })).toBe(false);
  expect(await sees(all, teachers, { branch: null, section: null })).toBe(false);
  expect([await sees(all, teachers, { branch: 2 }), await sees(all, teachers, { branch: 1 })]).toEqual([true, false]);
  expect(await sees(['nurse'], teachers, { branch: 2, section: 20 })).toBe(false);
});
