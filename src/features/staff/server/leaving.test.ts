import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { houseMaster, sectionMaster } from '#features/academic/contract/masters.ts';
import { separationReasonMaster } from '#features/hris/contract/masters.ts';
import { branchMaster, departmentMaster, designationMaster } from '#features/school/contract/masters.ts';
import { lastAdmin } from '#features/sign-in/contract/session.ts';
import { codeSent } from '#features/sign-in/contract/sign-in.ts';
import { codeOf } from '#features/sign-in/server/code.ts';
import { sectionTeacherApi } from '#features/teaching/contract/section-teacher.ts';
import type { InputOf } from '#kit/contract/endpoint.ts';
import { english } from '#kit/contract/text.ts';
import { addDays } from '#kit/server/day.ts';
import { openAccount, type Person, password } from '#testing/browser.ts';
import { create } from '#testing/masters.ts';
import { openSchool, type School } from '#testing/school.ts';
import { hasLeft, leavingApi, onlyByAdmin, stillHere } from '../contract/leaving.ts';
import { staffApi } from '../contract/staff.ts';
import { endPastLeading } from './leading.ts';

let school: School;
let admin: Person;
let reasonId: number;
let post: { designationId: number; departmentId: number; branchId: number };
/** The school's day: one within the current year. */
let today: string;
beforeAll(async () => {
  school = await openSchool();
  const [year] = await school.sql('select starts_on from academic_year where id = 1');
  today = addDays(String(year?.starts_on), 100);
  admin = await school.person({ name: 'Kiran', role: 'Admin' });
  await openAccount(school, { name: 'Another Admin' });
  reasonId = (await create(admin, separationReasonMaster)).id;
  post = {
    designationId: (await create(admin, designationMaster)).id,
    departmentId: (await create(admin, departmentMaster)).id,
    branchId: (await create(admin, branchMaster)).id,
  };
});
afterAll(() => school.close());
beforeEach(async () => {
  goTo(today);
  await school.sql('delete from attempt; delete from outbox; update sign_in_session set confirmed_at = now()');
});

/** Noon of a day at the school. */
const goTo = (day: string) => {
  school.clock.now = new Date(`${day}T06:30:00Z`);
};
const yesterday = () => addDays(today, -1);

/** A signed-in person who has worked here for a year, in a post. */
async function person(values: Parameters<School['person']>[0] = {}) {
  const made = await school.person(values);
  const joined = addDays(today, -365);
  await school.sql(`update staff_employment set joined_on = '${joined}' where staff_id = ${made.staffId}`);
  await school.sql(`insert into staff_post (staff_id, effective_from, designation_id, department_id, branch_id)
    values (${made.staffId}, '${joined}', ${post.designationId}, ${post.departmentId}, ${post.branchId})`);
  return made;
}

type Relieve = Partial<InputOf<typeof leavingApi.relieve>>;
const inputOf = ({ staffId }: Person, over: Relieve = {}) => ({
  id: staffId,
  lastDay: today,
  separationReasonId: reasonId,
  remark: '',
  endsAccessNow: false,
  isOverridden: false,
  ...over,
});
const preview = (who: Person, over?: Relieve, by = admin) => by.call(leavingApi.relieve, inputOf(who, over));
/** Previews and confirms. */
async function relieve(who: Person, over?: Relieve, by = admin) {
  const { confirmToken } = await preview(who, over, by);
  return by.call(leavingApi.relieve, { ...inputOf(who, over), confirmToken: confirmToken ?? undefined });
}
const wordsOf = (texts: { id: string }[]) => texts.map(english);
const isIn = async (who: Person) => (await who.send({ url: '/api/sign-in/me' })).status === 200;

/** A section of the current year whose class teacher is a person. */
async function sectionOf(who: Person, over: object = {}) {
  const section = await create(admin, sectionMaster, { academicYearId: 1 });
  await admin.call(sectionTeacherApi.assign, {
    sectionId: section.id,
    role: 'Class teacher',
    subjectId: null,
    staffId: who.staffId,
    periodsPerWeek: null,
    effectiveFrom: yesterday(),
    effectiveTo: '',
    ...over,
  });
  const [row] = await school.sql(`select academic_section_name(grade.name, section.name) as name
    from academic_section section join academic_grade grade on grade.id = grade_id where section.id = ${section.id}`);
  return { id: section.id, name: String(row?.name) };
}
const show = (day: string) => {
  const [year, month, date] = day.split('-').map(Number);
  const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
  return `${date} ${months[(month ?? 1) - 1]} ${year}`;
};
const teachersOf = (id: number) =>
  school.sql(`select staff_id, effective_to from academic_section_teacher where section_id = ${id} order by id`);

test('a preview names everything that the last day ends, and changes nothing', async () => {
  const ravi = await person({ name: 'Ravi Solanki' });
  const asha = await person({ name: 'Asha Mehta' });
  const section = await sectionOf(ravi);
  const planned = await sectionOf(ravi, { effectiveFrom: addDays(today, 20) });
  const department = await create(admin, departmentMaster, { staffId: ravi.staffId });
  const house = await create(admin, houseMaster, { staffId: ravi.staffId });
  await school.sql(`update staff_post set reports_to_id = ${ravi.staffId} where staff_id = ${asha.staffId}`);
  const [designation] = await school.sql(`select name from academic_designation where id = ${post.designationId}`);
  const before = await school.sql('select max(id) as id from audit');

  const { ends, blocks, isApplied } = await preview(ravi, { isOverridden: true });
  const until = show(today);
  expect([wordsOf(ends), blocks, isApplied]).toEqual([
    [
      `${designation?.name} until ${until}`,
      `Class teacher of ${section.name} until ${until}`,
      `Class teacher of ${planned.name} from ${show(addDays(today, 20))}: cancelled`,
      `${section.name} has no class teacher from ${show(addDays(today, 1))}.`,
      `${planned.name} has no class teacher from ${show(addDays(today, 20))}.`,
      `Head of ${department.name} until ${until}`,
      `House master of ${house.name} until ${until}`,
      `Report to Ravi Solanki until ${until}: Asha Mehta`,
      `The account: signs in until ${until}`,
    ],
    [],
    false,
  ]);
  expect(await school.sql('select max(id) as id from audit')).toEqual(before);
  expect(await teachersOf(planned.id)).toHaveLength(1);

  await relieve(ravi, { isOverridden: true });
  expect(await teachersOf(section.id)).toEqual([{ staff_id: ravi.staffId, effective_to: today }]);
  expect(await teachersOf(planned.id)).toEqual([]);
  const [own, ...team] = await school.sql(`select effective_from, effective_to, reports_to_id from staff_post
    where staff_id in (${ravi.staffId}, ${asha.staffId}) order by staff_id, id`);
  expect(own?.effective_to).toBe(today);
  expect(team).toMatchObject([
    { effective_to: today, reports_to_id: ravi.staffId },
    { effective_from: addDays(today, 1), effective_to: null, reports_to_id: null },
  ]);
  const acts = await school.sql(`select distinct action from audit where id > ${before[0]?.id} order by action`);
  expect(acts.map(({ action }) => action)).toEqual([
    'account.ended',
    'section-teacher.changed',
    'section-teacher.removed',
    'staff.manager-left',
    'staff.relieved',
  ]);
});

test('the head of a department and the leader of a house stay until the last day, then both are without one', async () => {
  const ravi = await person({ name: 'Ravi' });
  const [department, house] = [
    await create(admin, departmentMaster, { staffId: ravi.staffId }),
    await create(admin, houseMaster, { staffId: ravi.staffId }),
  ];
  const heads = async () => {
    const [row] =
      await school.sql(`select (select staff_id from academic_department where id = ${department.id}) as head,
      (select staff_id from academic_house where id = ${house.id}) as leader`);
    return [row?.head, row?.leader];
  };
  await relieve(ravi);
  await endPastLeading(school.services.db, today);
  expect(await heads()).toEqual([ravi.staffId, ravi.staffId]);
  await endPastLeading(school.services.db, addDays(today, 1));
  expect(await heads()).toEqual([null, null]);
  const [row] = await school.sql(`select actor, details from audit
    where action = 'staff.leading-ended' and entity = 'academic_house' and entity_id = ${house.id}`);
  expect(row).toEqual({ actor: 'System', details: { Head: 'Ravi' } });

  const meena = await person();
  const other = await create(admin, departmentMaster, { staffId: meena.staffId });
  await relieve(meena, { lastDay: addDays(today, -3) });
  expect(await school.sql(`select staff_id from academic_department where id = ${other.id}`)).toEqual([
    { staff_id: null },
  ]);
});

test('a person relieved from tomorrow works until the end of the day, and is signed out with the next one', async () => {
  const ravi = await person({ sets: ['office'] });
  await relieve(ravi);
  expect(await isIn(ravi)).toBe(true);
  goTo(addDays(today, 1));
  expect(await isIn(ravi)).toBe(false);
});

test('a last day in the past, or access that ends now, signs a person out at once', async () => {
  const [gone, stopped] = [await person(), await person()];
  const shown = await preview(stopped, { lastDay: addDays(today, 30), endsAccessNow: true });
  expect(wordsOf(shown.ends).at(-1)).toBe('The account: no more sign-in from now, and 1 device is signed out');
  await relieve(gone, { lastDay: yesterday() });
  await relieve(stopped, { lastDay: addDays(today, 30), endsAccessNow: true });
  expect([await isIn(gone), await isIn(stopped)]).toEqual([false, false]);
  expect(await school.sql(`select 1 from sign_in_session where account_id in (${gone.id}, ${stopped.id})`)).toEqual([]);
});

test('M1.3 a relieved person’s request for a code is answered like an unknown one, and sends none', async () => {
  const ravi = await person();
  await relieve(ravi, { lastDay: yesterday() });
  await school.sql('delete from outbox');
  const ask = async (body: object) => {
    const { status, json } = await school
      .browser()
      .send({ method: 'POST', url: '/api/sign-in/authenticate-user', body });
    return [status, json[0].isSuccess, json[0].messageVal];
  };
  const neutral = [200, true, english(codeSent)];
  expect(await ask({ AuthenicateUserBy: 'Email', EmailID: ravi.email })).toEqual(neutral);
  expect(await ask({ AuthenicateUserBy: 'Mobile', MobileNo: ravi.mobile })).toEqual(neutral);
  expect(await ask({ AuthenicateUserBy: 'Email', EmailID: 'nobody@staff.example' })).toEqual(neutral);
  expect(await school.sql(`select recipient from outbox where status = 'queued'`)).toEqual([]);
});

test('a code sent on the last day does not sign in on the day after', async () => {
  const ravi = await person();
  const browser = school.browser();
  await browser.send({
    method: 'POST',
    url: '/api/sign-in/authenticate-user',
    body: { AuthenicateUserBy: 'Email', EmailID: ravi.email },
  });
  const [row] = await school.sql('select id, salt from sign_in_code order by id desc limit 1');
  const OTP = codeOf(school.services, row as { id: number; salt: Buffer });
  await relieve(ravi);
  goTo(addDays(today, 1));
  const { json } = await browser.send({ method: 'POST', url: '/api/sign-in/verify-otp', body: { OTP } });
  expect(json[0].isSuccess).toBe(false);
});

test('a relieved Admin signs in neither with the password nor with a link to a new one', async () => {
  const { staffId, userName, email } = await openAccount(school);
  await school.sql(`update staff_employment set joined_on = '${addDays(today, -9)}' where staff_id = ${staffId}`);
  const body = { AuthenicateUserBy: 'UserNameNPassword', UserName: userName, Password: password };
  const signIn = async () =>
    (await school.browser().send({ method: 'POST', url: '/api/sign-in/authenticate-user', body })).json[0].isSuccess;
  expect(await signIn()).toBe(true);
  await relieve({ staffId } as Person, { lastDay: yesterday() });
  await school.sql('delete from outbox');
  expect(await signIn()).toBe(false);
  await school.browser().send({ method: 'POST', url: '/api/sign-in/reset-link', body: { email } });
  expect(await school.sql(`select 1 from outbox where template = 'sign-in-reset' and status = 'queued'`)).toEqual([]);
});

test('M1.4 a class teacher is not relieved without a replacement from the next day, unless that is wanted', async () => {
  const [ravi, asha] = [await person({ name: 'Ravi' }), await person({ name: 'Asha' })];
  const section = await sectionOf(ravi);
  const blocked = await preview(ravi);
  expect([wordsOf(blocked.blocks), blocked.confirmToken]).toEqual([
    [`${section.name} has no class teacher from ${show(addDays(today, 1))}.`],
    null,
  ]);
  await expect(admin.call(leavingApi.relieve, { ...inputOf(ravi), confirmToken: 'made up' })).rejects.toMatchObject({
    code: 'stale',
  });
  expect(await isIn(ravi)).toBe(true);

  const [row] = await school.sql(`select id, version from academic_section_teacher where section_id = ${section.id}`);
  await admin.call(sectionTeacherApi.replace, {
    id: Number(row?.id),
    version: Number(row?.version),
    staffId: asha.staffId,
    effectiveFrom: addDays(today, 1),
    effectiveTo: '',
  });
  expect((await preview(ravi)).blocks).toEqual([]);
  // A day without a class teacher before the replacement begins.
  expect((await preview(ravi, { lastDay: yesterday() })).blocks).toHaveLength(1);
  await relieve(ravi);
  expect(await teachersOf(section.id)).toEqual([
    { staff_id: ravi.staffId, effective_to: today },
    { staff_id: asha.staffId, effective_to: null },
  ]);

  expect((await preview(asha)).confirmToken).toBeNull();
  expect((await relieve(asha, { isOverridden: true })).isApplied).toBe(true);
});

test('a person with a last day is assigned to a section until that day, also while they are being relieved', async () => {
  // In the next year, which is not over on any day of this test.
  const [next] = await school.sql('select starts_on from academic_year where id = 2');
  const from = String(next?.starts_on);
  const lastDay = addDays(from, 10);
  const assign = async (who: Person, effectiveTo = '') => {
    const section = await create(admin, sectionMaster, { academicYearId: 2 });
    return () =>
      admin.call(sectionTeacherApi.assign, {
        sectionId: section.id,
        role: 'Class teacher',
        subjectId: null,
        staffId: who.staffId,
        periodsPerWeek: null,
        effectiveFrom: from,
        effectiveTo,
      });
  };
  const [ravi, meena] = [await person(), await person()];
  await relieve(ravi, { lastDay });
  await expect((await assign(ravi))()).rejects.toMatchObject({ fields: { effectiveTo: {} } });
  await (await assign(ravi, lastDay))();

  const input = inputOf(meena, { lastDay, isOverridden: true });
  const { confirmToken } = await admin.call(leavingApi.relieve, input);
  const assignMeena = await assign(meena);
  const done = await Promise.allSettled([
    admin.call(leavingApi.relieve, { ...input, confirmToken: confirmToken ?? undefined }),
    assignMeena(),
  ]);
  // Either the assignment was first and the preview no longer holds, or it is refused.
  expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

test('the last Admin who can sign in is not relieved', async () => {
  const only = await openSchool();
  try {
    const account = await openAccount(only);
    const by = await only.person({ role: 'Admin' });
    const reason = await create(by, separationReasonMaster);
    await only.sql(`update staff_employment set joined_on = '2020-01-01'`);
    const asked = { ...inputOf({ staffId: account.staffId } as Person), separationReasonId: reason.id };
    const refused = await by.call(leavingApi.relieve, asked);
    expect([wordsOf(refused.blocks), refused.confirmToken]).toEqual([[english(lastAdmin)], null]);
    await openAccount(only);
    expect((await by.call(leavingApi.relieve, asked)).blocks).toEqual([]);
  } finally {
    await only.close();
  }
});

test('of two Admins who relieve each other at once, one stays', async () => {
  const own = await openSchool();
  try {
    const [one, two] = [await own.person({ role: 'Admin' }), await own.person({ role: 'Admin' })];
    await own.sql(`update staff_employment set joined_on = '2020-01-01'`);
    await own.sql(`update sign_in_account set user_name = 'admin' || id, password_hash = '$argon2id$x',
      password_set_at = now()`);
    const reason = await create(one, separationReasonMaster);
    const asked = (who: Person) => ({ ...inputOf(who), separationReasonId: reason.id, lastDay: '2020-02-01' });
    const [first, second] = [
      await one.call(leavingApi.relieve, asked(two)),
      await two.call(leavingApi.relieve, asked(one)),
    ];
    const done = await Promise.allSettled([
      one.call(leavingApi.relieve, { ...asked(two), confirmToken: first.confirmToken ?? undefined }),
      two.call(leavingApi.relieve, { ...asked(one), confirmToken: second.confirmToken ?? undefined }),
    ]);
    expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await own.sql('select 1 from sign_in_account where ends_on is null')).toHaveLength(1);
  } finally {
    await own.close();
  }
});

test('HR relieves a teacher, and only an Admin relieves an Admin', async () => {
  const [hr, ravi, other] = [await person({ sets: ['hr'] }), await person(), await person({ role: 'Admin' })];
  await expect(preview(other, {}, hr)).rejects.toMatchObject({ code: 'forbidden', text: onlyByAdmin });
  expect((await relieve(ravi, { lastDay: yesterday() }, hr)).isApplied).toBe(true);
});

test('a preview that no longer holds is not applied', async () => {
  const ravi = await person();
  const { confirmToken } = await preview(ravi);
  await sectionOf(ravi, { role: 'Co-class teacher' });
  await expect(
    admin.call(leavingApi.relieve, { ...inputOf(ravi), confirmToken: confirmToken ?? undefined }),
  ).rejects.toMatchObject({ code: 'stale' });
  expect(await school.sql(`select last_day from staff_employment where staff_id = ${ravi.staffId}`)).toEqual([
    { last_day: null },
  ]);
});

test('of two confirmations at once a person is relieved by one', async () => {
  const ravi = await person();
  const { confirmToken } = await preview(ravi, { lastDay: yesterday() });
  const input = { ...inputOf(ravi, { lastDay: yesterday() }), confirmToken: confirmToken ?? undefined };
  const done = await Promise.allSettled([admin.call(leavingApi.relieve, input), admin.call(leavingApi.relieve, input)]);
  expect(done.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(
    await school.sql(`select 1 from audit where action = 'staff.relieved' and entity_id = ${ravi.staffId}`),
  ).toHaveLength(1);
});

test('a last day before the first one, an unknown reason and a person who has left are refused', async () => {
  const ravi = await person();
  await expect(preview(ravi, { lastDay: addDays(today, -366) })).rejects.toMatchObject({ fields: { lastDay: {} } });
  await expect(preview(ravi, { separationReasonId: 9999 })).rejects.toMatchObject({
    fields: { separationReasonId: {} },
  });
  await expect(preview({ staffId: 99_999 } as Person)).rejects.toMatchObject({ code: 'not_found' });
  await relieve(ravi, { lastDay: yesterday() });
  await expect(preview(ravi)).rejects.toMatchObject({ code: 'conflict', text: hasLeft });
});

test('a last day that moves takes the post with it', async () => {
  const ravi = await person();
  const endOfPost = async () =>
    (await school.sql(`select effective_to from staff_post where staff_id = ${ravi.staffId}`))[0]?.effective_to;
  for (const lastDay of [addDays(today, 5), addDays(today, 9), today]) {
    await relieve(ravi, { lastDay });
    expect(await endOfPost()).toBe(lastDay);
  }
});

test('a person who comes back begins another spell and post, and has no access until it is restored', async () => {
  const ravi = await person();
  const rejoin = (over: object = {}) =>
    admin.call(leavingApi.rejoin, {
      id: ravi.staffId,
      joinedOn: today,
      ...post,
      staffCategoryId: null,
      employmentTypeId: null,
      reportsToId: null,
      ...over,
    });
  await expect(rejoin()).rejects.toMatchObject({ code: 'conflict', text: stillHere });
  await relieve(ravi, { lastDay: yesterday() });
  await expect(rejoin({ joinedOn: yesterday() })).rejects.toMatchObject({ fields: { joinedOn: {} } });
  await expect(rejoin({ departmentId: 99_999 })).rejects.toMatchObject({ fields: { departmentId: {} } });
  await expect(rejoin({ reportsToId: ravi.staffId })).rejects.toMatchObject({ fields: { reportsToId: {} } });
  await rejoin();
  expect(
    await school.sql(`select joined_on, last_day from staff_employment where staff_id = ${ravi.staffId} order by id`),
  ).toEqual([
    { joined_on: addDays(today, -365), last_day: yesterday() },
    { joined_on: today, last_day: null },
  ]);
  expect(
    await school.sql(
      `select effective_from, effective_to from staff_post where staff_id = ${ravi.staffId} order by id`,
    ),
  ).toMatchObject([{ effective_to: yesterday() }, { effective_from: today, effective_to: null }]);
  expect(await isIn(ravi)).toBe(false);
  const [last] = await school.sql(`select action from audit where entity = 'staff' and entity_id = ${ravi.staffId}
    order by id desc limit 1`);
  expect(last?.action).toBe('staff.rejoined');
});

test('a person who has left is not offered as a teacher', async () => {
  const ravi = await person({ name: 'Zarin Leaves' });
  const offered = async () =>
    (await admin.call(staffApi.options, { search: 'Zarin', state: 'active', limit: 5 })).length;
  expect(await offered()).toBe(1);
  await school.sql(`update staff_employment set last_day = current_date - 2, joined_on = current_date - 9
    where staff_id = ${ravi.staffId}`);
  expect(await offered()).toBe(0);
});
