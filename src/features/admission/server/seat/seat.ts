import { sql } from 'kysely';
import { reachesBranch } from '#access/server/scope.ts';
import { lockYearForShare, readYear, requireOpen } from '#features/calendar/api.ts';
import { AppError, fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { notFound, requireVersion } from '#kit/server/record/version.ts';
import { audit, auditEach } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import { type InteractionKind, seatApi, seatMessages, seatPlaceFields } from '../../contract/seat.ts';
import { mayCall } from '../abilities.ts';
import { toDecide } from '../decision/process-list.ts';
import { literals } from '../literals.ts';
import { toReview } from '../review/review-list.ts';
import { isReached } from '../scope.ts';
import { scoresBelowNine } from '../settings.ts';
import { isSeatReached, readOffersToMake, readSeats } from './seat-read.ts';

/** Locks the year against being closed. Throws `conflict` for a closed one. */
export async function shareOpenYear(ctx: Pick<Context, 'db'>, id: number) {
  await lockYearForShare(ctx, id);
  const year = await readYear(ctx, id);
  requireOpen(year);
  return year;
}

/** The year of the admission pages: the latest with seats that are not closed, else the next planned, else the current. */
async function admissionYear({ db, now }: Pick<Context, 'db' | 'now'>, id: number | null) {
  const year = await db
    .selectFrom('academic_year as year')
    .select(['id', 'name', 'status'])
    .$if(id !== null, (query) => query.where('id', '=', id))
    .orderBy(
      sql`exists (select from admission_seat seat where seat.academic_year_id = year.id and total > 0
        and coalesce(closes_on, 'infinity') >= school_now()::date) and status <> 'Closed'`,
      'desc',
    )
    .orderBy(
      sql`case academic_year_phase(year, ${toLocalDate(now())}::date) when 'Planned' then 0 when 'Current' then 1 else 2 end`,
    )
    .orderBy('starts_on', id === null ? 'desc' : 'asc')
    .executeTakeFirst();
  return year ?? null;
}

const list: Handler<typeof seatApi.list> = async (ctx, { academicYearId }) => {
  const year = await admissionYear(ctx, academicYearId);
  const years = await ctx.db
    .selectFrom('academic_year')
    .select(['id', 'name'])
    .orderBy('starts_on', 'desc')
    .limit(20)
    .execute();
  const yearId = year?.id ?? 0;
  const isClosed = year?.status === 'Closed';
  const which = sql<boolean>`seat.academic_year_id = ${yearId} and ${isSeatReached(ctx.user)}`;
  return {
    year: year && { id: year.id, name: year.name, isClosed },
    years,
    rows: await readSeats(ctx, which),
    offers: isClosed ? [] : await readOffersToMake(ctx, which),
    proposed: (await proposedRows(ctx, yearId)).length,
    may: { plan: mayCall(ctx.user, { plan: seatApi.create }).plan && year !== null && !isClosed },
  };
};

const year: Handler<typeof seatApi.year> = async (ctx) => ({
  id: (await admissionYear(ctx, null))?.id ?? null,
  waiting: await waitingByYear(ctx),
});

async function waitingByYear({ db, user }: UserContext) {
  const { rows } = await sql<{ id: number; name: string; toReview: number; toDecide: number }>`
    select * from (
      select year.id, year.name, year.starts_on,
        count(*) filter (where ${toReview} and ${isReached(user)})::integer as "toReview",
        count(*) filter (where ${toDecide} and ${isSeatReached(user, sql`inquiry.branch_id`)})::integer as "toDecide"
      from admission_inquiry inquiry join academic_year year on year.id = inquiry.academic_year_id
      where inquiry.state in (${literals(waitingStates)})
      group by year.id) as counted
    where "toReview" > 0 or "toDecide" > 0 order by starts_on`.execute(db);
  return rows.map(({ id, name, toReview, toDecide }) => ({ id, name, toReview, toDecide }));
}

const waitingStates = ['Submitted', 'Under review', 'Verified', 'Interaction planned', 'Interaction done'] as const;

const rules = {
  table: 'admission_seat',
  fields: seatPlaceFields,
  constraintMessages: {
    admission_seat_not_oversold: { field: 'total', message: seatMessages.oversold },
    admission_seat_days: { field: 'closesOn', message: seatMessages.days },
    admission_seat_rte: { field: 'interaction', message: seatMessages.rte },
    admission_seat_once: { field: 'quota', message: seatMessages.once },
  },
};

type Values = Omit<Parameters<Handler<typeof seatApi.update>>[1], 'id' | 'version'>;

const columnsOf = ({ total, reserved, interaction, admissionFee, offerDays, opensOn, closesOn }: Values) => ({
  total: Number(total),
  reserved: Number(reserved),
  interaction,
  admission_fee: admissionFee ?? 0,
  offer_days: Number(offerDays),
  opens_on: opensOn || null,
  closes_on: closesOn || null,
});

/** Refuses a scored assessment below grade IX, unless the school has allowed it. */
async function checkInteraction(ctx: UserContext, interaction: InteractionKind, gradeIds: readonly number[]) {
  if (interaction !== 'Assessment' || (await readSetting(ctx, scoresBelowNine))) return;
  const below = await ctx.db
    .selectFrom('academic_grade')
    .where('id', '=', sql<number>`any(${gradeIds}::integer[])`)
    .where('stage', '<>', 'Secondary')
    .select('id')
    .executeTakeFirst();
  if (below) throw fieldRefusal('interaction', seatMessages.scores);
}

function checkBranch(ctx: UserContext, branchId: number | null) {
  if (!reachesBranch(ctx.user, branchId)) throw fieldRefusal('branchId', text`Choose one from the list.`);
}

type Draft = Parameters<Handler<typeof seatApi.createMany>>[1];

/** Adds a row for each grade that has none of this quota. Returns those that were added. */
async function addRows(ctx: UserContext, { academicYearId, branchId, programId, quota, gradeIds, ...values }: Draft) {
  checkBranch(ctx, branchId);
  await shareOpenYear(ctx, Number(academicYearId));
  await checkInteraction(ctx, values.interaction, gradeIds);
  const rows = await withConstraintMessages(ctx, rules, () =>
    ctx.db
      .insertInto('admission_seat')
      .values(
        [...new Set(gradeIds)]
          .sort((one, other) => one - other)
          .map((gradeId) => ({
            academic_year_id: Number(academicYearId),
            branch_id: Number(branchId),
            program_id: Number(programId),
            grade_id: gradeId,
            quota,
            ...columnsOf(values),
          })),
      )
      .onConflict((conflict) => conflict.constraint('admission_seat_once').doNothing())
      .returning(['id', 'version'])
      .execute(),
  );
  const details = { Quota: quota, Seats: Number(values.total), Reserved: Number(values.reserved) };
  await auditEach(
    ctx,
    { action: 'admission.seat.planned', entity: rules.table, details },
    rows.map(({ id }) => id),
  );
  return rows;
}

const create: Handler<typeof seatApi.create> = async (ctx, { gradeId, ...draft }) => {
  const [made] = await addRows(ctx, { ...draft, gradeIds: [Number(gradeId)] });
  if (!made) throw fieldRefusal('quota', seatMessages.once);
  return made;
};

const createMany: Handler<typeof seatApi.createMany> = async (ctx, draft) => {
  const { length } = await addRows(ctx, draft);
  return { added: length, skipped: new Set(draft.gradeIds).size - length };
};

/** Locks a row after its year. Throws `not_found` outside the user's branches and `stale` for another version. */
async function lockSeat(ctx: UserContext, id: number, version: number) {
  const find = () =>
    ctx.db.selectFrom('admission_seat as seat').where('id', '=', id).where(isSeatReached(ctx.user)).selectAll();
  const found = await find().executeTakeFirstOrThrow(notFound);
  await shareOpenYear(ctx, found.academic_year_id);
  const row = await find().forUpdate().executeTakeFirstOrThrow(notFound);
  requireVersion(row, version);
  return row;
}

const update: Handler<typeof seatApi.update> = async (ctx, { id, version, ...values }) => {
  const before = await lockSeat(ctx, id, version);
  await checkInteraction(ctx, values.interaction, [before.grade_id]);
  const { total, reserved } = columnsOf(values);
  if (before.taken > total - reserved)
    throw fieldRefusal(
      'total',
      text`${{ taken: before.taken }} seats are assigned. The fewest is ${{ least: before.taken + reserved }} in total with ${{ reserved }} reserved.`,
    );
  const saved = await withConstraintMessages(ctx, rules, () =>
    ctx.db
      .updateTable('admission_seat')
      .set({ ...columnsOf(values), version: version + 1 })
      .where('id', '=', id)
      .returning(['id', 'version'])
      .executeTakeFirstOrThrow(),
  );
  await audit(ctx, {
    action: 'admission.seat.changed',
    entity: rules.table,
    entityId: id,
    version: version + 1,
    details: { Quota: before.quota, Seats: `${before.total} → ${total}`, Reserved: `${before.reserved} → ${reserved}` },
  });
  return saved;
};

const remove: Handler<typeof seatApi.remove> = async (ctx, { id, version }) => {
  const before = await lockSeat(ctx, id, version);
  const used = await sql`select from admission_inquiry where seat_id = ${id}
    union all select from admission_decision where seat_id = ${id} limit 1`.execute(ctx.db);
  if (used.rows.length > 0) throw new AppError('conflict', seatMessages.used);
  await ctx.db.deleteFrom('admission_seat').where('id', '=', id).execute();
  const details = { Quota: before.quota, Seats: before.total };
  await audit(ctx, { action: 'admission.seat.removed', entity: rules.table, entityId: id, version, details });
  return {};
};

interface Proposed {
  branchId: number;
  branch: string;
  programId: number;
  program: string;
  gradeId: number;
  grade: string;
  total: number;
  reserved: number;
}

/**
 * The General rows that the sections of the year propose, or those of the current year. The children who stand in the
 * grade below in the current year come from there, if the year is a later one.
 */
async function proposedRows({ db, user, now }: UserContext, yearId: number): Promise<Proposed[]> {
  const { rows } = await sql<Proposed>`
    with year as (select id, starts_on from academic_year where id = ${yearId}),
    current_year as (select id, starts_on from academic_year where id = academic_year_on(${toLocalDate(now())}::date)),
    source as (select coalesce((select academic_year_id from academic_section where is_active and academic_year_id = ${yearId}
      limit 1), (select id from current_year)) as id),
    place as (
      select branch_id, program_id, grade_id, sum(capacity)::integer as total
      from academic_section section join source on source.id = section.academic_year_id
      where section.is_active group by 1, 2, 3)
    select place.branch_id as "branchId", branch.name as branch, place.program_id as "programId", program.name as program,
      place.grade_id as "gradeId", grade.name as grade, least(place.total, 2000) as total,
      least(place.total, coalesce((select count(*) from student_enrollment enrollment
        join academic_grade below on below.id = enrollment.grade_id
        where enrollment.academic_year_id = (select id from current_year) and enrollment.status = 'Active'
          and enrollment.branch_id = place.branch_id and enrollment.program_id = place.program_id
          and below.position = (select max(position) from academic_grade where position < grade.position)
          and (select starts_on from year) > (select starts_on from current_year)), 0))::integer as reserved
    from place
    join year on true
    join academic_branch branch on branch.id = place.branch_id and branch.is_active
    join academic_program program on program.id = place.program_id and program.is_active
    join academic_grade grade on grade.id = place.grade_id and grade.is_active
    where ${isSeatReached(user, sql`place.branch_id`)}
      and not exists (select from admission_seat seat where seat.academic_year_id = year.id and seat.quota = 'General'
        and (seat.branch_id, seat.program_id, seat.grade_id) = (place.branch_id, place.program_id, place.grade_id))
    order by branch.name, program.name, grade.position`.execute(db);
  return rows;
}

const propose: Handler<typeof seatApi.propose> = (ctx, { academicYearId, confirmToken }) =>
  previewOrApply(ctx, confirmToken, async () => {
    await shareOpenYear(ctx, academicYearId);
    const rows = await proposedRows(ctx, academicYearId);
    const added = await sql<{ id: number }>`
      insert into admission_seat (academic_year_id, branch_id, program_id, grade_id, quota, total, reserved)
      select ${academicYearId}, "branchId", "programId", "gradeId", 'General', total, reserved
      from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as row ("branchId" integer, "programId" integer, "gradeId" integer, total integer, reserved integer)
      returning id`.execute(ctx.db);
    await auditEach(
      ctx,
      { action: 'admission.seat.planned', entity: rules.table, details: { From: 'Sections' } },
      added.rows.map(({ id }) => id),
    );
    return {
      answer: {
        rows: rows.map(({ grade, program, branch, total, reserved }) => ({ grade, program, branch, total, reserved })),
      },
      basis: [academicYearId, rows],
      isRefused: rows.length === 0,
    };
  });

export default routes(seatApi, { list, year, create, update, remove, propose, createMany });
