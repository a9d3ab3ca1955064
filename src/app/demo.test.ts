import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { grantedSets } from '#access/contract/grants.ts';
import { mayOpen } from '#access/contract/may-open.ts';
import { derivedRights } from '#access/server/derived-right.ts';
import { drawApplicants } from '#database/seed/applicants.ts';
import { drawChildren, fullName } from '#database/seed/children.ts';
import { staffDomain } from '#database/seed/demo-people.ts';
import { capacityOf, demoSize, planOf, sectionName, sectionsPerGrade, sizeFor } from '#database/seed/plan.ts';
import { grades } from '#database/seed/school.ts';
import { drawStaff } from '#database/seed/staff.ts';
import { admissionForm as admission } from '#features/admission-form/server/feature.ts';
import { listInquiries } from '#features/admission-form/server/inquiry-links.ts';
import { dailyAbsenceAlert } from '#features/attendance/server/absence-alert.ts';
import { alertDays } from '#features/attendance/server/settings.ts';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { studentReportApi } from '#features/report/contract/student.ts';
import { sectionStudentApi } from '#features/student/contract/section-student.ts';
import { unexplainedApi } from '#features/student/contract/unexplained.ts';
import { aadhaarPlace } from '#features/student/server/person/aadhaar.ts';
import { healthPlace } from '#features/student/server/person/health.ts';
import { studentSubjectApi } from '#features/subject/contract/student-subject.ts';
import { sectionTeacherApi } from '#features/teaching/contract/section-teacher.ts';
import { isAadhaar } from '#kit/contract/aadhaar.ts';
import { type Endpoint, linkNameOf, linkParameter } from '#kit/contract/endpoint.ts';
import { english } from '#kit/contract/text.ts';
import { addDays } from '#kit/server/day.ts';
import { open } from '#kit/server/security/sealed.ts';
import { sessionCookie } from '#kit/server/security/session.ts';
import type { Person } from '#testing/browser.ts';
import { feedValueOf, linkValueOf } from '#testing/family.ts';
import { handlerOf } from '#testing/kinds.ts';
import { callerOf, failureOf, leastInput } from '#testing/least-input.ts';
import { matrix } from '#testing/matrix.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { oneOfEach } from '#testing/soak.ts';
import { teach } from '#testing/teachers.ts';
import { seedDemo } from './demo.ts';
import { features } from './features.server.ts';
import { allRoutes } from './server.ts';

const size = { students: 150, staff: 30, sections: 20, years: 3 };
const now = new Date('2027-02-10T06:00:00Z');

/** Every part but the families', whose pictures take longest. */
const quickParts = features.filter((feature) => feature !== admission);

/** A demo school made at a given time. With this seed number, some children are detained. */
async function openDemo({ at = now, seed = 3, parts = quickParts } = {}): Promise<School> {
  const made = await openOwnSchool({}, { url: inject('postgres').url, template: 'template1' });
  made.clock.now = at;
  expect(await seedDemo(made.app, made.services, { plan: planOf({ ...size, seed }, at), parts })).toBe(true);
  return made;
}

let demo: School;
let admin: Person;
let current: { id: number; next_id: number; past_id: number };
beforeAll(async () => {
  demo = await openDemo({ parts: [...features] });
  admin = await demo.person({ role: 'Admin' });
  const [row] = await demo.sql(`select year.id, next.id as next_id, past.id as past_id from academic_year year
    join academic_year next on next.starts_on = year.ends_on + 1 join academic_year past on past.ends_on = year.starts_on - 1
    where year.id = academic_year_on()`);
  current = row as typeof current;
}, 600_000);
afterAll(() => demo.close());

describe('the plan', () => {
  test('a seed number gives the same people each time, and another one others', () => {
    const people = (seed: number) => {
      const plan = planOf({ ...size, seed }, now);
      const names = drawChildren(plan).map((child) => `${child.grNo} ${fullName(child)} ${child.birthDate}`);
      return JSON.stringify([names, drawStaff(plan), drawApplicants(plan)]);
    };
    expect(people(1)).toBe(people(1));
    expect(people(1)).not.toBe(people(2));
  });

  test('the demo has 15 grades of two or three sections, about 900 students, and 60 staff', () => {
    const plan = planOf(demoSize, now);
    const counts = sectionsPerGrade(plan, grades.length);
    expect([counts.length, Math.min(...counts), Math.max(...counts)]).toEqual([15, 2, 3]);
    const active = drawChildren(plan).filter(({ years }) => years.at(-1)?.status === 'Active');
    expect(active.length).toBeGreaterThan(850);
    expect(active.length).toBeLessThan(950);
    expect(drawStaff(plan)).toHaveLength(54); // Besides the six who sign in.
  });

  test('a large school has a member of staff for 20 students and a section for 40', () => {
    expect(sizeFor(60_000, 10)).toEqual({
      students: 60_000,
      staff: 3000,
      sections: 1500,
      years: 10,
      registerDays: 180,
    });
    const counts = sectionsPerGrade(planOf(sizeFor(60_000, 10), now), grades.length);
    expect(counts.reduce((sum, count) => sum + count)).toBe(1500);
    expect([0, 25, 26, 51, 52].map(sectionName)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA']);
  });

  test('brothers and sisters share a surname and an address, and are more than a year apart', () => {
    const families = new Set(drawChildren(planOf(demoSize, now)).map(({ family }) => family));
    const large = [...families].filter(({ children }) => children.length > 1);
    expect(large.length).toBeGreaterThan(150);
    for (const { surname, father, children, address } of large) {
      for (const child of children) {
        expect(fullName(child)).toBe(`${child.firstName} ${father} ${surname}`);
        expect(child.family.address).toBe(address);
      }
      const born = children.map(({ birthDate }) => Date.parse(birthDate)).sort((a, b) => a - b);
      for (const [index, day] of born.slice(1).entries()) expect(day - (born[index] ?? 0)).toBeGreaterThan(425 * 864e5);
    }
  });

  test.each(['2027-05-31', '2027-06-01', '2027-07-20', '2028-02-29'])('on %s nothing is dated later', (day) => {
    const plan = planOf(size, new Date(`${day}T06:00:00Z`));
    const dates = drawChildren(plan).flatMap(({ birthDate, years }) => [
      birthDate,
      ...years.flatMap(({ joinedOn, seats }) => [joinedOn, ...seats.map(({ from }) => from)]),
    ]);
    const asked = drawApplicants(plan).map(({ askedOn }) => askedOn);
    expect([...dates, ...asked].filter((date) => date > day)).toEqual([]);
  });
});

describe('the demo school', () => {
  /** The content that is the same for every school of a seed number: including ids, without times, keys, files and sealed numbers. */
  const comparedTables = `staff student student_enrollment student_section student_subject academic_section
    academic_section_teacher academic_calendar_day tag_link`.split(/\s+/);
  const rowsOf = (school: School) =>
    Promise.all(
      comparedTables.map((table) =>
        school.sql(
          `select to_jsonb(own) - '{created_at,photo_id,aadhaar}'::text[] as row from ${table} own order by own.id`,
        ),
      ),
    );

  test('Aadhaar numbers and health answers of students open, and belong to no real person', async () => {
    const { keys } = demo.services;
    const numbers = await demo.sql('select id, aadhaar from student where aadhaar is not null');
    const health = await demo.sql('select student_id as id, answers from student_health');
    for (const { id, aadhaar } of numbers)
      expect(isAadhaar(open(keys.data, aadhaarPlace(Number(id)), aadhaar as Buffer).toString())).toBe(false);
    for (const { id, answers } of health)
      expect(JSON.parse(open(keys.data, healthPlace(Number(id)), answers as Buffer).toString())).toHaveProperty(
        'isVaccinated',
      );
    expect([numbers.length > 0, health.length > 0]).toEqual([true, true]);
  });

  test('the same seed number makes the same rows, and another one others', async () => {
    const [same, other] = [await openDemo(), await openDemo({ seed: 2 })];
    const [first, second, third] = [await rowsOf(demo), await rowsOf(same), await rowsOf(other)];
    await same.close();
    await other.close();
    expect(second).toEqual(first.map((rows, index) => (index === 0 ? rows.slice(0, -1) : rows)));
    expect(third).not.toEqual(second);
  });

  test('the office, the reviewer and HR have a few unread notices', async () => {
    const rows =
      await demo.sql(`select staff.name, array_agg(distinct kind order by kind) as kinds, count(*)::int between 1 and 8 as few
      from notice join sign_in_account account on account.id = notice.account_id join staff on staff.id = staff_id
      where read_at is null group by staff.name order by staff.name`);
    expect(rows).toEqual([
      { name: 'Asha Trivedi', kinds: ['staff.documents-due'], few: true },
      { name: 'Kiran Parmar', kinds: ['approval.requested', 'staff.documents-due'], few: true },
      { name: 'Meena Chauhan', kinds: ['admission.form', 'admission.inquiry.assigned'], few: true },
      { name: 'Nilesh Vyas', kinds: ['approval.requested'], few: true },
    ]);
  });

  test('the current year is the one of the day, those before it are closed, and the next one is planned', async () => {
    expect(await demo.sql('select name, year.phase as status from academic_year year order by starts_on')).toEqual([
      { name: '2024-25', status: 'Closed' },
      { name: '2025-26', status: 'Closed' },
      { name: '2026-27', status: 'Current' },
      { name: '2027-28', status: 'Planned' },
    ]);
  });

  test('every child has the age of its grade, and is older only where it was detained', async () => {
    const wrong = await demo.sql(`
      select student.gr_no, grade.name, student.birth_date from student_enrollment own
      join student on student.id = own.student_id
      join academic_year year on year.id = own.academic_year_id
      join academic_grade grade on grade.id = own.grade_id
      where extract(year from age(year.age_cutoff_on, student.birth_date)) * 12 <> grade.min_age_months + 12 * (
        select count(*) from student_enrollment earlier where earlier.student_id = own.student_id
          and earlier.status = 'Detained' and earlier.joined_on < own.joined_on)`);
    expect(wrong).toEqual([]);
  });

  test('who was promoted is in the next grade a year later, who was detained in the same, and who left nowhere', async () => {
    const ways = await demo.sql(`
      select own.status, case later.grade_id when grade.next_grade_id then 'next' when own.grade_id then 'same' end as into,
        min(later.admission_type) as type, bool_and(own.promotion_id is not null) as concluded
      from student_enrollment own
      join academic_grade grade on grade.id = own.grade_id
      join academic_year year on year.id = own.academic_year_id and year.status = 'Closed'
      join academic_year next on next.starts_on = year.ends_on + 1
      left join student_enrollment later on later.student_id = own.student_id and later.academic_year_id = next.id
      group by 1, 2 order by 1, 2`);
    expect(ways.map(({ status, into, type }) => [status, into, type])).toEqual([
      // One child of whom nothing was entered yet.
      ['Active', null, null],
      ['Detained', 'same', 'Existing'],
      ['Left', null, null],
      ['Promoted', 'next', 'Existing'],
    ]);
    const concluded = ways.flatMap((way) => (way.concluded ? way.status : []));
    expect(concluded).toEqual(expect.arrayContaining(['Detained', 'Promoted']));
  });

  test('some students are new, some have left, some have changed their section, and some have none', async () => {
    const [row] = await demo.sql(`
      select count(*) filter (where admission_type = 'New') as new, count(*) filter (where left_on is not null) as left,
        count(*) filter (where (select count(*) from student_section seat where seat.enrollment_id = own.id) = 2) as moved,
        count(*) filter (where not exists (select from student_section seat where seat.enrollment_id = own.id)) as unplaced
      from student_enrollment own`);
    for (const count of Object.values(row ?? {})) expect(Number(count)).toBeGreaterThan(0);
  });

  test('some mothers are staff of the school, with their name and number', async () => {
    const [row] = await demo.sql(`select count(*)::int > 0 as some,
        bool_and(guardian.first_name || ' ' || guardian.last_name = staff.name and guardian.mobile = staff.mobile) as same
      from guardian join staff on staff.id = guardian.staff_id`);
    expect(row).toEqual({ some: true, same: true });
  });

  test('each section has a class teacher, and a teacher for every subject but one', async () => {
    const { gaps } = await admin.call(sectionTeacherApi.gaps, {
      academicYearId: current.id,
      gradeId: '',
      sectionId: '',
      staffId: '',
      on: '',
    });
    expect(gaps.map(({ subject }) => subject)).toEqual([expect.stringMatching(/\S/)]);
  });

  test('the list of a grade shows its sections within their capacity and who has no section', async () => {
    const found = await Promise.all(
      grades.map((_, index) =>
        admin.call(sectionStudentApi.overview, { academicYearId: current.id, gradeId: index + 1, on: '' }),
      ),
    );
    const sections = found.flatMap((overview) => overview.sections);
    expect(sections).toHaveLength(size.sections);
    for (const { strength, capacity } of sections) {
      expect(strength).toBeGreaterThan(0);
      expect(strength).toBeLessThanOrEqual(capacity);
    }
    expect(capacityOf(planOf(size, now))).toBe(sections[0]?.capacity);
  });

  test('the roll numbers of a section are those that the page would give by name', async () => {
    const sections = await demo.sql(`select section_id as id from student_section own
      join academic_year year on year.id = own.academic_year_id and year.id = academic_year_on()
      group by section_id having bool_and(effective_from = year.starts_on and effective_to is null)`);
    expect(sections.length).toBeGreaterThan(3);
    for (const { id } of sections) {
      const { rolls } = await admin.call(sectionStudentApi.number, { id: Number(id), rule: 'Name' });
      expect(rolls.filter(({ before, after }) => before !== after)).toEqual([]);
    }
  });

  test('the page of promotions shows those of the closed year, and offers the students of this one', async () => {
    const look = { academicYearId: current.past_id, gradeId: 5 };
    const [act, ...others] = await admin.call(sectionStudentApi.promotions, look);
    expect(others).toEqual([]);
    expect(act).toMatchObject({ toYear: '2026-27', by: 'Asha Trivedi', at: '2026-05-31T05:30:00.000Z' });
    expect((act?.promoted ?? 0) + (act?.detained ?? 0) + (act?.left ?? 0)).toBeGreaterThan(5);
    const offered = await admin.call(sectionStudentApi.promotion, {
      academicYearId: current.id,
      gradeId: 5,
      toYearId: current.next_id,
    });
    expect(offered.students.filter(({ why }) => why === null).length).toBeGreaterThan(5);
  });

  test('the students of Grade 12 have chosen their three main subjects', async () => {
    const { groups } = await admin.call(studentSubjectApi.groups, { academicYearId: current.id, gradeId: 15 });
    const [group] = groups;
    expect(group).toMatchObject({ name: 'Main subjects', min: 3, max: 3 });
    const chosen = group?.subjects.reduce((sum, subject) => sum + subject.chosen, 0) ?? 0;
    expect(chosen).toBe(3 * ((group?.students ?? 0) - (group?.few ?? 0)));
    expect(chosen).toBeGreaterThan(0);
  });

  test('a family is in every state of the form, and its child has the age of its grade', async () => {
    const inquiries = await listInquiries(demo.services);
    expect(new Set(inquiries.map(({ state }) => state))).toEqual(
      new Set(['untouched', 'consent needed', 'half filled', 'ready to submit', 'submitted', 'expired', 'revoked']),
    );
    const wrong = await demo.sql(`select inquiry_no from admission_inquiry inquiry
      join academic_year year on year.id = inquiry.academic_year_id join academic_grade grade on grade.id = inquiry.grade_id
      where extract(year from age(year.age_cutoff_on, inquiry.birth_date)) * 12 <> grade.min_age_months`);
    expect(wrong).toEqual([]);
  });

  test('one family has no father to name', async () => {
    const families = await demo.sql(
      `select father_hobbies, no_father_reason from admission_parent_info where has_no_father`,
    );
    expect(families).toEqual([{ father_hobbies: '', no_father_reason: 'Not alive' }]);
  });

  test('inquiries that name a brother or sister name a student of the same parents', async () => {
    const named = await demo.sql(`select sibling_names, father_first_name, last_name from admission_inquiry
      where sibling_names <> '' and sibling_inquiry_id is null and inquiry_no <> 'INQ/2026-27/00002'`);
    expect(named.length).toBeGreaterThan(0);
    for (const { sibling_names: names, father_first_name: father, last_name: last } of named) {
      const [first] = String(names).split(' ');
      const found = await demo.sql(`select from student
        where first_name = '${first}' and middle_name = '${father}' and last_name = '${last}'`);
      expect([names, found.length]).not.toEqual([names, 0]);
    }
  });

  test('R.4 one of the Staff has every set that is granted, one only teaches, and one is only of the accounts', async () => {
    const rows = await demo.sql(`select staff.id, staff.name, account.sets from sign_in_account account
      join staff on staff.id = account.staff_id where account.is_staff and staff.email like '%@${staffDomain}'`);
    const ids = rows.map(({ id }) => Number(id));
    const rights = await derivedRights(demo.services, ids);
    const held = rows.map(({ id, sets }) => ({
      granted: [...(sets as string[])].sort(),
      derived: [...new Set((rights.get(Number(id)) ?? []).map(({ set }) => set))],
    }));
    expect(held).toContainEqual({ granted: [...grantedSets].sort(), derived: [] });
    expect(held).toContainEqual({ granted: ['accountant'], derived: [] });
    expect(held.some(({ granted, derived }) => granted.length === 0 && derived.includes('subjectTeacher'))).toBe(true);
  });

  test('mobile numbers besides those of the sign-ins are fictional, and mail goes nowhere', async () => {
    const numbers = await demo.sql(`
      select mobile as number, email from staff where mobile !~ '^982502000[1-5]$' and email like '%@sunrise.example'
      union select father_mobile, father_email from admission_inquiry where father_mobile is not null
      union select mother_mobile, mother_email from admission_inquiry
      union select emergency_mobile, 'a@family.example' from admission_basic_info
      union select contact1_mobile, 'a@family.example' from admission_additional_info`);
    expect(numbers.length).toBeGreaterThan(40);
    for (const { number, email } of numbers) {
      expect(number).toMatch(/^555[0-9]{7}$/);
      expect(email).toMatch(/\.example$/);
    }
  });
});

test('U1.14 the families are asked about the next year: six in ten have answered, few leave, and of two the guardians differ', async () => {
  const [said] = await demo.sql(`select count(*)::integer as asked, count(nullif(answer, ''))::integer as answered,
      count(*) filter (where answer = 'Leaving')::integer as leaving, count(*) filter (where answer = 'Differ')::integer as differ
    from year_proposal where to_year_id = ${current.next_id}`);
  const { asked, answered, leaving, differ } = said as Record<string, number>;
  expect(Number(answered) / Number(asked)).toBeGreaterThan(0.55);
  expect(Number(answered) / Number(asked)).toBeLessThan(0.66);
  expect(leaving).toBeGreaterThan(0);
  expect(leaving).toBeLessThanOrEqual(6);
  expect(differ).toBe(2);
});

test('twenty results are decided in each way, and of the year before one child is undecided and one waits for a re-test', async () => {
  const decided = await demo.sql(`select decision, count(*)::integer as count from student_result
    where academic_year_id = ${current.id} group by decision order by decision`);
  expect(decided).toEqual([
    { decision: 'Detain', count: 3 },
    { decision: 'Leave', count: 1 },
    { decision: 'Promote', count: 14 },
    { decision: 'Re-test', count: 2 },
  ]);
  const office = await demo.person({ sets: ['office'] });
  const { lists, undecided } = await office.call(unexplainedApi.sum, { yearId: current.past_id });
  expect([undecided, lists.filter(({ why }) => why !== 'Not seen')]).toEqual([
    1,
    [
      { why: 'Undecided', students: 1 },
      { why: 'Re-test open', students: 1 },
    ],
  ]);
});

test('a child who was entered twice sat in a section and paid under both numbers, and a merge waits for the principal', async () => {
  // Registers end on the day of the machine, so that marks are not seen at the later day of this school.
  const [twice] = await demo.sql(`select count(*)::integer as receipts from student
    join student_section seat on seat.student_id = student.id join fee_account account on account.student_id = student.id
    join fee_receipt receipt on receipt.account_id = account.id where gr_no like 'T-%'`);
  expect(Number(twice?.receipts)).toBeGreaterThan(0);
  expect(
    await demo.sql(`select student_merge.status, approval.status as approval, sums <> '[]' as "hasSums" from student_merge
      join approval on approval.student_merge_id = student_merge.id`),
  ).toEqual([{ status: 'Asked', approval: 'Pending', hasSums: true }]);
});

test('a school that is made on the first day of a year has nothing of that day yet but its students', async () => {
  const other = await openDemo({ at: new Date('2027-06-01T03:00:00Z') });
  expect(await other.sql(`select name from academic_year where id = academic_year_on('2027-06-01')`)).toEqual([
    { name: '2027-28' },
  ]);
  const [row] = await other.sql(`select count(*) as students, count(*) filter (where left_on is not null) as left,
    count(*) filter (where joined_on > '2027-06-01') as later from student_enrollment
    where academic_year_id = (select id from academic_year where id = academic_year_on('2027-06-01'))`);
  expect(row).toEqual({ students: expect.any(Number), left: 0, later: 0 });
  await other.close();
});

describe('the dashboard', () => {
  const read = async (person: Person) => {
    const { year, cards } = await person.call(dashboardApi.read, {});
    const figures = cards.map(({ title, figures }) => [
      english(title),
      Object.fromEntries(figures.map(({ label, value }) => [english(label), value])),
    ]);
    return { year, cards: Object.fromEntries(figures) as Record<string, Record<string, number>> };
  };
  const count = async (query: string) => Number((await demo.sql(`select count(*) from ${query}`))[0]?.count);

  test('has the counts of the demo school, as its tables hold them', async () => {
    const { year, cards } = await read(admin);
    expect(year).toBe((await demo.sql(`select name from academic_year where id = ${current.id}`))[0]?.name);
    const ofYear = `academic_year_id = ${current.id}`;
    const enrolled = await count(`student_enrollment where ${ofYear} and status = 'Active'`);
    // With the child of the year before who is undecided.
    const students = enrolled + 1;
    expect(students).toBeGreaterThan(100);
    expect(cards.Students?.Students).toBe(students);
    expect((cards.Students?.Girls ?? 0) + (cards.Students?.Boys ?? 0)).toBe(students);
    const placed =
      await count(`student_section own join student_enrollment enrollment on enrollment.id = own.enrollment_id
      where own.${ofYear} and own.effective_to is null and enrollment.status = 'Active'`);
    expect(cards.Students?.['Without a section']).toBe(enrolled - placed);
    expect(cards.Sections?.Sections).toBe(await count(`academic_section where ${ofYear} and is_active`));
    expect(cards.Accounts?.['Active accounts']).toBe(await count('sign_in_account where is_active'));
  });

  test('counts the staff whose documents are due, expired or waiting: some, and not most of them', async () => {
    const { cards } = await read(admin);
    const {
      'Staff with documents due': due,
      'Staff with expired documents': expired,
      'Staff with documents waiting for HR': waiting,
    } = cards['Staff documents'] ?? {};
    expect([expired, waiting]).toEqual([1, 1]);
    expect(due).toBeGreaterThan(3);
    expect(due).toBeLessThan((await count('staff')) / 3);
  });

  test('counts the forms with the families and with the office: some of each', async () => {
    const office = await demo.person({ sets: ['office'] });
    const { cards } = await read(office);
    const { 'Being filled in': begun, 'Sent and not started': sent } = cards['Admission forms'] ?? {};
    expect(begun).toBe(await count(`admission_inquiry where state = 'In progress'`));
    expect(sent).toBe(await count(`admission_inquiry where state = 'Form sent'`));
    expect([begun, sent].every((number) => Number(number) > 0)).toBe(true);
  });

  test('shows Staff only the cards that their permission sets allow', async () => {
    const office = await demo.person({ sets: ['office'] });
    const nurse = await demo.person({ sets: ['nurse'] });
    const cards = Object.keys((await read(office)).cards);
    expect(cards.sort()).toEqual([
      'Accounts to create',
      'Admission forms',
      'Admissions',
      'Announcements',
      'Approvals',
      'Fee collection',
      'Fees',
      'Inquiries',
      'My leave',
      'Students',
      'The school today',
    ]);
    expect(Object.keys((await read(nurse)).cards).sort()).toEqual(['Announcements', 'My leave']);
  });

  /** The page of a figure, the list that the page reads first, and the query of the address as the list takes it. */
  function listOf(to: string) {
    const [path = '', search = ''] = to.split('?');
    const page = features.flatMap(({ pages }) => pages).find((one) => one.path === path);
    // A list in a part of its page.
    const parts: Record<string, string> = {
      'fee/fee-structure-allocation?part=plan': 'GET /fee/plan',
      'fee/student-wise-fees-structure?part=cheques': 'GET /fee/cheque',
    };
    const part = Object.keys(parts).find((one) => to.startsWith(one));
    const reads = part ? parts[part] : page?.reads;
    const endpoint = allRoutes.find(({ endpoint }) => `${endpoint.method} ${endpoint.path}` === reads)?.endpoint;
    const isList = endpoint !== undefined && `${endpoint.method} ${endpoint.path}/count` in matrix;
    const known = endpoint && 'shape' in endpoint.input ? Object.keys(endpoint.input.shape as object) : [];
    const query = Object.fromEntries([...new URLSearchParams(search)].filter(([name]) => known.includes(name)));
    return { page, url: isList ? `/api${endpoint.path}?${new URLSearchParams(query)}` : undefined };
  }

  /** Figures of pages that are no list of records. */
  const withoutList = [
    'academic/academic-master',
    'academic/section-teacher-mapping',
    'announcement/announcement-list',
    'attendance/daily-attendance',
    'attendance/student-attendance',
    'run',
    'sign-in/account',
    'workday/my-leave',
  ];

  test('P1.1 every figure is the total of the list that it leads to, for every permission set', async () => {
    const teacher = await demo.person();
    const [row] = await demo.sql('select max(section_id) as id from student_section');
    await teach(demo, teacher, { role: 'Co-class teacher', sectionId: Number(row?.id) });
    const people: { person: Person; role: 'Admin' | 'Staff'; sets: readonly string[] }[] = [
      { person: admin, role: 'Admin', sets: [] },
      { person: teacher, role: 'Staff', sets: ['classTeacher'] },
      { person: await demo.person({ sets: [...grantedSets] }), role: 'Staff', sets: grantedSets },
    ];
    for (const set of grantedSets)
      people.push({ person: await demo.person({ sets: [set] }), role: 'Staff', sets: [set] });
    const wrong: string[] = [];
    let compared = 0;
    for (const { person, ...rights } of people) {
      const { cards } = await person.call(dashboardApi.read, {});
      const { figures: line, hasFailed } = await person.call(dashboardApi.line, {});
      const { charts, ...drawn } = await person.call(dashboardApi.charts, {});
      if (hasFailed || drawn.hasFailed) wrong.push(`${rights.sets.join()} has no whole line`);
      for (const { title, to } of [...line, ...charts]) {
        const page = to && listOf(to).page;
        if (to && !(page && mayOpen(page, rights))) wrong.push(`${english(title)} opens no page: ${to}`);
      }
      for (const { title, figures } of cards)
        for (const { label, value, to } of figures.flatMap(({ ofAll, ...own }) => [
          own,
          ...(ofAll ? [{ ...ofAll, label: own.label }] : []),
        ])) {
          if (!to) continue;
          const { page, url } = listOf(to);
          const words = `${english(title)}, ${english(label)} ${value}: ${to}`;
          if (!page || !mayOpen(page, rights)) wrong.push(`${words} opens no page`);
          else if (withoutList.some((one) => to.startsWith(one))) continue;
          else if (url) {
            const { json } = await person.send({ url });
            compared += 1;
            if (json.total !== value) wrong.push(`${words} has ${json.total} rows`);
          } else wrong.push(`${words} is no list`);
        }
    }
    expect([...new Set(wrong)]).toEqual([]);
    expect(compared).toBeGreaterThan(40);
  });

  test('P1.12 the bars of overdue fees are as many students as their lists have, and sum up to the figure', async () => {
    const accountant = await demo.person({ sets: ['accountant'] });
    const { charts } = await accountant.call(dashboardApi.charts, {});
    const drawing = charts.find(({ title }) => english(title) === 'Overdue by class')?.drawing;
    if (drawing?.kind !== 'rows') throw new Error('No chart of overdue fees');
    expect(drawing.rows.length).toBeGreaterThan(3);
    for (const { to = '', count } of drawing.rows) {
      const { json } = await accountant.send({ url: listOf(to).url ?? '' });
      expect([to, json.total]).toEqual([to, count]);
    }
    const { figures } = await accountant.call(dashboardApi.line, {});
    expect(figures.find(({ title }) => english(title) === 'Overdue')?.value).toBe(drawing.total?.value);
  });

  test('D1.3 every card of the report of a student with fees can be read', async () => {
    const reader = await demo.person({ sets: [...grantedSets] });
    const students = await demo.sql(`select student_id as id from fee_account account
      where exists (select from fee_due where account_id = account.id and due_on > current_date and net > 0)
        and exists (select from fee_receipt where account_id = account.id) order by 1 limit 2`);
    expect(students).toHaveLength(2);
    const failed: string[] = [];
    for (const { id } of students) {
      const { cards, periods } = await reader.call(studentReportApi.read, { id: Number(id) });
      const { from = '', to = '' } = periods.find(({ key }) => key === 'year') ?? {};
      for (const { key, isRestricted } of cards) {
        if (isRestricted) continue;
        const { status } = await reader.send({ url: `/api/report/student/${id}/card/${key}?from=${from}&to=${to}` });
        if (status !== 200) failed.push(`${key}: ${status}`);
      }
      expect(cards.map(({ key }) => key)).toContain('fee');
    }
    expect(failed).toEqual([]);
  });

  test('P1.3 a teacher sees no money', async () => {
    const teacher = await demo.person();
    await teach(demo, teacher);
    const answers = [await teacher.call(dashboardApi.read, {}), await teacher.call(dashboardApi.todo, {})];
    expect(JSON.stringify(answers)).not.toMatch(/₹|fee/i);
    expect((answers[0] as { cards: object[] }).cards.length).toBeGreaterThan(0);
  });
});

/** What the server knows of the holder of a link. */
async function holderOf(name: string) {
  const [adult] = await demo.sql('select min(guardian_id) as id from family_link where revoked_at is null');
  const guardianId = Number(adult?.id);
  const link =
    name === linkParameter
      ? (await demo.inquiry()).link
      : await (name === 'feed' ? feedValueOf(demo, guardianId) : linkValueOf(demo, guardianId));
  const holder = await demo.services.linkHolders[name]?.(demo.services, link, () => '');
  expect(holder).toBeDefined();
  return { holder, inquiry: holder, link };
}

/** One operation of each handler: those of masters are the same code. */
const handlers = oneOfEach(
  // Files of imports are read in least-input.test.ts.
  allRoutes.filter(({ endpoint }) => !endpoint.table),
  ({ endpoint }) => handlerOf(endpoint),
);

test('Z4 every operation answers its least input without a failure', async () => {
  const callers = new Map<string, Promise<object>>();
  const callerFor = async ({ access }: Endpoint) => {
    const link = linkNameOf(access);
    if (link) return holderOf(link);
    const person = await callerOf(demo, { access });
    return { user: await demo.services.findUser(demo.services, person.cookies.get(sessionCookie) ?? '') };
  };
  const failed: string[] = [];
  // Walks all: each handler reads its input by itself; in this process, without a request, and undone.
  for (const route of handlers) {
    const { access, method, path } = route.endpoint;
    const grants = JSON.stringify(access);
    const caller = callers.get(grants) ?? callerFor(route.endpoint);
    callers.set(grants, caller);
    const failure = await failureOf(demo, route, { ...(await caller), input: leastInput(route.endpoint) });
    if (failure) failed.push(`${method} ${path}: ${String(failure).slice(0, 300)}`);
  }
  expect(failed).toEqual([]);
});

describe('statements that are written for large schools', () => {
  test('class teachers hear of the children whom a plain count of absent days in a row finds', async () => {
    const marks = await demo.sql(`select mark.student_id as child, mark.day::text, code.kind from attendance_mark mark
      join attendance_code code on code.id = mark.code_id join academic_year year on year.id = mark.academic_year_id
      where year.id = academic_year_on() order by mark.day`);
    const byChild = Map.groupBy(marks, ({ child }) => child);
    const rowsOn = async (today: string) => {
      const here = (await demo.sql(`select student_id from student_on('${today}')`)).map((row) => row.student_id);
      return [...byChild].flatMap(([child, all]) => {
        const until = all.filter(({ day }) => String(day) <= today);
        const last = until.findLast(({ kind }) => kind !== 'Absent' && kind !== 'Leave')?.day ?? '';
        const away = until.filter(({ day, kind }) => kind === 'Absent' && String(day) > String(last));
        const days = [...new Set(away.map(({ day }) => String(day)))];
        const isRecent = days.some((day) => day >= addDays(today, -7));
        return isRecent && here.includes(child) ? [`${child} ${days[0]} ${days.length}`] : [];
      });
    };
    // So small a school has nobody who is absent for three days in a row.
    await demo.sql(`delete from attendance_alert; insert into setting (key, value) values ('${alertDays.key}', '1')
      on conflict (key) do update set value = excluded.value`);
    let found = 0;
    const absent = marks.filter(({ kind }) => kind === 'Absent').map(({ day }) => String(day));
    for (const day of [...new Set(absent)].slice(-12)) {
      let told: string[] = [];
      const undone = new Error('undone');
      const telling = demo.services.db.transaction().execute(async (db) => {
        await dailyAbsenceAlert.act(
          { ...demo.context(), db, now: () => new Date(`${day}T13:00:00+05:30`) },
          new Date(`${day}T12:00:00+05:30`),
        );
        const { rows } = await sql<{ row: string }>`
          select concat_ws(' ', student_id, first_day, days) as row from attendance_alert`.execute(db);
        told = rows.map(({ row }) => row);
        throw undone;
      });
      await expect(telling).rejects.toBe(undone);
      expect([day, told.toSorted()]).toEqual([day, (await rowsOn(day)).toSorted()]);
      found += told.length;
    }
    expect(found).toBeGreaterThan(0);
  });

  test('the marks that count are those of a child who is enrolled on the day, each once', async () => {
    const plain = `select mark.academic_year_id, mark.student_id, register.branch_id, register.grade_id, register.section_id,
        mark.day, mark.half, code.kind, register.weight * 2 as share, register.weight * code.value as worth, mark.register_id
      from attendance_mark mark join attendance_register register on register.id = mark.register_id
      join attendance_code code on code.id = mark.code_id
      where register.weight > 0 and code.counts_in_total and exists (
        select from student_enrollment own where own.student_id = mark.student_id
          and own.academic_year_id = mark.academic_year_id and own.status <> 'Cancelled'
          and mark.day between own.joined_on and coalesce(own.left_on, 'infinity'))`;
    const [counted] = await demo.sql(`select (select count(*)::integer from attendance_counted) as rows,
      (select count(*)::integer from (${plain}) own) as plain,
      (select count(*)::integer from (select * from attendance_counted except all ${plain}) more) as more`);
    expect(counted).toEqual({ rows: counted?.plain, plain: expect.any(Number), more: 0 });
    expect(Number(counted?.plain)).toBeGreaterThan(1000);
  });

  test('open dues are found by an index that has them alone', async () => {
    const plan = await demo.services.db.transaction().execute(async (db) => {
      await sql`set local enable_seqscan = off`.execute(db);
      const { rows } = await sql<Record<string, string>>`
        explain select account_id, sum(net - paid) from fee_due where paid < net and due_on <= '2027-02-10' group by account_id`.execute(
        db,
      );
      return rows.map((row) => Object.values(row)).join(' ');
    });
    expect(plan).toMatch(/Scan.* fee_due_open/);
  });
});
