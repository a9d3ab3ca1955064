import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dashboardApi } from '#features/dashboard/contract.ts';
import { studentDocumentApi } from '#features/student/contract/document.ts';
import { guardianApi } from '#features/student/contract/guardian.ts';
import { healthApi } from '#features/student/contract/health.ts';
import { leavingApi } from '#features/student/contract/leaving.ts';
import { studentRecordApi } from '#features/student/contract/record.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { confirmSeat } from '#testing/admission.ts';
import type { Person } from '#testing/browser.ts';
import { openPrices } from '#testing/prices.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { listTransportWishes } from '../../api.ts';
import { accountApi, chooseAdult, sectionFull } from '../../contract/account.ts';
import { accountList } from '../../contract/account-list.ts';
import { processApi } from '../../contract/process.ts';

let school: School;
let office: Person;
let admin: Person;
let section: number;
beforeAll(async () => {
  school = await openSchool();
  office = await school.person({ name: 'Meena', sets: ['office'] });
  admin = await school.person({ role: 'Admin' });
  section = await openSection(school);
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

let phones = 0;
/** Numbers and addresses of parents that no other family has. */
const ownParents = () => {
  phones += 2;
  return {
    fatherMobileNo: String(7_000_000_000 + phones),
    motherMobileNo: String(7_000_000_001 + phones),
    fatherEmailID: `father${phones}@family.example`,
    motherEmailID: `mother${phones}@family.example`,
  };
};
const ready = (child: Record<string, unknown> = {}, parents: Record<string, unknown> = ownParents()) =>
  confirmSeat(school, section, child, parents);

/** The children of these tests share a name and a birth date: each is another child, unless a test says otherwise. */
const choices = { ...noChoices(), returning: 'Another child', joinsOn: '', withoutPlan: true };
function noChoices() {
  const texts = ['middleName', 'gender', 'udiseUid', 'pen', 'apaar', 'returning', 'barred', 'restriction'];
  const adults = ['fatherIs', 'motherIs', 'guardianIs', 'contact1Is', 'contact2Is'];
  return Object.fromEntries([...texts, ...adults].map((name) => [name, '']));
}
async function inputFor(id: number, over: Record<string, unknown> = {}) {
  const { version, joinsOn, udiseUid } = await office.call(accountApi.read, { id });
  return { ...choices, id, version, joinsOn, udiseUid, sectionId: null, houseId: null, ...over } as never;
}
async function create(id: number, over: Record<string, unknown> = {}) {
  const input = (await inputFor(id, over)) as object;
  const { confirmToken } = await office.call(accountApi.create, input as never);
  return office.call(accountApi.create, { ...input, confirmToken } as never);
}

test('A4.1 an account is made of the form: child, family, section, papers and sealed answers, and leads back to it', async () => {
  const family = await ready({ aadharCardNo: '2345 6789 0124' });
  const shown = await office.call(accountApi.read, { id: family.id });
  expect(shown).toMatchObject({
    state: 'Seat confirmed',
    student: null,
    adults: [
      { part: 'father', known: null, likely: [] },
      { part: 'mother' },
      { part: 'contact1' },
      { part: 'contact2' },
    ],
    hasAadhaar: true,
    hasHealth: true,
    missing: [],
    blocks: [],
    may: { create: true },
  });
  const [before] = await school.sql('select count(*)::integer as count from student');
  const preview = await office.call(accountApi.create, await inputFor(family.id, { sectionId: section }));
  expect(preview).toMatchObject({ isApplied: false, student: null });
  expect(await school.sql('select count(*)::integer as count from student')).toEqual([before]);
  const { student } = await create(family.id, { sectionId: section, middleName: 'Nikhil' });
  const id = student?.id ?? 0;
  expect(student).toEqual({ id, grNo: shown.nextGrNo, name: 'Meera Patel', section: expect.stringContaining(', ') });
  expect(await admin.call(studentRecordApi.read, { id })).toMatchObject({
    name: 'Meera Nikhil Patel',
    category: 'General',
    section: student?.section,
    photo: expect.stringContaining('/api/student/photo/'),
    family: { primary: { name: 'Nikhil Patel' } },
  });
  expect((await admin.call(studentRecordApi.revealAadhaar, { id, reason: 'Check' })).aadhaar).toBe('2345 6789 0124');
  expect((await admin.call(healthApi.revealHealth, { id, reason: 'Check' })).answers.isVaccinated).toBe(false);
  expect((await admin.call(studentDocumentApi.documents, { id })).documents.map(({ status }) => status)).toEqual([
    'Verified',
    'Verified',
  ]);
  expect(await office.call(accountApi.read, { id: family.id })).toMatchObject({
    state: 'Admitted',
    student: { id, grNo: student?.grNo },
    may: { create: false },
  });
  expect((await family.get('inquiry')).json[0]).toMatchObject({ isFormSubmitted: true, status: 'Admitted' });
  const [year] = await school.sql(`select academic_year_id as id from admission_inquiry where id = ${family.id}`);
  expect(await listTransportWishes(school.context(), Number(year?.id))).toContain(id);
  expect(school.log()).not.toContain('234567890124');
});

test('A4.2 a second child of the same father has the same father and family, and the office sees it before', async () => {
  const parents = ownParents();
  const elder = await create((await ready({}, parents)).id);
  const younger = await ready({ firstName: 'Dev', birthDate: '2021-05-01' }, parents);
  const { adults, siblings, missing } = await office.call(accountApi.read, { id: younger.id });
  expect(adults[0]).toMatchObject({
    known: { name: 'Nikhil Patel', children: [expect.stringContaining('Meera Patel')] },
  });
  // Both forms have one UID.
  expect(missing).toContainEqual({
    id: 'UDISE student UID, as another student has {uid}',
    values: { uid: '24010012345' },
  });
  expect(siblings).toEqual([`Meera Patel, GR ${elder.student?.grNo}`]);
  const { student } = await create(younger.id);
  const { family } = await admin.call(studentRecordApi.read, { id: student?.id ?? 0 });
  expect(family?.siblings.map(({ id }) => id)).toEqual([elder.student?.id]);
});

test('A4.5 B47 a full section is refused with another way out, and later assigns none', async () => {
  const full = await openSection(school);
  await school.sql(`update academic_section set capacity = 1 where id = ${full}`);
  await create((await ready()).id, { sectionId: full });
  const next = await ready({ firstName: 'Dev', birthDate: '2021-05-01' });
  await expect(office.call(accountApi.create, await inputFor(next.id, { sectionId: full }))).rejects.toMatchObject({
    code: 'invalid',
    fields: { sectionId: sectionFull(expect.any(String) as never) },
  });
  const { student } = await create(next.id);
  expect(student?.section).toBe('');
});

test('an adult who may be known is chosen by a person, as the same or as a new one', async () => {
  const parents = ownParents();
  const child = await seat(school, section, 'Tara');
  const suresh = await raise(school, [child], { firstName: 'Suresh', mobile: parents.fatherMobileNo });
  const family = await ready({}, parents);
  expect((await office.call(accountApi.read, { id: family.id })).adults[0]).toMatchObject({
    known: null,
    likely: [{ id: suresh, name: 'Suresh Shah' }],
  });
  const undecided = { code: 'invalid', fields: { fatherIs: chooseAdult } };
  await expect(office.call(accountApi.create, await inputFor(family.id))).rejects.toMatchObject(undecided);
  await expect(
    office.call(accountApi.create, await inputFor(family.id, { fatherIs: String(suresh + 1) })),
  ).rejects.toMatchObject(undecided);
  const { student } = await create(family.id, { fatherIs: String(suresh) });
  const { guardians } = await admin.call(guardianApi.family, { id: student?.id ?? 0 });
  expect(guardians[0]).toMatchObject({ id: suresh, isPrimary: true });
});

test('a child who was here before returns with the record and the GR number', async () => {
  const first = await create((await ready({ firstName: 'Mira', aadharCardNo: '3456 7890 1238' })).id, {
    sectionId: section,
  });
  const id = first.student?.id ?? 0;
  const twin = await ready({ firstName: 'Mira', aadharCardNo: '3456 7890 1238' });
  await expect(office.call(accountApi.create, await inputFor(twin.id))).rejects.toMatchObject({
    code: 'conflict',
    message: 'Another student has this Aadhaar number.',
  });
  const [reason] = await school.sql(`select min(id) as id from academic_lookup where kind = 'Leaving reason'`);
  const leaving = {
    id,
    lastDay: toLocalDate(new Date()),
    reasonId: Number(reason?.id),
    conduct: 'Good',
    progress: 'Good',
    nextSchool: '',
    remark: '',
  };
  const { confirmToken } = await admin.call(leavingApi.leave, leaving);
  await admin.call(leavingApi.leave, { ...leaving, confirmToken: confirmToken ?? undefined });
  school.clock.now = new Date(Date.now() + 3 * 86_400_000);
  const same = await ready({ firstName: 'Miraben', aadharCardNo: '3456 7890 1238' });
  await expect(office.call(accountApi.create, await inputFor(same.id))).rejects.toMatchObject({ code: 'conflict' });
  const later = await openSection(school, { day: "(current_date + interval '1 year')" });
  const again = await confirmSeat(school, later, { firstName: 'Mirali', aadharCardNo: '3456 7890 1238' }, ownParents());
  expect((await office.call(accountApi.read, { id: again.id })).returning).toMatchObject({ id, isSure: true });
  const { student } = await create(again.id);
  school.clock.now = undefined;
  expect(student).toMatchObject({ id, grNo: first.student?.grNo });
  const [count] = await school.sql(`select count(*)::integer as count from student_document where student_id = ${id}`);
  expect(count).toEqual({ count: 4 });
});

test('B45 twenty callers create one student with one GR number, and the others read who it was', async () => {
  const family = await ready();
  const input = (await inputFor(family.id)) as object;
  const { confirmToken } = await office.call(accountApi.create, input as never);
  const answers = await Promise.allSettled(
    Array.from({ length: 20 }, () => office.call(accountApi.create, { ...input, confirmToken } as never)),
  );
  const made = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value.student] : []));
  expect(made).toHaveLength(1);
  for (const answer of answers)
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/^Meena created the account on .* at \d\d:\d\d\.$/),
        data: { studentId: made[0]?.id },
      });
  const rows = await school.sql(`select student_id from admission_inquiry where id = ${family.id}`);
  expect(rows).toEqual([{ student_id: made[0]?.id }]);
});

test('B46 ten children of one father, created at once, have one father, and GR numbers follow each other', async () => {
  const parents = ownParents();
  const families = [];
  for (let index = 0; index < 10; index++)
    families.push(await ready({ firstName: `Child${index}`, birthDate: `2020-01-${10 + index}` }, parents));
  const made = await Promise.all(families.map(({ id }) => create(id).catch(() => create(id))));
  const grNos = made.map(({ student }) => Number(student?.grNo)).sort((a, b) => a - b);
  expect(grNos).toEqual(Array.from({ length: 10 }, (_, index) => (grNos[0] ?? 0) + index));
  const ids = made.map(({ student }) => student?.id).join(', ');
  const [fathers] = await school.sql(`select count(distinct guardian_id)::integer as count from student_guardian link
    join academic_lookup relation on relation.id = link.relation_id and relation.name = 'Father' where student_id in (${ids})`);
  expect(fathers).toEqual({ count: 1 });
});

/** Offers the seat of a confirmed application again with a fee, and records its payment. */
async function payFee(id: number, fee: number) {
  const accountant = await school.person({ role: 'Staff', sets: ['accountant'] });
  await school.sql(`update admission_seat set admission_fee = ${fee} where id = (select seat_id from admission_inquiry where id = ${id});
    update admission_inquiry set state = 'Offered', offer_expires_on = '2099-12-31' where id = ${id}`);
  const [row] = await school.sql(`select version from admission_inquiry where id = ${id}`);
  const paidOn = toLocalDate(school.clock.now ?? new Date());
  await accountant.call(processApi.pay, {
    id,
    version: Number(row?.version),
    mode: 'UPI',
    reference: `A${id}`,
    paidOn,
  } as never);
}

test('A4.3 the fee plan is the one that was shown, and changed prices ask again', async () => {
  const parents = ownParents();
  await create((await ready({ firstName: 'Elder' }, parents)).id);
  const prices = await openPrices(school);
  school.clock.now = new Date(`${prices.year}-04-05T06:00:00Z`);
  await school.sql(`insert into fee_discount (name, code, value_kind, percent, all_heads, eligibility, priority, needs_approval)
    values ('Brothers and sisters', 'SIB', 'Percent', 1000, true, 'Siblings', 10, false)`);
  const family = await confirmSeat(school, prices.place, { firstName: 'Fena', birthDate: '2021-05-01' }, parents);
  await payFee(family.id, 2_000_000);
  const { plan } = await office.call(accountApi.read, { id: family.id });
  // A tenth of the tuition of 60,000.
  expect(plan).toMatchObject({
    reason: null,
    total: 9_900_000,
    suggested: [{ name: 'Brothers and sisters', needsApproval: false }],
    conceded: 9_300_000,
  });
  expect(plan.dues.reduce((sum, { net }) => sum + net, 0)).toBe(plan.total);
  const input = (await inputFor(family.id, { withoutPlan: false })) as object;
  const { confirmToken } = await office.call(accountApi.create, input as never);
  await prices.publish({ admissionType: 'New students', tuition: 72_000 });
  await expect(office.call(accountApi.create, { ...input, confirmToken } as never)).rejects.toMatchObject({
    code: 'stale',
  });
  const read = async (joinsOn?: string) =>
    (await office.call(accountApi.read, { id: family.id, ...(joinsOn && { joinsOn }) } as never)).plan;
  // The plan beside the form follows the joining day.
  const shown = await read();
  const late = await read(`${prices.year}-09-20`);
  expect([late.total < shown.total, late.dues[0]?.dueOn]).toEqual([true, `${prices.year}-09-30`]);
  expect(await read('2000-01-01')).toEqual(shown);
  const { student } = await create(family.id, { withoutPlan: false });
  const rows = await school.sql(`select due_on::text as "dueOn", sum(net)::integer as net from fee_due due
    join fee_account account on account.id = due.account_id where account.student_id = ${student?.id}
    group by due_on order by due_on`);
  expect(rows).toEqual(shown.dues);
  // Only an accountant grants a concession: until then it takes off nothing.
  expect(
    await school.sql(`select status, percent, effective_from::text as "from" from fee_concession
      where student_id = ${student?.id}`),
  ).toEqual([{ status: 'Suggested', percent: 1000, from: `${prices.year}-04-01` }]);
  // What was paid at admission pays the one-time fees of 15,000, and the rest stays an advance of the same account.
  const [account] = await school.sql(`select balance::integer,
      (select amount::integer from fee_advance where account_id = account.id) as advance,
      (select sum(paid)::integer from fee_due where account_id = account.id and fee_head_id
        in (${prices.heads.Admission}, ${prices.heads.Deposit})) as paid
    from fee_account account where inquiry_id = ${family.id} and student_id = ${student?.id}`);
  expect(account).toEqual({ balance: shown.total - 2_000_000, advance: 500_000, paid: 1_500_000 });
  school.clock.now = undefined;
});

test('without prices the account is created only after a tick', async () => {
  const family = await ready({ firstName: 'Gauri' });
  await expect(office.call(accountApi.create, await inputFor(family.id, { withoutPlan: false }))).rejects.toMatchObject(
    { code: 'invalid', fields: { withoutPlan: { id: expect.any(String) } } },
  );
  expect((await create(family.id)).student?.id).toEqual(expect.any(Number));
});

test('A4.4 a refused account draws no GR number', async () => {
  const taken = await ready();
  await create(taken.id, { pen: '12345678901' });
  const next = await ready({ firstName: 'Dev', birthDate: '2021-05-01' });
  const { nextGrNo } = await office.call(accountApi.read, { id: next.id });
  await expect(create(next.id, { pen: '12345678901' })).rejects.toMatchObject({
    fields: { pen: { id: 'Another student has this number.' } },
  });
  expect((await create(next.id)).student?.grNo).toBe(nextGrNo);
});

test('A4.6 the form of an admitted child stays as it is, also for statements of the database', async () => {
  const family = await ready();
  await create(family.id);
  for (const statement of [
    `update admission_basic_info set first_name = 'X', version = version + 1 where inquiry_id = ${family.id}`,
    `update admission_health set answers = '\\x00', version = version + 1 where inquiry_id = ${family.id}`,
    `delete from admission_document where inquiry_id = ${family.id}`,
    `delete from admission_verdict where inquiry_id = ${family.id}`,
    `update admission_document_verdict set remark = 'X' where document_id in
      (select id from admission_document where inquiry_id = ${family.id})`,
  ])
    await expect(school.sql(statement)).rejects.toThrow('the form of an admitted child stays as it is');
  // A new key of the data is taken: the version stays.
  await school.sql(`update admission_health set answers = answers where inquiry_id = ${family.id}`);
});

test('the list has the applications to create and those that are students, with their GR number', async () => {
  const family = await ready({ firstName: 'Lalita', birthDate: '2020-07-01' });
  const rowsOf = async (tab: string) =>
    (await office.call(accountList.api.list, { tab, search: 'Lalita' } as never)).rows;
  expect(await rowsOf('toCreate')).toMatchObject([{ id: family.id, documents: '2/2', grNo: '' }]);
  const { rows } = await office.call(dashboardApi.todo, {});
  expect(rows.find(({ kind }) => kind === 'account')).toMatchObject({
    when: 'today',
    to: expect.stringContaining('admission/confirm-admission/'),
  });
  const { student } = await create(family.id);
  expect(await rowsOf('toCreate')).toEqual([]);
  expect(await rowsOf('created')).toMatchObject([{ id: family.id, grNo: student?.grNo }]);
});

test('Q1.1 the application of a child who is at the school is asked about, and for the same child nothing is created', async () => {
  const id = await seat(school, section, 'Yamini', { birthDate: '2020-04-09' });
  const [student] = await school.sql(`update student set last_name = 'Patel' where id = ${id} returning id, gr_no`);
  const again = await ready({ firstName: 'Yamini', birthDate: '2020-04-09' });
  expect((await office.call(accountApi.read, { id: again.id })).returning).toMatchObject({
    id,
    grNo: student?.gr_no,
    leftOn: '',
    isSure: false,
  });
  await expect(create(again.id, { returning: '' })).rejects.toMatchObject({
    code: 'invalid',
    fields: { returning: expect.anything() },
  });
  const before = await school.sql('select count(*)::integer as n from student');
  const same = await create(again.id, { returning: 'The same child' });
  expect(same.student).toMatchObject({ id, grNo: student?.gr_no });
  expect(await school.sql('select count(*)::integer as n from student')).toEqual(before);
  // Another child of the same name is added, and nobody is asked about the two again.
  const other = await ready({ firstName: 'Yamini', birthDate: '2020-04-09' });
  const added = await create(other.id, { returning: 'Another child' });
  expect(
    await school.sql(`select one_id, other_id from student_not_same where other_id = ${added.student?.id}`),
  ).toEqual([{ one_id: id, other_id: added.student?.id }]);
});

test('Q1.22 a child whose form repeats the first name or has a sign as the last name gets one name in the account', async () => {
  const names = async (lastName: string, over: Record<string, unknown>) => {
    const { id } = await ready();
    await school.sql(
      `update admission_basic_info set first_name = 'Lakshmi', last_name = '${lastName}' where inquiry_id = ${id}`,
    );
    const { repeatsName } = await office.call(accountApi.read, { id });
    const { student } = await create(id, over);
    return [repeatsName, student?.name];
  };
  expect(await names('lakshmi', { hasOneName: true })).toEqual([true, 'Lakshmi']);
  expect(await names('Lakshmi', {})).toEqual([true, 'Lakshmi Lakshmi']);
  expect(await names('.', {})).toEqual([false, 'Lakshmi']);
  // Another last name is one, whatever the request says.
  expect(await names('Rao', { hasOneName: true })).toEqual([false, 'Lakshmi Rao']);
});
