import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { paperPicture } from '#database/seed/pictures.ts';
import type { SeedPlan } from '#database/seed/plan.ts';
import { yearNames } from '#features/school/api.ts';
import type { Context } from '#kit/server/context.ts';
import { insertRows } from '#kit/server/database/bulk.ts';
import { drawNumbers } from '#kit/server/database/numbering.ts';
import { addDays } from '#kit/server/day.ts';
import { saveFile } from '#kit/server/files/files.ts';
import type { Random } from '#kit/server/random.ts';
import { dueAt, minuteOf, momentOf, type OpenOn, sameTimeOn } from './contract/clock.ts';
import type { Priority } from './contract/masters.ts';
import { usualTargets } from './contract/usual.ts';
import { readOpenHours, retime } from './server/times.ts';
import { writeUsual } from './server/usual.ts';

/** Category, subject and description. */
const stories = [
  [
    'Electrical',
    'Fan in the classroom makes a loud noise',
    'It started on Monday. The children can’t hear the teacher.',
  ],
  ['Plumbing', 'Tap on the second floor drips', 'The floor is wet near the stairs.'],
  ['Furniture', 'Two benches are broken', 'The seats are loose and pinch.'],
  ['Projector', 'Projector does not start', 'The lamp blinks red and goes off.'],
  ['Computer', 'Computer in the laboratory is very slow', 'It takes ten minutes to start.'],
  ['Internet', 'No internet in the library', 'The whole floor is offline since the morning.'],
  ['Late bus', 'Bus comes late on most days', 'The parents ask when it will be on time again.'],
  ['Lost item', 'Lunch box left on the bus', 'Blue, with the name on the lid.'],
  ['Receipt', 'Receipt of the second term is missing', 'The mother paid at the counter.'],
  ['Refund', 'Deposit is not refunded', 'The family moved away in June.'],
  ['Books', 'Three science books are missing in the set', 'The bookseller sent too few.'],
  ['Timetable', 'Two periods at the same time', 'The substitution list shows both.'],
  ['Certificate', 'Bonafide certificate for a passport', 'Needed by the end of the week.'],
  ['Identity card', 'Identity card with the wrong blood group', 'It should be B positive.'],
  ['Housekeeping', 'Washroom needs cleaning during the break', 'It is not clean by the second break.'],
] as const;
const confidential = [
  'Complaint about a person',
  'Rude words on the playground',
  'Two witnesses are named below.',
] as const;

const replies = [
  'Thank you, we will look at it today.',
  'The vendor comes tomorrow morning.',
  'Could you tell us which side of the room it is?',
  'It is the one near the window.',
  'We have ordered the part.',
  'Please check now whether it works.',
] as const;

/** How many tickets end up in each state. */
const states = [
  ['queue', 6],
  ['late', 5],
  ['today', 7],
  ['running', 16],
  ['held', 12],
  ['resolved', 9],
  ['closed', 60],
  ['cancelled', 5],
] as const;
type Fate = (typeof states)[number][0];

const hour = 60 * 60 * 1000;

/** 120 tickets of six months in every state, so that each chip is seen; the times are relative to now. */
export async function seed(ctx: Context, _app: FastifyInstance, plan: SeedPlan) {
  await ctx.db.transaction().execute(async (db) => {
    await writeUsual({ ...ctx, db }, addDays(plan.today, -400), null);
    await seedTickets({ ...ctx, db }, plan);
  });
}

async function readPeople({ db }: Context, today: string) {
  const { rows } = await sql<{ id: number; name: string; departmentId: number; branchId: number }>`
    select staff.id, staff.name, post.department_id as "departmentId", post.branch_id as "branchId" from staff
    join staff_post post on post.staff_id = staff.id
      and ${today}::date between post.effective_from and coalesce(post.effective_to, 'infinity')
    join staff_employment spell on spell.staff_id = staff.id
      and ${today}::date between spell.joined_on and coalesce(spell.last_day, 'infinity')
    order by staff.id`.execute(db);
  return rows;
}

/** The moment at which a ticket was raised, so that it stands as its state says. */
function raisedAt(fate: Fate, open: OpenOn, now: Date, minutes: number, random: Random): Date {
  const back = (hours: number) => new Date(now.getTime() - hours * hour);
  if (fate === 'late') return back(24 * 9 + random.upTo(48));
  if (fate === 'held' || fate === 'resolved') return back(24 * 2 + random.upTo(72));
  if (fate === 'closed' || fate === 'cancelled') return back(24 * 6 + random.upTo(24 * 170));
  if (fate === 'today') {
    // The latest moment from which the business hours lead to a later time of today, where there is one.
    for (let step = 1; step < 1000; step++) {
      const start = new Date(now.getTime() - step * 15 * 60_000);
      const due = dueAt(open, minuteOf(start), minutes);
      if (due !== null && due > minuteOf(now) && Math.floor(due / 1440) === Math.floor(minuteOf(now) / 1440))
        return start;
    }
    return back(20);
  }
  return new Date(now.getTime() - random.upTo(50) * 60_000);
}

async function seedTickets(ctx: Context, plan: SeedPlan) {
  const { db } = ctx;
  const now = ctx.now();
  const random = plan.random('tickets');
  const people = await readPeople(ctx, plan.today);
  const categories = new Map(
    (
      await db
        .selectFrom('ticket_category')
        .select(['id', 'name', 'department_id', 'priority', 'requires_student', 'requires_place'])
        .execute()
    ).map((row) => [row.name, row]),
  );
  const { rows: students } = await sql<{ id: number }>`select student_id as id from student_on(${plan.today})
    order by student_id limit 200`.execute(db);
  const rooms = await db.selectFrom('academic_room').select('id').orderBy('id').limit(30).execute();
  const version = await db.selectFrom('ticket_policy_version').select('id').executeTakeFirstOrThrow();
  const named = ['Kiran Parmar', 'Meena Chauhan', 'Ravi Solanki', 'Farida Shaikh'].flatMap(
    (name) => people.find((one) => one.name === name) ?? [],
  );
  const anybody = () => (named.length > 0 && random.upTo(3) > 0 ? random.oneOf(named) : random.oneOf(people));
  const open = await readOpenHours(ctx, new Date(now.getTime() - 24 * 180 * hour), now);
  const fates = states.flatMap(([fate, count]) => Array.from({ length: count }, () => fate));
  const priorities = Object.keys(usualTargets) as Priority[];
  const drafts = fates.map((fate, place) => {
    // Seven tickets are for their participants only.
    const isConfidential = fate !== 'queue' && place % 16 === 8;
    const [name, subject, description] = isConfidential ? confidential : random.oneOf(stories);
    const category = categories.get(name) as NonNullable<ReturnType<typeof categories.get>>;
    const priority: Priority =
      fate === 'late'
        ? 'High'
        : fate === 'running' || fate === 'queue'
          ? random.oneOf(priorities)
          : random.oneOf(priorities.slice(1));
    const raiser = anybody();
    const others = people.filter(({ id }) => id !== raiser.id);
    const helper =
      random.oneOf(others.filter(({ departmentId }) => departmentId === category.department_id)) ??
      random.oneOf(others);
    const assignee = random.upTo(2) === 0 ? (named.find(({ id }) => id !== raiser.id) ?? helper) : helper;
    const at = raisedAt(fate, open, now, usualTargets[priority][1], random);
    return { fate, isConfidential, subject, description, category, priority, raiser, assignee, at };
  });
  const numbers = await drawNumbers(db, { code: 'ticket' }, await yearNames(ctx), drafts.length);
  const ordered = drafts.toSorted((one, other) => one.at.getTime() - other.at.getTime());
  await insertRows(
    db,
    'ticket',
    ordered.map(({ fate, isConfidential, subject, description, category, priority, raiser, assignee, at }, place) => ({
      ticket_no: numbers[place]?.number ?? '',
      subject,
      description,
      category_id: category.id,
      department_id: category.department_id,
      branch_id: raiser.branchId,
      raised_by: raiser.id,
      on_behalf: random.upTo(4) === 0 ? 'Guardian' : 'Self',
      source: random.oneOf(['App', 'App', 'Phone', 'Walk-in']),
      about_student_id: category.requires_student ? random.oneOf(students).id : null,
      about_staff_id: null,
      room_id: category.requires_place && rooms.length > 0 ? random.oneOf(rooms).id : null,
      place: category.requires_place && rooms.length === 0 ? 'Main building' : '',
      assignee_id: fate === 'queue' ? null : assignee.id,
      priority,
      policy_version_id: version.id,
      status: 'Open',
      is_confidential: isConfidential,
      raised_at: at,
      changed_at: at,
      clock_from: at,
      resolution: '',
      cancel_reason: '',
      reopen_count: 0,
      version: 1,
    })),
  );
  const made = await db.selectFrom('ticket').select(['id', 'ticket_no']).orderBy('id').execute();
  const rows = ordered.map((draft, place) => ({ ...draft, id: made[place]?.id ?? 0 }));
  await seedTalk(ctx, rows, random);
  await seedStates(ctx, rows, open, random);
  await seedFile(ctx, rows[0]?.id ?? 0);
  await retime(ctx, sql<boolean>`true`);
}

type Seeded = {
  id: number;
  fate: Fate;
  isConfidential: boolean;
  at: Date;
  raiser: { id: number };
  assignee: { id: number };
};

const after = (at: Date, hours: number, now: Date) => new Date(Math.min(at.getTime() + hours * hour, now.getTime()));

/** Three lines for each ticket with an owner, and the transfers of some. */
async function seedTalk(ctx: Context, rows: Seeded[], random: Random) {
  const now = ctx.now();
  const talked = rows.filter(({ fate }) => fate !== 'queue');
  await insertRows(
    ctx.db,
    'ticket_comment',
    talked
      .flatMap(({ id, at, raiser, assignee }) =>
        Array.from({ length: 3 }, (_, line) => ({
          ticket_id: id,
          kind: line === 1 && random.upTo(3) === 0 ? 'Internal' : 'Public',
          body: random.oneOf(replies),
          staff_id: line === 2 ? raiser.id : assignee.id,
          at: after(at, 1 + line * 2, now),
        })),
      )
      .slice(0, 300),
  );
  await insertRows(
    ctx.db,
    'ticket_assignment',
    talked
      .filter((_, place) => place % 6 === 0)
      .map(({ id, at, raiser, assignee }) => ({
        ticket_id: id,
        from_staff_id: raiser.id,
        to_staff_id: assignee.id,
        to_department_id: null,
        by_staff_id: raiser.id,
        at: after(at, 1, now),
        reason: 'Knows the place',
      })),
  );
  await insertRows(
    ctx.db,
    'ticket_participant',
    rows
      .filter(({ isConfidential }) => isConfidential)
      .map(({ id, at, raiser }) => ({ ticket_id: id, staff_id: raiser.id, since: at })),
  );
}

/** Leads each ticket to its state, one step after the other as the database has it. */
async function seedStates(ctx: Context, rows: Seeded[], open: OpenOn, random: Random) {
  const { db } = ctx;
  const now = ctx.now();
  const reasons = await db.selectFrom('ticket_hold_reason').select('id').orderBy('id').execute();
  const idsOf = (...fates: Fate[]) => rows.filter(({ fate }) => fates.includes(fate)).map(({ id }) => id);
  const step = (ids: readonly number[], set: ReturnType<typeof sql>) =>
    sql`update ticket set ${set}, version = version + 1 where id = any(${[...ids]}::integer[])`.execute(db);
  const answered = rows.filter(({ fate }) => !['queue', 'cancelled'].includes(fate));
  await sql`update ticket set responded_at = own.at from jsonb_to_recordset(${JSON.stringify(
    answered.map(({ id, at }) => ({ id, at: after(at, 1, now) })),
  )}::jsonb) as own (id integer, at timestamptz) where ticket.id = own.id`.execute(db);
  const running = rows.filter(({ fate }, place) => ['late', 'today', 'running'].includes(fate) && place % 3 > 0);
  await step([...running.map(({ id }) => id), ...idsOf('held', 'resolved', 'closed')], sql`status = 'In progress'`);
  await step(
    idsOf('cancelled'),
    sql`status = 'Cancelled', cancel_reason = 'Solved by itself', changed_at = raised_at + interval '3 hours'`,
  );
  const held = rows.filter(({ fate }) => fate === 'held');
  await insertRows(
    db,
    'ticket_pause',
    held.map(({ id, at }, place) => ({
      ticket_id: id,
      reason_id: reasons[place % reasons.length]?.id ?? 0,
      from_at: after(at, 4, now),
      to_at: null,
      note: place % 2 === 0 ? 'The part is ordered' : '',
    })),
  );
  await sql`update ticket set status = 'On hold', hold_reason_id = pause.reason_id, changed_at = pause.from_at,
    version = version + 1 from ticket_pause pause where pause.ticket_id = ticket.id and pause.to_at is null`.execute(
    db,
  );
  const done = rows.filter(({ fate }) => fate === 'resolved' || fate === 'closed');
  const endings = done.map(({ id, at, fate }, place) => {
    const resolved =
      fate === 'resolved' ? after(at, 30, new Date(now.getTime() - hour)) : after(at, 3 + random.upTo(60), now);
    const closes = sameTimeOn(open, minuteOf(resolved), 3);
    return {
      id,
      resolved,
      closes: closes === null ? null : momentOf(closes),
      closed: after(resolved, 20, now),
      // The mean is 4.1.
      rating: fate === 'closed' && place % 4 > 0 ? [5, 4, 4, 3, 5, 4, 5, 3, 4, 4][place % 10] : null,
      reopened: fate === 'closed' && place % 8 === 0,
    };
  });
  const ended = sql`jsonb_to_recordset(${JSON.stringify(endings)}::jsonb) as own (id integer, resolved timestamptz,
    closes timestamptz, closed timestamptz, rating smallint, reopened boolean)`;
  await sql`insert into ticket_pause (ticket_id, reason_id, from_at, to_at)
    select own.id, ${reasons[1]?.id ?? 0}, ticket.raised_at + interval '1 hour', ticket.raised_at + interval '2 hours'
    from ${ended} join ticket on ticket.id = own.id where own.id % 5 = 0`.execute(db);
  const resolve = () =>
    sql`update ticket set status = 'Resolved', resolution = 'Repaired and checked.', resolved_at = own.resolved,
    closes_at = own.closes, changed_at = own.resolved, version = version + 1 from ${ended} where ticket.id = own.id`.execute(
      db,
    );
  await resolve();
  await sql`update ticket set status = 'In progress', resolution = '', resolved_at = null, closes_at = null,
    reopen_count = 1, version = version + 1 from ${ended} where ticket.id = own.id and own.reopened`.execute(db);
  await resolve();
  await sql`update ticket set status = 'Closed', closes_at = null, closed_at = own.closed, rating = own.rating,
    changed_at = own.closed, version = version + 1 from ${ended} where ticket.id = own.id
      and ticket.id = any(${idsOf('closed')}::integer[])`.execute(db);
  await sql`insert into ticket_escalation (ticket_id, round, level, at) select id, 0, 1, raised_at + interval '2 days' from ticket
    where id = any(${idsOf('late')}::integer[])`.execute(db);
}

/** A picture of the first ticket. */
async function seedFile(ctx: Context, ticketId: number) {
  const bytes = await paperPicture('Broken bench');
  const sha256 = createHash('sha256').update(bytes).digest();
  const picture = { name: 'Broken bench.jpg', mediaType: 'image/jpeg', bytes, sha256 };
  const file_id = await saveFile(ctx, { table: 'ticket', id: ticketId }, 'file1', picture);
  await ctx.db.insertInto('ticket_file').values({ file_id, ticket_id: ticketId }).execute();
}
