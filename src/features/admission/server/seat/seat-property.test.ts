import { afterAll, beforeAll, expect, test } from 'vitest';
import { toLocalDate } from '#kit/server/day.ts';
import type { Person } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { openSeats, usualSeats } from '#testing/seats.ts';
import { processApi } from '../../contract/process.ts';
import { seatApi } from '../../contract/seat.ts';

let school: School;
let head: Person;
let accountant: Person;
const today = toLocalDate(new Date());

beforeAll(async () => {
  school = await openSchool();
  head = await school.person({ role: 'Staff', sets: ['admissionHead', 'office'] });
  accountant = await school.person({ role: 'Staff', sets: ['accountant'] });
  await school.sql(`insert into fee_receipt_series (name, short_name) values ('School', 'SCH')`);
});
afterAll(() => school.close());

/** An application as the rules say it should be. */
interface Child {
  id: number;
  state: 'Verified' | 'Waitlisted' | 'Offered' | 'Seat confirmed' | 'Withdrawn';
  held: '' | 'Offer' | 'Waitlist';
  before: 'Verified' | 'Waitlisted';
  isPaid: boolean;
}

const holds = ({ state, held }: Child) => held === 'Offer' || state === 'Offered' || state === 'Seat confirmed';

/** Numbers that look random and are the same in each run. */
function drawing(seed: number) {
  let state = seed;
  return (most: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * most);
  };
}

test('after each of 120 random acts the seats are those of a plain model, and never more than there are', async () => {
  const { planned, decide, undo, release } = openSeats(school, head);
  const { id: seatId, verified } = await planned({ total: 4, reserved: 1 });
  const children: Child[] = [];
  for (let count = 0; count < 7; count++)
    children.push({ id: await verified(), state: 'Verified', held: '', before: 'Verified', isPaid: false });
  const [reason] = await school.sql("select id from academic_lookup where kind = 'Reason withdrawn' and not is_system");
  const version = async (id: number) =>
    Number((await school.sql(`select version from admission_inquiry where id = ${id}`))[0]?.version);
  const draw = drawing(46);
  let total = 4;
  const taken = () => children.filter(holds).length;

  /** Each act with whether the rules allow it, what it calls, and what it changes. */
  const acts: ((child: Child) => { isAllowed: boolean; call: () => Promise<unknown>; change: () => void })[] = [
    (child) => ({
      isAllowed: ['Verified', 'Waitlisted'].includes(child.state) && !child.held && taken() < total - 1,
      call: () => decide('Offer', [child.id]),
      change: () => {
        child.before = child.state as 'Verified';
        child.held = 'Offer';
      },
    }),
    (child) => ({
      isAllowed: child.state === 'Verified' && !child.held,
      call: () => decide('Waitlist', [child.id]),
      change: () => {
        child.held = 'Waitlist';
      },
    }),
    (child) => ({
      isAllowed: child.held !== '',
      call: () => undo([child.id]),
      change: () => {
        child.held = '';
      },
    }),
    (child) => ({
      isAllowed: child.held !== '',
      call: () => release([child.id]),
      change: () => {
        child.state = child.held === 'Waitlist' ? 'Waitlisted' : child.isPaid ? 'Seat confirmed' : 'Offered';
        child.held = '';
      },
    }),
    (child) => ({
      isAllowed: child.state === 'Offered',
      call: async () =>
        accountant.call(processApi.pay, {
          id: child.id,
          version: await version(child.id),
          mode: 'Cash',
          reference: '',
          paidOn: today,
        } as never),
      change: () => {
        child.state = 'Seat confirmed';
        child.isPaid = true;
      },
    }),
    (child) => ({
      isAllowed: child.state === 'Seat confirmed',
      call: async () =>
        accountant.call(processApi.reversePayment, { id: child.id, version: await version(child.id), reason: 'Wrong' }),
      change: () => {
        child.state = 'Offered';
        child.isPaid = false;
      },
    }),
    (child) => ({
      isAllowed: child.state !== 'Withdrawn',
      call: async () =>
        head.call(processApi.withdraw, {
          id: child.id,
          version: await version(child.id),
          reasonId: Number(reason?.id),
          note: '',
        } as never),
      change: () => {
        if (child.state === 'Verified' || child.state === 'Waitlisted') child.before = child.state;
        child.state = 'Withdrawn';
        child.held = '';
      },
    }),
    (child) => ({
      isAllowed: child.state === 'Withdrawn',
      call: async () =>
        head.call(processApi.reopen, { id: child.id, version: await version(child.id), reason: 'Changed their mind' }),
      change: () => {
        child.state = child.before;
      },
    }),
    () => {
      const next = Math.max(1, total + draw(3) - 1);
      return {
        isAllowed: taken() <= next - 1,
        call: async () => {
          const [row] = await school.sql(`select version from admission_seat where id = ${seatId}`);
          return head.call(seatApi.update, {
            ...usualSeats,
            id: seatId,
            version: Number(row?.version),
            total: next,
            reserved: 1,
          } as never);
        },
        change: () => {
          total = next;
        },
      };
    },
  ];

  for (let step = 0; step < 120; step++) {
    const child = children[draw(children.length)] as Child;
    const act = acts[draw(acts.length)]?.(child);
    if (!act) continue;
    const isDone = await act.call().then(
      (answer) => (answer as { changed?: number }).changed !== 0,
      () => false,
    );
    expect([step, isDone]).toEqual([step, act.isAllowed]);
    if (isDone) act.change();
    const rows = await school.sql(`select id, state, coalesce(held_kind, '') as held, holds_seat from admission_inquiry
      where id in (${children.map(({ id }) => id).join()}) order by id`);
    expect(rows).toEqual(
      children.map((one) => ({ id: one.id, state: one.state, held: one.held, holds_seat: holds(one) })),
    );
    const [seat] = await school.sql(`select taken, total from admission_seat where id = ${seatId}`);
    expect(seat).toEqual({ taken: taken(), total });
    const ranks = await school.sql(`select row_number() over (order by waitlist_position) as rank from admission_inquiry
      where seat_id = ${seatId} and waitlist_position is not null`);
    expect(ranks).toHaveLength(children.filter((one) => one.state === 'Waitlisted' || one.held === 'Waitlist').length);
  }
});
