import { type Expression, sql } from 'kysely';
import { inScope } from '#access/server/scope.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context, User, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { mostOffers, type OfferToMake, processReaders, type SeatRow } from '../../contract/seat.ts';
import { averageScore, readBy } from '../interaction/score.ts';

/** True in a query of the seat rows that exist for this user: those of the branches that the account reaches. */
export const isSeatReached = (user: User, branch: Expression<unknown> = sql`seat.branch_id`) =>
  inScope(user, processReaders, { branch });

/** Why a row takes no more: how many seats it has and has given. */
export const noSeatFree = ({ taken, total, reserved }: { taken: number; total: number; reserved: number }): Text =>
  text`No seat is free (${{ taken }} of ${{ seats: total - reserved }}).`;

/** Rows of the seat plan with their counts, in the order of programs and grades. */
export async function readSeats(
  { db, now }: Pick<Context, 'db' | 'now'>,
  which: Expression<boolean>,
): Promise<SeatRow[]> {
  const today = toLocalDate(now());
  const { rows } = await sql<SeatRow>`
    select seat.id, seat.version, seat.academic_year_id as "academicYearId", seat.branch_id as "branchId",
      branch.name as branch, seat.program_id as "programId", program.name as program, seat.grade_id as "gradeId",
      grade.name as grade, seat.quota, seat.total, seat.reserved, seat.interaction,
      seat.admission_fee::double precision as "admissionFee", seat.offer_days as "offerDays",
      coalesce(seat.opens_on::text, '') as "opensOn", coalesce(seat.closes_on::text, '') as "closesOn",
      seat.total > 0 and ${today}::date between coalesce(seat.opens_on, '-infinity') and coalesce(seat.closes_on, 'infinity')
        as "isOpen",
      coalesce(given.held, 0) as held, coalesce(given.offered, 0) as offered,
      coalesce(given.confirmed, 0) as confirmed, coalesce(given.admitted, 0) as admitted,
      seat.total - seat.reserved - seat.taken as free, coalesce(given.waiting, 0) as waiting
    from admission_seat seat
    join academic_branch branch on branch.id = seat.branch_id
    join academic_program program on program.id = seat.program_id
    join academic_grade grade on grade.id = seat.grade_id
    left join lateral (
      select count(*) filter (where holds_seat and state not in ('Offered', 'Seat confirmed', 'Admitted'))::integer as held,
        count(*) filter (where state = 'Offered')::integer as offered,
        count(*) filter (where state = 'Seat confirmed')::integer as confirmed,
        count(*) filter (where state = 'Admitted' and holds_seat)::integer as admitted,
        count(*) filter (where state = 'Waitlisted')::integer as waiting
      from admission_inquiry where seat_id = seat.id
    ) as given on true
    where ${which}
    order by branch.name, program.name, grade.position,
      array_position(array['General', 'RTE', 'Staff', 'Management', 'Sibling'], seat.quota)`.execute(db);
  return rows;
}

/** As many of the waiting list of each row as seats are free there, in their order. */
export async function readOffersToMake({ db, user }: UserContext, which: Expression<boolean>): Promise<OfferToMake[]> {
  const { rows } = await sql<OfferToMake>`
    select id, seat_id as "seatId", child, since, sibling, score from (
      select inquiry.id, inquiry.seat_id, seat.total - seat.reserved - seat.taken as free, inquiry.sibling_names as sibling,
        coalesce(nullif(trim(concat_ws(' ', first_name, last_name)), ''), inquiry_no) as child,
        coalesce((select max(released_at) from admission_decision where inquiry_id = inquiry.id and kind = 'Waitlist'
          and released_at is not null) at time zone 'Asia/Kolkata', inquiry.received_at at time zone 'Asia/Kolkata')::date::text as since,
        ${readBy(user, averageScore)}::double precision as score,
        row_number() over (partition by inquiry.seat_id order by inquiry.waitlist_position) as place
      from admission_seat seat join admission_inquiry inquiry on inquiry.seat_id = seat.id
      where ${which} and inquiry.state = 'Waitlisted' and inquiry.held_kind is null
        and seat.taken < seat.total - seat.reserved) as waiting
    where place <= free order by seat_id, place limit ${mostOffers}`.execute(db);
  return rows;
}
