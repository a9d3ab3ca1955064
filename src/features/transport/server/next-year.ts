import { sql } from 'kysely';
import { transportKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { mostSkippedShown } from '#kit/contract/bulk.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context, User, UserContext } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { lockRuns, type NotDone, type RunBatch, type RunContext, startRun } from '#kit/server/job/runs.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { fleetApi } from '../contract/fleet.ts';
import { chargeAsShown } from './charge-run.ts';
import { chargeRides } from './fee-link.ts';
import { withTransportMessages } from './messages.ts';
import { lockRidesById } from './ride-locks.ts';

const kind = 'transport.next-year';

interface Rider {
  id: number;
  name: string;
  rideId: number;
  isEnrolled: boolean;
  isServed: boolean;
  hasPrice: boolean;
  /** A request to stop the ride waits for its decision. */
  asksToStop: boolean;
}

async function readNextYear({ db, now }: Pick<Context, 'db' | 'now'>) {
  const { rows } = await sql<{ id: number; name: string; startsOn: string }>`
    select later.id, later.name, later.starts_on as "startsOn" from academic_year later
    join academic_year year on year.id = academic_year_on(${toLocalDate(now())}::date) and later.starts_on > year.ends_on
    where later.status <> 'Closed' order by later.starts_on limit 1`.execute(db);
  if (!rows[0]) throw new AppError('conflict', text`Add the next academic year first.`);
  return rows[0];
}
type NextYear = Awaited<ReturnType<typeof readNextYear>>;

/** The students whose ride continues in the next year, and whether the slot takes them: all in reach, or those of them with these ids. */
async function ridersOf(
  { db }: Pick<Context, 'db'>,
  user: User | undefined,
  { id: yearId, startsOn }: NextYear,
  ids: readonly number[] | null,
): Promise<Rider[]> {
  const reach = user ? inScope(user, transportKeepers, { branch: sql`route.branch_id` }) : sql<boolean>`true`;
  const { rows } = await sql<Rider>`
    select student.id, student.name, own.id as "rideId", grade.id is not null as "isEnrolled",
      not exists (select from transport_trip trip join transport_time_slot slot on slot.id = trip.time_slot_id
        left join academic_grade first on first.id = slot.from_grade_id
        left join academic_grade last on last.id = slot.to_grade_id
        where trip.id in (own.pickup_trip_id, own.drop_trip_id)
          and grade.position not between coalesce(first.position, grade.position) and coalesce(last.position, grade.position))
        as "isServed",
      own.fee <> 'By stop' or not exists (select from unnest(array[own.pickup_stop_id, own.drop_stop_id]) as stop
        where stop is not null and transport_price(stop, ${startsOn}) is null) as "hasPrice",
      exists (select from transport_stop_change asked where asked.student_id = student.id and asked.action = 'Stop'
        and asked.outcome is null) as "asksToStop"
    from transport_assignment own
    join student on student.id = own.student_id
    left join student_enrollment enrollment on enrollment.student_id = student.id
      and enrollment.academic_year_id = ${yearId} and enrollment.is_standing
    left join academic_grade grade on grade.id = enrollment.grade_id
    where ${startsOn}::date between own.effective_from + 1 and coalesce(own.effective_to, 'infinity')
      and (${ids}::integer[] is null or student.id = any(${ids}::integer[]))
      and exists (select from transport_trip trip join transport_route route on route.id = trip.route_id
        where trip.id in (own.pickup_trip_id, own.drop_trip_id) and ${reach})
    order by student.sort_name, student.id`.execute(db);
  return rows;
}

const otherGrade = text`The time slot does not take the new grade.`;

const waits = ({ isEnrolled, isServed, hasPrice, asksToStop }: Rider, { name: year }: NextYear): Text | undefined => {
  if (asksToStop) return text`Asks to stop. Decide on the request first.`;
  if (!isEnrolled) return text`Has no place in ${{ year }} yet.`;
  return isServed && !hasPrice ? text`The stop has no slab price in ${{ year }}.` : undefined;
};

export const nextYear: Handler<typeof fleetApi.nextYear> = (ctx, { confirmToken }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const last = await lockRuns(ctx, kind, isPreview);
    const year = await readNextYear(ctx);
    const riders = await ridersOf(ctx, ctx.user, year, null);
    const skipped = riders.flatMap((rider) => {
      const reason = waits(rider, year);
      return reason ? [{ id: rider.id, name: rider.name, reason }] : [];
    });
    const ready = riders.filter((rider) => !waits(rider, year));
    const ends = ready.filter(({ isServed }) => !isServed);
    const goingOn = ready.filter(({ isServed }) => isServed);
    const effects = await chargeRides(
      ctx,
      goingOn.map(({ id }) => id),
      { effectOnly: true, yearIds: [year.id] },
    );
    const others = await differOtherwise(
      ctx,
      year,
      goingOn.map(({ id }) => id),
    );
    const differences = Object.fromEntries(
      effects.filter(({ difference }) => difference !== 0).map(({ studentId, difference }) => [studentId, difference]),
    );
    const rows = [...ends, ...goingOn.filter(({ id }) => differences[id])];
    const input: Input = { ends: ends.map(({ id }) => id), differences };
    const runId =
      isPreview || rows.length === 0
        ? null
        : await startRun(ctx, {
            kind,
            input,
            rows,
            told: { title: text`Riders of ${{ year: year.name }}`, path: '/school-erp/transport/' },
            access: fleetApi.nextYear.access,
          });
    return {
      answer: {
        changed: rows.length,
        skipped: skipped.slice(0, mostSkippedShown),
        skippedCount: skipped.length,
        runId,
        year: year.name,
        total: Object.values(differences).reduce((sum, difference) => sum + difference, 0),
        ends: ends.slice(0, mostSkippedShown).map(({ id, name }) => ({ id, name, reason: otherGrade })),
        endsCount: ends.length,
        others,
      },
      basis: [last, year, input, skipped.map(({ id, reason }) => [id, reason.id])],
      isRefused: rows.length === 0,
    };
  });

/** What fees of these riders differ by in other open years. Nothing is posted there: that is an act of its own. */
async function differOtherwise(ctx: UserContext, { id }: NextYear, ids: readonly number[]) {
  const years = await ctx.db
    .selectFrom('academic_year')
    .where('status', '!=', 'Closed')
    .where('id', '!=', id)
    .select(['id', 'name'])
    .orderBy('starts_on')
    .execute();
  const others: { year: string; riders: number; total: number }[] = [];
  for (const year of years) {
    const effects = await chargeRides(ctx, ids, { effectOnly: true, yearIds: [year.id] });
    const different = effects.filter(({ difference }) => difference !== 0);
    const total = different.reduce((sum, { difference }) => sum + difference, 0);
    if (different.length > 0) others.push({ year: year.name, riders: different.length, total });
  }
  return others;
}

interface Input {
  /** Students whose ride ends before the next year, and what the fees of others change by, as the preview showed. */
  ends: number[];
  differences: Record<number, number>;
}

const goesOn = text`The ride can continue now. Preview again.`;

/** Ends a ride on the day before the next year where the slot still does not take the grade, and charges the others. */
const takeOver: RunBatch = {
  most: 50,
  act: async (ctx: RunContext, ids, { ends, differences }: Input) => {
    const year = await readNextYear(ctx);
    const isAsked = new Set(ends);
    const leaving = ids.filter((id) => isAsked.has(id));
    await sql`select from student where id = any(${ids}::integer[]) order by id for share`.execute(ctx.db);
    const found = await ridersOf(ctx, ctx.starter, year, leaving);
    const ended = found.filter(({ isEnrolled, isServed }) => isEnrolled && !isServed);
    const lastDay = addDays(year.startsOn, -1);
    const rides = ended.map(({ rideId }) => rideId);
    await lockRidesById(ctx, rides);
    await withTransportMessages(ctx, () =>
      sql`update transport_assignment set effective_to = ${lastDay}, version = version + 1
        where id = any(${rides}::integer[])`.execute(ctx.db),
    );
    await auditAll(
      ctx,
      ended.map(({ name, rideId }) => ({
        actor: ctx.actor,
        action: 'transport-rider.ended',
        entity: 'transport_assignment',
        entityId: rideId,
        details: { Name: name, Until: showDate(lastDay), Why: 'Other grade' },
      })),
    );
    const isEnded = new Set(ended.map(({ id }) => id));
    await chargeRides(ctx, [...isEnded], { yearIds: [year.id] });
    const notDone = await chargeAsShown(
      ctx,
      ids.filter((id) => !isAsked.has(id)),
      differences,
      { yearIds: [year.id] },
    );
    for (const id of leaving) if (!isEnded.has(id)) notDone.set(id, { status: 'Skipped', reason: goesOn } as NotDone);
    return notDone;
  },
};

export const nextYearRuns = { [kind]: takeOver };
