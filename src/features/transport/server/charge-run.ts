import { sql } from 'kysely';
import { transportKeepers } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { ActingContext, UserContext } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { lockRuns, type NotDone, type RunBatch, type RunContext, startRun } from '#kit/server/job/runs.ts';
import { previewOrApply } from '#kit/server/preview.ts';
import { fleetApi } from '../contract/fleet.ts';
import { chargeRides } from './fee-link.ts';

const kind = 'transport.charge';
const title = text`Charge riders what their stops cost`;

/** The students who ride in a year that is not closed, in the branches of a user. */
async function ridersOf({ db, user }: UserContext) {
  const { rows } = await sql<{ id: number; name: string }>`
    select student.id, student.name from student
    where exists (select from transport_assignment own
      join transport_trip trip on trip.id in (own.pickup_trip_id, own.drop_trip_id)
      join transport_route route on route.id = trip.route_id
      where own.student_id = student.id and ${inScope(user, transportKeepers, { branch: sql`route.branch_id` })}
        and coalesce(own.effective_to, 'infinity') >= (select min(starts_on) from academic_year where status <> 'Closed'))
    order by student.sort_name, student.id`.execute(db);
  return rows;
}

interface Rider {
  id: number;
  name: string;
}

/** Those of riders whose fees differ from what their stops cost now, and by how much, in paise. */
async function unchargedOf(ctx: ActingContext, riders: readonly Rider[]) {
  const ids = riders.map(({ id }) => id);
  const changes = await chargeRides(ctx, ids, { effectOnly: true });
  const differences = new Map(changes.map(({ studentId, difference }) => [studentId, difference]));
  return riders
    .map((rider) => ({ ...rider, difference: differences.get(rider.id) ?? 0 }))
    .filter(({ difference }) => difference !== 0);
}

const readUncharged = async (ctx: UserContext) => unchargedOf(ctx, await ridersOf(ctx));

export const uncharged: Handler<typeof fleetApi.uncharged> = async (ctx) => {
  const riders = await readUncharged(ctx);
  return { riders: riders.length, amount: riders.reduce((sum, { difference }) => sum + difference, 0) };
};

export const charge: Handler<typeof fleetApi.charge> = (ctx, { confirmToken }) =>
  previewOrApply(ctx, confirmToken, async (isPreview) => {
    const last = await lockRuns(ctx, kind, isPreview);
    const riders = await readUncharged(ctx);
    const differences = Object.fromEntries(riders.map(({ id, difference }) => [id, difference]));
    const runId =
      isPreview || riders.length === 0
        ? null
        : await startRun(ctx, {
            kind,
            input: { differences } satisfies Input,
            rows: riders,
            told: { title, path: '/school-erp/transport/?tab=slab-price' },
            access: fleetApi.charge.access,
          });
    const total = riders.reduce((sum, { difference }) => sum + difference, 0);
    return {
      answer: { changed: riders.length, skipped: [], skippedCount: 0, runId, total },
      basis: [last, differences],
      isRefused: riders.length === 0,
    };
  });

interface Input {
  /** What the preview showed, by student. */
  differences: Record<number, number>;
  /** The request with which a second person approved a price. */
  approvalId?: number;
}

/** Starts a run that charges the riders of a slab what its price costs now, as a second person approved it. */
export async function chargeRidersOf(ctx: UserContext, priceId: number, approvalId: number) {
  const { rows } = await sql<Rider>`
    select distinct student.id, student.name from transport_slab_price price
    join academic_year year on year.id = price.academic_year_id
    join transport_stop stop on stop.slab_id = price.slab_id
    join transport_assignment own on stop.id in (own.pickup_stop_id, own.drop_stop_id)
      and own.effective_from <= year.ends_on and coalesce(own.effective_to, 'infinity') >= year.starts_on
    join student on student.id = own.student_id
    where price.id = ${priceId} order by student.id`.execute(ctx.db);
  const riders = await unchargedOf(ctx, rows);
  if (riders.length === 0) return;
  const differences = Object.fromEntries(riders.map(({ id, difference }) => [id, difference]));
  await startRun(ctx, {
    kind,
    input: { differences, approvalId } satisfies Input,
    rows: riders,
    told: { title, path: '/school-erp/transport/?tab=slab-price' },
  });
}

/** Charges the riders whose difference is still what the preview showed. Returns why others are skipped. */
export async function chargeAsShown(
  ctx: ActingContext,
  ids: readonly number[],
  shown: Record<number, number>,
  { approvalId, yearIds }: { approvalId?: number | undefined; yearIds?: readonly number[] } = {},
) {
  const inYears = yearIds ? { yearIds } : {};
  const effects = await chargeRides(ctx, ids, { effectOnly: true, ...inYears });
  const now = new Map(effects.map(({ studentId, difference }) => [studentId, difference]));
  const changed = ids.filter((id) => (now.get(id) ?? 0) !== (shown[id] ?? 0));
  const isChanged = new Set(changed);
  await chargeRides(
    ctx,
    ids.filter((id) => !isChanged.has(id)),
    { approvalId, ...inYears },
  );
  const reasonOf = (id: number): Text =>
    text`Now ${{ now: showMoney(now.get(id) ?? 0) }} instead of ${{ before: showMoney(shown[id] ?? 0) }}. Preview again.`;
  return new Map(changed.map((id): [number, NotDone] => [id, { status: 'Skipped', reason: reasonOf(id) }]));
}

const chargeSome: RunBatch = {
  most: 50,
  act: (ctx: RunContext, ids, { differences, approvalId }: Input) =>
    chargeAsShown(ctx, ids, differences, { approvalId }),
};

export const chargeRuns = { [kind]: chargeSome };
