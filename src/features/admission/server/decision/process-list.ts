import { sql } from 'kysely';
import { candidateStates, type InquiryState } from '#features/admission-form/contract/state.ts';
import type { User, UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { contains } from '#kit/server/list/pagination.ts';
import { serveList } from '#kit/server/list/record-list.ts';
import { containsName } from '#kit/server/search.ts';
import { processList } from '../../contract/process-list.ts';
import { averageScore, readBy, recommendationsOf } from '../interaction/score.ts';
import { literals } from '../literals.ts';
import { isSeatReached } from '../seat/seat-read.ts';

/** True of an inquiry that was verified once, and whose review was not opened again. */
export const isApplication = sql<boolean>`(inquiry.state in ('Verified', 'Interaction planned', 'Interaction done',
    'Waitlisted', 'Offered', 'Seat confirmed', 'Admitted', 'Offer expired')
  or inquiry.state in ('Rejected', 'Withdrawn') and inquiry.ended_state in (${literals(candidateStates)}))`;

/** Its place among those that wait for a seat of its row. */
export const rankOf = sql<number | null>`case when inquiry.state = 'Waitlisted' then (
  select count(*)::integer from admission_inquiry other where other.seat_id = inquiry.seat_id
    and other.state = 'Waitlisted' and other.waitlist_position <= inquiry.waitlist_position) end`;

const feeOf = sql<string>`case
  when exists (select from admission_payment where inquiry_id = inquiry.id and reversed_at is null) then 'Paid'
  when inquiry.state = 'Offered' and (select admission_fee from admission_seat where id = inquiry.seat_id) > 0 then 'Due'
  else '' end`;

const scoreFor = (user: User) => sql<number | null>`${readBy(user, averageScore)}::double precision`;

const applicationsOf = ({ db, user }: UserContext) =>
  db
    .selectFrom('admission_inquiry as inquiry')
    .where(isSeatReached(user, sql`inquiry.branch_id`))
    .where(isApplication)
    .select(['inquiry.id', 'inquiry.inquiry_no', 'inquiry.quota', 'inquiry.seat_quota', 'inquiry.held_kind'])
    .select(['inquiry.received_at', 'inquiry.offer_expires_on'])
    .select(sql<InquiryState>`inquiry.state`.as('state'))
    .select([rankOf.as('rank'), feeOf.as('fee')])
    .select([scoreFor(user).as('score'), readBy(user, recommendationsOf).as('recommendation')])
    .select(
      sql<string | null>`(select max((own.starts_at at time zone 'Asia/Kolkata')::date)::text
        from admission_interaction own where own.inquiry_id = inquiry.id and own.status <> 'Cancelled')`.as('meets_on'),
    )
    .select(sql<string>`trim(coalesce(inquiry.first_name, '') || ' ' || coalesce(inquiry.last_name, ''))`.as('child'))
    .select(({ selectFrom }) => [
      selectFrom('academic_grade').whereRef('id', '=', 'inquiry.grade_id').select('name').as('grade'),
      selectFrom('academic_year').whereRef('id', '=', 'inquiry.academic_year_id').select('name').as('academic_year'),
      selectFrom('academic_branch').whereRef('id', '=', 'inquiry.branch_id').select('name').as('branch'),
    ]);

type Row = Awaited<ReturnType<ReturnType<typeof applicationsOf>['executeTakeFirstOrThrow']>>;

const isIn = (...states: InquiryState[]) => sql<boolean>`inquiry.state in (${literals(states)})`;

/** True of an `inquiry` that waits for a decision. */
export const toDecide = sql<boolean>`(inquiry.held_kind is null
  and ${isIn('Verified', 'Interaction planned', 'Interaction done')})`;

export const {
  routes: processListRoutes,
  selected: applicationsSelected,
  figures: applicationFigures,
  first: firstApplications,
} = serveList(processList, (ctx) => {
  const today = toLocalDate(ctx.now());
  const ends = {
    Ended: sql<boolean>`(inquiry.state = 'Offered' and inquiry.offer_expires_on < ${today}::date)`,
    'Within 7 days': sql<boolean>`(inquiry.state = 'Offered'
      and inquiry.offer_expires_on between ${today}::date and ${addDays(today, 7)}::date)`,
  };
  const score = scoreFor(ctx.user);
  const scored = {
    '75 % and more': sql<boolean>`${score} >= 75`,
    '50 % to 75 %': sql<boolean>`(${score} >= 50 and ${score} < 75)`,
    'Below 50 %': sql<boolean>`${score} < 50`,
    'No score': sql<boolean>`${score} is null`,
  };
  return {
    query: applicationsOf(ctx),
    id: 'inquiry.id',
    isPeople: true,
    matches: (word) => sql`(${containsName('inquiry', word)} or inquiry.search_text like lower(${contains(word)}))`,
    tabs: {
      toDecide,
      held: sql<boolean>`inquiry.held_kind is not null`,
      offered: isIn('Offered'),
      waiting: isIn('Waitlisted'),
      confirmed: isIn('Seat confirmed'),
      admitted: isIn('Admitted'),
      ended: isIn('Offer expired', 'Rejected', 'Withdrawn'),
      all: undefined,
    },
    filters: {
      academicYearId: (id) => sql`inquiry.academic_year_id = ${Number(id)}`,
      branchId: (id) => sql`inquiry.branch_id = ${Number(id)}`,
      gradeId: (id) => sql`inquiry.grade_id = ${Number(id)}`,
      quota: (quota) => sql`inquiry.quota = ${quota}`,
      score: (range) => scored[range as keyof typeof scored],
      offer: (when) => ends[when as keyof typeof ends],
    },
    sorts: {
      child: { by: sql`lower(coalesce(inquiry.first_name, '') || ' ' || coalesce(inquiry.last_name, ''))`, as: 'text' },
      inquiryNo: { by: sql`inquiry.inquiry_no`, as: 'text' },
      receivedOn: { by: sql`inquiry.received_at`, as: 'moment' },
      // Without a score, or the right to read it, at the low end.
      score: { by: sql`coalesce(round((${score})::numeric * 100), -1)::bigint`, as: 'number' },
      // By row of the seat plan, then by place.
      rank: {
        by: sql`lpad(coalesce(inquiry.seat_id, 0)::text, 10, '0') || lpad(coalesce(inquiry.waitlist_position, 0)::text, 10, '0')`,
        as: 'text',
      },
      offerExpiresOn: { by: sql`coalesce(inquiry.offer_expires_on, 'infinity')`, as: 'date' },
    },
    toRows: async (rows: Row[]) =>
      rows.map((row) =>
        toOutput(processList.row, row, {
          child: row.child || row.inquiry_no,
          receivedOn: row.received_at ? toLocalDate(row.received_at) : '',
          decision: row.held_kind ?? '',
          isLate: row.state === 'Offered' && (row.offer_expires_on ?? '') < today,
        }),
      ),
  };
});
