import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { mostExported } from '#kit/contract/master.ts';
import type { TableKind } from '#kit/contract/served-file.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type Table, tableFile } from '#kit/server/list/table-file.ts';
import { notFound } from '#kit/server/record/version.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { exportApi } from '../../contract/export.ts';
import { averageScore, recommendationsOf } from '../interaction/score.ts';
import { takenQuotas } from '../seat/seat-lock.ts';
import { isSeatReached } from '../seat/seat-read.ts';

type Cell = string | number | null;
type Rows = Record<string, Cell>[];

const child = sql`coalesce(nullif(trim(concat_ws(' ', inquiry.first_name, inquiry.last_name)), ''), inquiry.inquiry_no)`;
const receivedOn = sql`coalesce((inquiry.received_at at time zone 'Asia/Kolkata')::date::text, '')`;

/** A row of the seat plan by its names. */
async function findSeat({ db, user }: UserContext, id: number) {
  return db
    .selectFrom('admission_seat as seat')
    .innerJoin('academic_year as year', 'year.id', 'seat.academic_year_id')
    .innerJoin('academic_branch as branch', 'branch.id', 'seat.branch_id')
    .innerJoin('academic_program as program', 'program.id', 'seat.program_id')
    .innerJoin('academic_grade as grade', 'grade.id', 'seat.grade_id')
    .where('seat.id', '=', id)
    .where(isSeatReached(user))
    .selectAll('seat')
    .select(['year.name as year', 'branch.name as branch', 'program.name as program', 'grade.name as grade'])
    .executeTakeFirstOrThrow(notFound);
}

const factsOf = (seat: Awaited<ReturnType<typeof findSeat>>): [Text, string][] => [
  [text`Academic year`, seat.year],
  [text`Grade`, [seat.grade, seat.program, seat.branch].join(', ')],
  [text`Quota`, seat.quota],
  [text`Seats`, String(seat.total - seat.reserved)],
];

function serve(
  ctx: UserContext,
  what: string,
  { columns, rows, ...table }: Omit<Table, 'heads' | 'rows'> & { columns: Record<string, Text>; rows: Rows },
  as: TableKind,
) {
  if (rows.length > mostExported) throw new AppError('conflict', text`This list is too long. Filter it first.`);
  const cells = rows.map((row) => Object.keys(columns).map((name) => row[name] ?? null));
  const act = {
    action: 'process.exported',
    entity: 'process',
    entityId: 0,
    details: { rows: rows.length, as, what },
    names: rows.length,
  };
  return takeNames(ctx, act, () => tableFile(ctx, { ...table, heads: Object.values(columns), rows: cells }, as));
}

const merit: Handler<typeof exportApi.merit> = async (ctx, { seatId, as }) => {
  const seat = await findSeat(ctx, seatId);
  if (seat.interaction !== 'Assessment')
    throw new AppError('conflict', text`This grade has no scored assessment, so it has no merit list.`);
  const { rows } = await sql<Rows[number]>`
    select row_number() over (order by score desc nulls last, received_at, id)::integer as place, "inquiryNo", child, quota,
      "receivedOn", score, recommendations, state
    from (select inquiry.id, inquiry.received_at, inquiry.inquiry_no as "inquiryNo", ${child} as child, inquiry.quota,
        ${receivedOn} as "receivedOn", inquiry.state,
        ${averageScore} as score, ${recommendationsOf} as recommendations
      from admission_inquiry inquiry
      where (inquiry.academic_year_id, inquiry.branch_id, inquiry.program_id, inquiry.grade_id)
          = (${seat.academic_year_id}, ${seat.branch_id}, ${seat.program_id}, ${seat.grade_id})
        and (inquiry.seat_id = ${seatId} or inquiry.seat_id is null and inquiry.quota = any(${takenQuotas(seat.quota)}))
        and inquiry.state in ('Verified', 'Interaction planned', 'Interaction done', 'Waitlisted', 'Offered',
          'Seat confirmed', 'Admitted')) as candidate
    order by place limit ${mostExported + 1}`.execute(ctx.db);
  const columns = {
    place: text`Place`,
    inquiryNo: text`Inquiry number`,
    child: text`Child`,
    quota: text`Quota`,
    receivedOn: text`Form received on`,
    score: text`Score (%)`,
    recommendations: text`Recommendation`,
    state: text`Status`,
  };
  return serve(
    ctx,
    'merit list',
    { name: 'merit-list', title: text`Merit list`, facts: factsOf(seat), columns, rows },
    as,
  );
};

const waiting: Handler<typeof exportApi.waiting> = async (ctx, { seatId, as }) => {
  const seat = await findSeat(ctx, seatId);
  const { rows } = await sql<Rows[number]>`
    select row_number() over (order by waitlist_position)::integer as place, inquiry.inquiry_no as "inquiryNo",
      ${child} as child, inquiry.quota, ${receivedOn} as "receivedOn"
    from admission_inquiry inquiry where seat_id = ${seatId} and state = 'Waitlisted'
    order by waitlist_position limit ${mostExported + 1}`.execute(ctx.db);
  const columns = {
    place: text`Place`,
    inquiryNo: text`Inquiry number`,
    child: text`Child`,
    quota: text`Quota`,
    receivedOn: text`Form received on`,
  };
  const table = { name: 'waiting-list', title: text`Waiting list`, facts: factsOf(seat), columns, rows };
  return serve(ctx, 'waiting list', table, as);
};

const calls: Handler<typeof exportApi.calls> = async (ctx, { day, as }) => {
  const { rows } = await sql<Rows[number]>`
    select to_char(slot.starts_at at time zone 'Asia/Kolkata', 'HH24:MI') as time,
      coalesce(room.name, slot.place) as place, ${child} as child, inquiry.inquiry_no as "inquiryNo", grade.name as grade,
      coalesce(nullif(trim(concat_ws(' ', inquiry.father_first_name, inquiry.father_last_name)), ''),
        trim(concat_ws(' ', inquiry.mother_first_name, inquiry.mother_last_name))) as parent,
      coalesce(inquiry.father_mobile, inquiry.mother_mobile, '') as mobile,
      (select string_agg(staff.name, ', ' order by staff.name) from admission_slot_assessor assessor
        join staff on staff.id = assessor.staff_id where assessor.slot_id = slot.id) as assessors,
      case own.status when 'Planned' then '' else own.status end as came
    from admission_slot slot
    join admission_interaction own on own.slot_id = slot.id and own.status <> 'Cancelled'
    join admission_inquiry inquiry on inquiry.id = own.inquiry_id
    join academic_grade grade on grade.id = inquiry.grade_id
    left join academic_room room on room.id = slot.room_id
    where slot.starts_at >= (${day}::date::timestamp at time zone 'Asia/Kolkata')
      and slot.starts_at < ((${day}::date + 1)::timestamp at time zone 'Asia/Kolkata')
      and ${isSeatReached(ctx.user, sql`slot.branch_id`)}
    order by slot.starts_at, place, child limit ${mostExported + 1}`.execute(ctx.db);
  const columns = {
    time: text`Time`,
    place: text`Place`,
    child: text`Child`,
    inquiryNo: text`Inquiry number`,
    grade: text`Grade`,
    parent: text`Parent`,
    mobile: text`Mobile number`,
    assessors: text`Assessors`,
    came: text`Attended`,
  };
  const facts: [Text, string][] = [[text`Day`, showDate(day)]];
  return serve(ctx, 'call list', { name: `calls-${day}`, title: text`Call list`, facts, columns, rows }, as);
};

export default routes(exportApi, { merit, waiting, calls });
