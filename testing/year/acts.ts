import { randomUUID } from 'node:crypto';
import { paymentApi } from '#features/fee-money/contract/payment.ts';
import { riderApi } from '#features/transport/contract/rider.ts';
import type { Random } from '#kit/server/random.ts';
import type { Person } from '../browser.ts';
import { type Act, ask, childOn, confirm, type Done, post, said, sectionsOn } from './acting.ts';
import type { YearSchool } from './school.ts';

/** Takes the register of a section: most are present, some absent. */
export async function takeRegisterOf(
  teacher: Person,
  { sectionId, day, random }: { sectionId: number; day: string; random: Random },
): Promise<Done> {
  const { status, json, tries } = await ask(teacher, {
    url: `/api/attendance/register?sectionId=${sectionId}&day=${day}&slot=`,
  });
  if (status !== 200) return said({ status, json, tries }, []);
  const codeOf = (code: string) => json.codes.find((one: { code: string }) => one.code === code)?.id;
  const children: { studentId: number; takenIn: string }[] = json.children.filter(
    ({ takenIn }: { takenIn: string }) => takenIn === '',
  );
  const sent = await post(teacher, '/attendance/register', {
    sectionId,
    day: json.day,
    slot: json.slot,
    rowVersion: json.register?.version ?? 0,
    marks: children.map(({ studentId }) => ({
      studentId,
      codeId: codeOf(random.isOnceIn(8) ? 'A' : 'P'),
      arrivedAt: '',
    })),
  });
  return said(
    sent,
    children.map(({ studentId }) => studentId),
  );
}

/** A payment of a family at the counter: part of what one child owes, the rest as advance. */
const pay: Act['act'] = async (world, random, day) => {
  const { accountant } = world.people;
  const child = await childOn(world, random, day);
  if (!child) return undefined;
  const dues = await ask(accountant, { url: `/api${paymentApi.dues.path}?studentId=${child.id}&on=` });
  const own = dues.json.children?.find(({ studentId }: { studentId: number }) => studentId === child.id);
  if (!own) return said(dues, [child.id]);
  const line = own.lines.find(({ owed }: { owed: number }) => owed >= 100);
  const amount = 100 * (1 + random.upTo(5000));
  const part = line ? Math.min(amount, line.owed) : 0;
  const sent = await post(accountant, paymentApi.take.path, {
    payerGuardianId: dues.json.payers[0]?.guardianId ?? null,
    payerName: '',
    payerMobile: '',
    mode: random.isOnceIn(2) ? 'Cash' : 'UPI',
    reference: `REF${randomUUID().slice(0, 8)}`,
    amount,
    paidOn: dues.json.today,
    backReason: '',
    remark: '',
    children: [{ studentId: child.id, version: own.version, lines: line ? [{ key: line.key, amount: part }] : [] }],
  });
  return said(sent, [child.id]);
};

/** The cashier cancels the payment just taken. */
const cancel: Act['act'] = async (world, _, day) => {
  const [last] = await world.school.sql(`select payment.id, payment.version, account.student_id as student
    from fee_payment payment join fee_receipt on payment_id = payment.id join fee_account account on account.id = account_id
    where paid_on = '${day}' and ended_as is null order by payment.id desc limit 1`);
  if (!last) return undefined;
  const sent = await post(world.people.accountant, `/fee/payment/${last.id}/cancel`, {
    version: last.version,
    money: 'It never came',
    reason: 'Typed twice',
  });
  return said(sent, [Number(last.student)]);
};

/** The office moves a child to the other section of its grade from today. */
const move: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  const other = sectionsOn(world, day).find(({ id, gradeId }) => gradeId === child?.gradeId && id !== child?.sectionId);
  if (!child || !other) return undefined;
  const body = { sectionId: other.id, from: day, reason: '' };
  return said(await confirm(world.people.office, `/student/${child.id}/section`, body), [child.id]);
};

const leave: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  const [reason] = await world.school.sql(`select id from academic_lookup where name = 'Moved to another city'`);
  if (!child) return undefined;
  const words = { conduct: 'Good', progress: 'Good', nextSchool: '', remark: '' };
  const body = { lastDay: day, reasonId: reason?.id, ...words };
  return said(await confirm(world.people.office, `/student/${child.id}/leave`, body), [child.id]);
};

/** The office takes a leaving back. */
const comeBack: Act['act'] = async (world, random) => {
  const gone = await world.school.sql(`select student_id as id from student_leaving
    where undone_at is null and readmitted_on is null order by id`);
  if (gone.length === 0) return undefined;
  const { id } = random.oneOf(gone) as { id: number };
  return said(await confirm(world.people.office, `/student/${id}/leave/undo`, { reason: 'They decided to remain' }), [
    id,
  ]);
};

/** The office adds a child of a family without a known number to a section. */
export async function addChild(
  { people }: YearSchool,
  day: string,
  section: { id: number; gradeId: number },
): Promise<Done> {
  const sent = await post(people.office, '/student', {
    firstName: `New${randomUUID().replaceAll(/[^a-z]/g, '')}`,
    middleName: '',
    lastName: 'Patel',
    gender: 'Girl',
    birthDate: '2020-03-04',
    admittedOn: day,
    gradeId: section.gradeId,
    sectionId: section.id,
    branchId: '',
    programId: '',
    guardianMobile: '',
    guardianRelationId: '',
    guardianFirstName: '',
    guardianLastName: '',
    guardianId: '',
    siblingId: '',
    grNo: '',
    isOtherChild: true,
  });
  return said(sent, sent.json?.id ? [sent.json.id] : []);
}

const join: Act['act'] = (world, random, day) => addChild(world, day, random.oneOf(sectionsOn(world, day)));

/** The transport incharge gives a child a seat on the bus from today; ten seats are soon taken. */
const ride: Act['act'] = async (world, random, day) => {
  const child = await childOn(world, random, day);
  if (!child) return undefined;
  const stop = random.oneOf(world.fleet.stops);
  const seat = { studentId: child.id, staffId: null, pickupTripId: world.fleet.trip, pickupStopId: stop };
  const rider = { ...seat, dropTripId: null, dropStopId: null, fee: 'By stop' };
  const body = { riders: [rider], effectiveFrom: day, billedFrom: '' };
  return said(await confirm(world.people.incharge, riderApi.assign.path, body), [child.id]);
};

/** A teacher tries to open the register of another class. */
const peep: Act['act'] = async (world, random, day) => {
  const sections = sectionsOn(world, day);
  const own = random.oneOf(sections);
  const other = random.oneOf(sections.filter(({ id }) => id !== own.id));
  return said(await ask(own.teacher, { url: `/api/attendance/register?sectionId=${other.id}&day=${day}&slot=` }), []);
};

/** A payment of nothing. */
const payNothing: Act['act'] = async ({ people }) =>
  said(await post(people.accountant, paymentApi.take.path, { amount: 0, mode: 'Cash', children: [] }), []);

export const acts: readonly Act[] = [
  { name: 'a payment', weight: 8, act: pay },
  { name: 'a payment cancelled', weight: 1, act: cancel },
  { name: 'a child moved', weight: 3, act: move },
  { name: 'a child left', weight: 2, act: leave },
  { name: 'a leaving undone', weight: 1, act: comeBack },
  { name: 'a child added', weight: 2, act: join },
  { name: 'a seat on the bus', weight: 3, act: ride },
  { name: 'another class opened', weight: 1, isWrong: true, act: peep },
  { name: 'a payment of nothing', weight: 1, isWrong: true, act: payNothing },
];
