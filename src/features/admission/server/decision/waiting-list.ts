import { sql } from 'kysely';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notFound, stale } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { mostWaiting, type WaitingList, waitingApi } from '../../contract/waiting-list.ts';
import { shareOpenYear } from '../seat/seat.ts';
import { lockSeats } from '../seat/seat-lock.ts';
import { isSeatReached } from '../seat/seat-read.ts';

const read: Handler<typeof waitingApi.read> = async (ctx, { seatId }) => {
  const seat = await ctx.db
    .selectFrom('admission_seat as seat')
    .innerJoin('academic_grade as grade', 'grade.id', 'seat.grade_id')
    .where('seat.id', '=', seatId)
    .where(isSeatReached(ctx.user))
    .select(['grade.name as grade', 'seat.quota'])
    .executeTakeFirstOrThrow(notFound);
  const { rows } = await sql<WaitingList['rows'][number]>`
    select id, coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), inquiry_no) as child,
      inquiry_no as "inquiryNo", quota, coalesce((received_at at time zone 'Asia/Kolkata')::date::text, '') as "receivedOn"
    from admission_inquiry where seat_id = ${seatId} and state = 'Waitlisted'
    order by waitlist_position limit ${mostWaiting}`.execute(ctx.db);
  return { seatId, name: [seat.grade, seat.quota].join(', '), rows };
};

const rank: Handler<typeof waitingApi.rank> = async (ctx, { seatId, ids, reason }) => {
  const row = await ctx.db
    .selectFrom('admission_seat as seat')
    .where('seat.id', '=', seatId)
    .where(isSeatReached(ctx.user))
    .select('academic_year_id')
    .executeTakeFirstOrThrow(stale);
  await shareOpenYear(ctx, row.academic_year_id);
  const waiting = await sql<{ id: number; position: number; name: string }>`
    select id, waitlist_position as position, coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), inquiry_no) as name
    from admission_inquiry where seat_id = ${seatId} and state = 'Waitlisted' order by id for update`.execute(ctx.db);
  await lockSeats(ctx, [seatId]);
  const present = new Map(waiting.rows.map((child) => [child.id, child]));
  if (present.size !== ids.length || new Set(ids).size !== ids.length || !ids.every((id) => present.has(id)))
    throw stale();
  const positions = waiting.rows.map(({ position }) => position).sort((one, other) => one - other);
  const ordered = sql`unnest(${ids}::integer[], ${positions}::integer[]) as ordered (id, position)`;
  await sql`update admission_inquiry own set waitlist_position = ordered.position, version = version + 1
    from ${ordered} where own.id = ordered.id`.execute(ctx.db);
  // A child that leaves the list returns to the place that it has now.
  await sql`update admission_decision decision set waitlist_position = ordered.position
    from ${ordered} where decision.id = (select max(id) from admission_decision
      where inquiry_id = ordered.id and kind = 'Waitlist' and released_at is not null)`.execute(ctx.db);
  await audit(ctx, {
    action: 'admission.waiting-list.ranked',
    entity: 'admission_seat',
    entityId: seatId,
    details: {
      Reason: reason,
      Order: ids
        .map((id) => present.get(id)?.name)
        .join(', ')
        .slice(0, 1000),
    },
  });
  return {};
};

export default routes(waitingApi, { read, rank });
