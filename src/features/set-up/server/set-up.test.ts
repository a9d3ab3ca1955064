import { afterAll, beforeAll, expect, test } from 'vitest';
import { calendarApi, usualWeeklyOff } from '#features/calendar/contract/calendar.ts';
import { profileApi } from '#features/school/contract/profile.ts';
import type { AppError } from '#kit/contract/errors.ts';
import { english } from '#kit/contract/text.ts';
import type { Warning } from '#kit/server/warnings.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { findWarnings } from '../../../app/warnings.ts';
import { setUpApi } from '../contract/set-up.ts';

let school: School;
let admin: Person;
let atStart: Warning[];
/** A server as it is before anything was entered, with its first Admin. */
beforeAll(async () => {
  school = await openSchool();
  school.clock.now = new Date('2026-07-10T06:00:00Z');
  await school.sql(`set session_replication_role = replica; delete from academic_term; delete from academic_grade;
    delete from academic_program; delete from academic_board; delete from academic_year; delete from academic_branch;
    delete from academic_school; set session_replication_role = origin`);
  atStart = await findWarnings(school.services);
  admin = await school.person({ name: 'Asha', role: 'Admin' });
});
afterAll(() => school.close());

const profile = {
  ...{ name: 'Vidya Mandir', city: 'Anand', phone: '02692 222333', email: 'office@vidya.example', hours: '9 to 4' },
  ...{
    trustName: '',
    nameLocal: '',
    addressLocal: '',
    udiseCode: '',
    affiliationNo: '',
    address: '',
    website: '',
    principal: '',
    colour: 'Teal',
  },
  ...{ hospitalText: 'The school takes the child to hospital.', financialYearMonth: 4 },
} as const;
const form = {
  ...{ board: 'GSEB', firstClass: 'LKG', lastClass: '10', word: 'Std', sections: 3, capacity: 45 },
  ...{ medium: 'Gujarati', streams: '', hasSubjects: true },
} as const;

const steps = async () => {
  const { steps } = await admin.call(setUpApi.read, {});
  return Object.fromEntries(
    steps.map(({ key, isDone, isSkipped, found }) => [
      key,
      `${isDone ? 'done' : isSkipped ? 'skipped' : 'open'}: ${english(found)}`,
    ]),
  );
};
const refusal = (act: Promise<unknown>) =>
  act.then(
    () => 'taken',
    ({ code, message }: AppError) => `${code}: ${message}`,
  );

test('an empty server names its steps in order, each with what there is, and none is done', async () => {
  expect(await steps()).toEqual({
    school: 'open: 0 of 6 details entered',
    year: 'open: No academic year',
    classes: 'open: 0 classes, 0 sections',
    calendar: 'open: 0 holidays',
    accounts: 'open: 1 account',
    staff: 'open: 1 staff member',
    students: 'open: 0 students',
    teachers: 'open: 0 of 0 sections have a class teacher',
    'fee-messages': 'open: Off',
  });
  expect(await refusal(admin.call(setUpApi.classes, form))).toBe('conflict: Add the academic year first.');
});

test('a start without accounts says how the first Admin is made, and with one it does not', async () => {
  const words = (all: Warning[]) => all.map(({ text }) => english(text)).join(' ');
  expect(words(atStart)).toContain('No account yet. Create the first Admin with: npm run create-admin');
  expect(words(await findWarnings(school.services))).not.toContain('No account yet');
});

test('the first save of the profile adds the school; of two at once one is stale', async () => {
  const { rowVersion, colour } = await admin.call(profileApi.profile, {});
  expect([rowVersion, colour]).toEqual([1, 'Teal']);
  const saves = await Promise.all(
    [1, 2].map(() => refusal(admin.call(profileApi.saveProfile, { ...profile, rowVersion: 1 }))),
  );
  expect(saves.sort()[1]).toBe('taken');
  expect(await school.sql('select name, city, version from academic_school')).toEqual([
    { name: 'Vidya Mandir', city: 'Anand', version: 1 },
  ]);
  expect((await steps()).school).toBe('done: 6 of 6 details entered');
});

test('the first year is current with two terms; a second one is refused, at the same moment too', async () => {
  const answers = await Promise.all([1, 2].map(() => refusal(admin.call(setUpApi.year, { startsOn: '2026-06-01' }))));
  expect(answers.sort()).toEqual([
    'conflict: There is an academic year already. Change it in Academic Master.',
    'taken',
  ]);
  expect(
    await school.sql('select name, year.phase as status, starts_on::text, ends_on::text from academic_year year'),
  ).toEqual([{ name: '2026-27', status: 'Current', starts_on: '2026-06-01', ends_on: '2027-05-31' }]);
  expect(await school.sql('select name, starts_on::text, ends_on::text from academic_term order by id')).toEqual([
    { name: 'First term', starts_on: '2026-06-01', ends_on: '2026-10-31' },
    { name: 'Second term', starts_on: '2026-11-01', ends_on: '2027-05-31' },
  ]);
  expect((await steps()).year).toBe('done: 2026-27');
});

test('classes come with board, branch, sections and subjects; the preview adds nothing', async () => {
  const preview = await admin.call(setUpApi.classes, form);
  expect(preview.parts.map(({ part, added }) => `${part} ${added}`)).toEqual([
    'Branches 1',
    'Boards 1',
    'Programs 1',
    'Classes 12',
    'Sections 36',
    'Subjects of classes 83',
  ]);
  expect((await steps()).classes).toBe('open: 0 classes, 0 sections');
  await admin.call(setUpApi.classes, { ...form, confirmToken: preview.confirmToken ?? '' });
  expect((await steps()).classes).toBe('done: 12 classes, 36 sections');
  expect((await steps()).teachers).toBe('open: 0 of 36 sections have a class teacher');
  expect(
    await school.sql(`select grade.name, grade.code, grade.min_age_months, next.name as next from academic_grade grade
      left join academic_grade next on next.id = grade.next_grade_id
      where grade.name in ('UKG', 'Std 1', 'Std 10') order by grade.position`),
  ).toEqual([
    { name: 'UKG', code: 'UKG', min_age_months: 60, next: 'Std 1' },
    { name: 'Std 1', code: 'S1', min_age_months: 72, next: 'Std 2' },
    { name: 'Std 10', code: 'S10', min_age_months: 180, next: null },
  ]);
  expect(await school.sql(`select distinct capacity, medium from academic_section`)).toEqual([
    { capacity: 45, medium: 'Gujarati' },
  ]);
});

test('the same classes add nothing, and more sections add only those', async () => {
  const again = await admin.call(setUpApi.classes, form);
  expect(again.parts.map(({ added }) => added)).toEqual([0, 0, 0, 0, 0, 0]);
  const more = await admin.call(setUpApi.classes, { ...form, sections: 4 });
  expect(more.parts.find(({ part }) => part === 'Sections')).toEqual({ part: 'Sections', added: 12, alreadyThere: 36 });
});

test('streams are programs with sections and subjects of their own, from class 11 on', async () => {
  const upper = { ...form, lastClass: '12', sections: 1, streams: 'Science,Arts' };
  const preview = await admin.call(setUpApi.classes, upper);
  expect(preview.parts.map(({ part, added }) => `${part} ${added}`)).toEqual([
    'Branches 0',
    'Boards 0',
    'Programs 2',
    'Classes 2',
    'Sections 4',
    'Subjects of classes 12',
  ]);
  await admin.call(setUpApi.classes, { ...upper, confirmToken: preview.confirmToken ?? '' });
  expect(
    await school.sql(`select program.name as program, grade.name as grade, section.name,
        (select string_agg(subject.code, ' ' order by subject.code) from configuration_grade_subject own
          join configuration_subject subject on subject.id = own.subject_id
          where own.program_id = program.id and own.grade_id = grade.id) as subjects
      from academic_section section join academic_grade grade on grade.id = section.grade_id
      join academic_program program on program.id = section.program_id
      where grade.code in ('S11', 'S12') order by 1, 2`),
  ).toEqual([
    { program: 'Arts', grade: 'Std 11', name: 'A', subjects: 'ENG PE' },
    { program: 'Arts', grade: 'Std 12', name: 'A', subjects: 'ENG PE' },
    { program: 'Science', grade: 'Std 11', name: 'A', subjects: 'CHE ENG PE PHY' },
    { program: 'Science', grade: 'Std 12', name: 'A', subjects: 'CHE ENG PE PHY' },
  ]);
  expect((await admin.call(setUpApi.classes, upper)).parts.map(({ added }) => added)).toEqual([0, 0, 0, 0, 0, 0]);
});

test('classes that are added later stand in their place, and lead on from the classes before them', async () => {
  const lower = { ...form, firstClass: 'Nursery', lastClass: 'Nursery', sections: 1 } as const;
  const preview = await admin.call(setUpApi.classes, lower);
  await admin.call(setUpApi.classes, { ...lower, confirmToken: preview.confirmToken ?? '' });
  const grades = await school.sql(`select grade.name, next.name as next from academic_grade grade
    left join academic_grade next on next.id = grade.next_grade_id order by grade.position`);
  expect(grades.map(({ name, next }) => `${name} → ${next}`)).toEqual([
    ...['Nursery → LKG', 'LKG → UKG', 'UKG → Std 1'],
    ...Array.from({ length: 11 }, (_, index) => `Std ${index + 1} → Std ${index + 2}`),
    'Std 12 → null',
  ]);
});

test('a skipped step says so for every Admin, is taken up again, and both are audited once', async () => {
  const skip = (isSkipped: boolean) => admin.call(setUpApi.skip, { key: 'teachers', isSkipped });
  await skip(true);
  await skip(true);
  const other = await school.person({ name: 'Hetal', role: 'Admin' });
  const { steps: seen } = await other.call(setUpApi.read, {});
  expect(seen.filter(({ isSkipped }) => isSkipped).map(({ key }) => key)).toEqual(['teachers']);
  await skip(false);
  await skip(false);
  expect((await steps()).teachers).toMatch(/^open/);
  expect(
    await school.sql(`select action, details ->> 'Step' as step from audit where entity = 'set_up_skip' order by id`),
  ).toEqual([
    { action: 'set-up.skipped', step: 'Class teachers' },
    { action: 'set-up.taken-up', step: 'Class teachers' },
  ]);
  expect(await refusal(admin.call(setUpApi.skip, { key: 'nothing', isSkipped: true }))).toMatch(/^not_found/);
});

test('weekly offs and holidays are one step, saved together', async () => {
  const [{ id }] = (await school.sql('select id from academic_year')) as [{ id: number }];
  const weeklyOff = { ...usualWeeklyOff, saturday: [2, 4] };
  const list = { academicYearId: id, text: '15-08-2026, Independence Day', weeklyOff };
  const save = async (input: typeof list) => {
    const { confirmToken } = await admin.call(calendarApi.importDays, input);
    await admin.call(calendarApi.importDays, { ...input, confirmToken: confirmToken ?? '' });
  };
  await admin.call(calendarApi.importDays, list);
  expect((await steps()).calendar).toBe('open: 0 holidays');
  await save({ ...list, text: '' });
  expect((await steps()).calendar).toBe('done: Weekly offs, no holidays');
  await save(list);
  expect(await admin.call(calendarApi.read, { academicYearId: id })).toMatchObject({
    weeklyOff,
    days: [{ day: '2026-08-15', name: 'Independence Day' }],
  });
  expect((await steps()).calendar).toBe('done: 1 holiday');
});

test('the first account is a member of staff with permissions, invited by email or else by SMS', async () => {
  const values = { name: 'Meera Shah', email: 'Meera@Vidya.example', mobile: '', post: 'Principal' as const };
  await admin.call(setUpApi.account, values);
  await admin.call(setUpApi.account, { name: 'Anil Rana', email: '', mobile: '9825020099', post: 'Office' });
  expect(
    await school.sql(`select staff.name, account.is_staff, account.sets, message.channel, message.recipient
      from sign_in_account account join staff on staff.id = account.staff_id
      join outbox message on message.subject_id = account.id and message.template like 'account-invited%'
      order by staff.id`),
  ).toEqual([
    { name: 'Meera Shah', is_staff: true, sets: ['principal'], channel: 'email', recipient: 'meera@vidya.example' },
    { name: 'Anil Rana', is_staff: true, sets: ['office'], channel: 'sms', recipient: '9825020099' },
  ]);
  const refused = (over: object) =>
    admin.call(setUpApi.account, { ...values, ...over }).catch((error: AppError) => error);
  expect(await refused({})).toMatchObject({ fields: { email: {} } });
  expect(await refused({ email: '' })).toMatchObject({
    fields: { email: { id: 'Enter an email address or a mobile number.' } },
  });
});

test('a last class below the first one is refused', async () => {
  const refused = await admin
    .call(setUpApi.classes, { ...form, lastClass: 'Nursery' })
    .catch((error: AppError) => error);
  expect(refused).toMatchObject({ fields: { lastClass: { id: 'Choose a higher class, or the same one.' } } });
});

test('the other steps follow what their own pages save', async () => {
  await school.person({ name: 'Ravi', role: 'Staff' });
  await school.sql(`insert into staff (name, employee_number) values ('Meena', 'E77')`);
  expect(await steps()).toMatchObject({
    accounts: 'done: 5 accounts',
    staff: 'done: 6 staff members',
  });
});
