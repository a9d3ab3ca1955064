import { sql } from 'kysely';
import { staff } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { ApprovalKind, UserContext } from '#kit/server/context.ts';
import { toOutput } from '#kit/server/database/row-map.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { auditAll } from '#kit/server/security/audit.ts';
import { readSetting } from '#kit/server/settings.ts';
import { riderMessages, shownRide } from '../contract/rider.ts';
import { findPassed, lockRiders } from './assign.ts';
import { continueRides } from './continued-rides.ts';
import { chargeRides, firstMonth } from './fee-link.ts';
import { withTransportMessages } from './messages.ts';
import { cutOffDay } from './settings.ts';
import { amountsOf, changesOf, type FoundChange, lockPeople, stopChangeKind, stopsOf } from './stop-change.ts';

/** Another person decides on a stop change; approving writes the rides, which hold their seats. */
export const stopChangeApproval: ApprovalKind = {
  kind: stopChangeKind,
  subject: 'transport_stop_change_id',
  title: text`Stop change`,
  notice: text`A stop change is waiting for your approval.`,
  sets: ['transportIncharge', 'principal', 'hr'],
  mayDecide: ({ user }, id) => {
    const branch = sql`coalesce(student.branch_id, (select post.branch_id from staff_post post
      where post.staff_id = asked.staff_id order by post.effective_from desc limit 1))`;
    const heads = inScope(user, [staff('transportIncharge', 'principal')], { branch });
    const hr = inScope(user, [staff('hr')], { branch });
    return sql<boolean>`exists (select from transport_stop_change asked left join student on student.id = asked.student_id
      where asked.id = ${id} and (${heads} or (asked.staff_id is not null and ${hr})))`;
  },
  describe: async (ctx, ids) => {
    const cutOff = await readSetting(ctx, cutOffDay);
    const rows = await readSome(ctx, ids);
    const passed = await findPassed(
      ctx,
      rows
        .filter(({ outcome }) => outcome === null)
        .map((row) => ({ key: row.id, riders: [riderOf(row)], day: row.effective_from })),
    );
    return new Map(
      rows.map((row) => {
        const name = passed.get(row.id);
        const waits = name === undefined ? [] : [text`${{ name }} has waited longer for a seat on this trip.`];
        const effect = [...effectOf(row, cutOff), ...waits];
        return [row.id, { facts: factsOf(row), effect, to: pageOf(row), basis: [...basisOf(row), name ?? ''] }];
      }),
    );
  },
  lock: async (ctx, ids) => {
    await lockPeople(ctx, await readSome(ctx, ids));
    const { db } = ctx;
    await db
      .selectFrom('transport_stop_change')
      .where('id', 'in', ids)
      .select('id')
      .orderBy('id')
      .forUpdate()
      .execute();
    await sql`select from transport_trip where id in (
        select trip from transport_stop_change own
          left join transport_assignment ride on ride.student_id = own.student_id or ride.staff_id = own.staff_id
          cross join lateral unnest(array[own.pickup_trip_id, own.drop_trip_id, ride.pickup_trip_id, ride.drop_trip_id]) as trip
        where own.id = any(${[...ids]}::integer[]))
      order by id for no key update`.execute(db);
  },
  decide: async (ctx, ids, outcome) => {
    const rows = await readSome(ctx, ids);
    if (outcome === 'Approved') {
      for (const row of rows) await apply(ctx, row);
      await chargeRides(
        ctx,
        rows.map(({ student_id }) => student_id),
      );
    } else
      await ctx.db
        .updateTable('transport_stop_change')
        .set({ outcome, version: sql`version + 1` })
        .where('id', 'in', ids)
        .execute();
    await auditAll(
      ctx,
      rows.map(({ id, version, request_no }) => ({
        action: `stop-change.${outcome.toLowerCase()}`,
        entity: 'transport_stop_change',
        entityId: id,
        version: version + 1,
        details: { Request: request_no },
      })),
    );
  },
};

const readSome = (ctx: UserContext, ids: readonly number[]): Promise<FoundChange[]> =>
  changesOf(ctx, toLocalDate(ctx.now())).where('own.id', 'in', ids).orderBy('own.id').execute();

const riderOf = (row: FoundChange) => ({
  studentId: row.student_id,
  staffId: row.staff_id,
  ...toOutput(shownRide, row, {}),
});

const pageOf = ({ student_id }: FoundChange) =>
  student_id === null ? 'transport/staff-stop-change' : 'transport/student-stop-change';

const basisOf = ({ version, before_id, before_version }: FoundChange) => [version, before_id, before_version];

const factsOf = (row: FoundChange): { label: Text; value: Text }[] => [
  { label: text`Rider`, value: verbatim([row.name, row.section ?? row.department].filter(Boolean).join(', ')) },
  ...(row.before_id ? [{ label: text`Stop today`, value: verbatim(stopsOf(row.old_pickup, row.old_drop)) }] : []),
  ...(row.action === 'Stop' ? [] : [{ label: text`New stop`, value: verbatim(stopsOf(row.pickup, row.drop)) }]),
  { label: text`From`, value: verbatim(showDate(row.effective_from)) },
];

/** What approving does; the amount a month changes from the month of the cut-off rule. */
function effectOf(row: FoundChange, cutOff: number): Text[] {
  const { before, after } = amountsOf(row);
  const day = showDate(row.effective_from);
  const lastDay = showDate(addDays(row.effective_from, -1));
  const ride =
    row.action === 'Stop' ? text`The last day on the bus is ${{ lastDay }}.` : text`The seat is held from ${{ day }}.`;
  if (before === after) return [ride];
  const [from, to] = [showMoney(before), showMoney(after)];
  const month = showDate(`${firstMonth(row.effective_from, cutOff)}-01`).slice(2);
  return [ride, text`A month costs ${{ to }} instead of ${{ from }}, from ${{ month }}.`];
}

/** Writes the rides of an approved request: the present one ends on the day before, the new one begins on its day. */
async function apply(ctx: UserContext, row: FoundChange) {
  const { db } = ctx;
  const { effective_from, student_id: studentId, staff_id: staffId } = row;
  const ride = riderOf(row);
  const [problem] = Object.values(await lockRiders(ctx, [ride], effective_from));
  if (problem) throw new AppError('conflict', problem);
  if ((row.action === 'Start') === (row.before_id !== null)) throw new AppError('conflict', riderMessages.changed);
  const lastDay = addDays(effective_from, -1);
  const made = await withTransportMessages(ctx, async () => {
    const { rows: later } = await sql<{ id: number; effective_from: string; effective_to: string | null }>`
      select id, effective_from, effective_to from transport_assignment
      where (student_id = ${studentId} or staff_id = ${staffId})
        and coalesce(effective_to, 'infinity') >= ${effective_from}::date order by effective_from`.execute(db);
    const [first] = later;
    if (later.length > 1 || (first && first.effective_from >= effective_from))
      throw new AppError('conflict', riderMessages.later);
    if (first)
      await db
        .updateTable('transport_assignment')
        .set({ effective_to: lastDay, version: sql`version + 1` })
        .where('id', '=', first.id)
        .execute();
    const fee = row.before_fee ?? (staffId === null ? 'By stop' : 'Payroll');
    const begun = { ...ride, formerId: first?.id ?? null, to: null, fee };
    const [added] = row.action === 'Stop' ? [] : await continueRides(ctx, [begun], effective_from);
    return { from: first, added };
  });
  await db
    .updateTable('transport_stop_change')
    .set({
      outcome: 'Approved',
      from_assignment_id: made.from?.id ?? null,
      former_to: made.from?.effective_to ?? null,
      made_assignment_id: made.added?.id ?? null,
      version: sql`version + 1`,
    })
    .where('id', '=', row.id)
    .execute();
}
