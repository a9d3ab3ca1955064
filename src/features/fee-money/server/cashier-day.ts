import { sql } from 'kysely';
import { feeDeciders, feeWriters } from '#access/contract/grants.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError, fieldRefusal, notFoundMessage } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { notify } from '#kit/server/messages/notifications.ts';
import { requireVersion } from '#kit/server/record/version.ts';
import { audit } from '#kit/server/security/audit.ts';
import { dayApi, dayMessages, mostShifts, notes } from '../contract/day.ts';
import { lockDay } from './day.ts';

/** A drawer belongs to no branch: users with a limit to branches see their own. */
const sees = ({ scope, staffId }: UserContext['user'], other: number) =>
  scope.branches.length === 0 || other === staffId;

interface Drawer {
  id: number;
  version: number;
  shift: number;
  status: string;
  openingCash: number;
  carried: number;
  isCounted: boolean;
  openingReason: string;
  counted: number | null;
  expected: number | null;
  difference: number | null;
  reason: string;
  banked: number;
  slipNo: string;
  closedBy: string;
  closedAt: Date | null;
  counts: { note: number; pieces: number }[];
}

/** The shifts of a cashier on a day, in order. */
async function readDrawers({ db }: UserContext, staffId: number, day: string): Promise<Drawer[]> {
  const { rows } = await sql<Drawer>`
    select own.id, own.version, own.shift, own.status, opening_cash as "openingCash", carried, is_counted as "isCounted",
      opening_reason as "openingReason", counted, expected, difference, reason, banked,
      slip_no as "slipNo", coalesce(closer.name, '') as "closedBy", closed_at as "closedAt",
      coalesce((select jsonb_agg(jsonb_build_object('note', note, 'pieces', pieces) order by note desc)
        from fee_day_count where day_id = own.id), '[]') as counts
    from fee_day own left join staff closer on closer.id = own.closed_by
    where own.staff_id = ${staffId} and own.day = ${day}::date order by own.shift`.execute(db);
  return rows;
}

/** What closed shifts left in the drawer that no later shift has yet. */
async function readUncarried({ db }: UserContext, staffId: number, day: string): Promise<number> {
  const { rows } = await sql<{ amount: number }>`select coalesce(sum(counted - banked), 0)::bigint as amount
    from fee_day_uncarried(${staffId}, ${day}::date, 1)`.execute(db);
  return rows[0]?.amount ?? 0;
}

/** What was received by mode, and what of it ended on the same day. */
async function readModes({ db }: UserContext, dayId: number) {
  const { rows } = await sql<{ mode: string; isEnded: boolean; amount: number; receipts: number }>`
    select mode, (ended_on is not distinct from paid_on and ended_as is distinct from 'Reissued') as "isEnded", sum(amount)::bigint as amount,
      sum((select count(*) from fee_receipt where payment_id = payment.id))::integer as receipts
    from fee_payment payment where day_id = ${dayId} group by 1, 2 order by sum(amount) desc, mode`.execute(db);
  return rows;
}

/** The cash that should be in the user's own drawer now, in paise; undefined without an open drawer. */
export async function cashInDrawer(ctx: UserContext): Promise<{ cash: number; opening: number } | undefined> {
  const drawer = (await readDrawers(ctx, ctx.user.staffId ?? 0, toLocalDate(ctx.now()))).at(-1);
  if (drawer?.status !== 'Open') return undefined;
  const cash = (await readModes(ctx, drawer.id)).filter(({ mode, isEnded }) => mode === 'Cash' && !isEnded);
  return {
    opening: drawer.openingCash,
    cash: cash.reduce((sum, { amount }) => sum + amount, drawer.openingCash),
  };
}

/** The receipts of a day by series, and how many numbers between the first and the last of the school are missing. */
async function readSeries({ db }: UserContext, dayId: number) {
  const { rows } = await sql<{
    id: number;
    name: string;
    first: string;
    last: string;
    amount: number;
    receipts: number;
    missing: number;
  }>`
    with own as (
      select receipt.* from fee_receipt receipt join fee_payment payment on payment.id = receipt.payment_id
      where payment.day_id = ${dayId}
    ), ranges as (
      select number_series_id, number_period, min(receipt_series_id) as series_id, min(number_value) as first,
        max(number_value) as last, sum(amount)::bigint as amount, count(*)::integer as receipts
      from own group by number_series_id, number_period)
    select series.id, series.name, ranges.amount, ranges.receipts,
      (select receipt_no from own where number_series_id = ranges.number_series_id
        and number_period = ranges.number_period and number_value = ranges.first) as first,
      (select receipt_no from own where number_series_id = ranges.number_series_id
        and number_period = ranges.number_period and number_value = ranges.last) as last,
      ranges.last - ranges.first + 1 - (select count(*)::integer from fee_receipt there
        where there.number_series_id = ranges.number_series_id and there.number_period = ranges.number_period
          and there.number_value between ranges.first and ranges.last) as missing
    from ranges join fee_receipt_series series on series.id = ranges.series_id order by series.name, ranges.number_period`.execute(
    db,
  );
  return rows;
}

const read: Handler<typeof dayApi.read> = async (ctx, asked) => {
  const { db, user } = ctx;
  const today = toLocalDate(ctx.now());
  const day = asked.day || today;
  const staffId = asked.staffId === '' ? user.staffId : Number(asked.staffId);
  if (!sees(user, staffId)) throw new AppError('not_found', dayMessages.notOwn);
  const { rows: cashiers } = await sql<{ id: number; name: string }>`
    select id, name from staff where id = ${staffId} or id = ${user.staffId}
      or (${user.scope.branches.length === 0} and id in (select staff_id from fee_day where day = ${day}::date))
    order by name, id`.execute(db);
  const cashier = cashiers.find(({ id }) => id === staffId);
  if (!cashier) throw new AppError('not_found', notFoundMessage);
  const { rows: open } = await sql<{ day: string; staffId: number; cashier: string; shift: number }>`
    select day, staff_id as "staffId", staff.name as cashier, shift from fee_day join staff on staff.id = staff_id
    where status = 'Open' and day < ${today}::date
      and (${user.scope.branches.length === 0} or staff_id = ${user.staffId})
    order by day, staff.name limit 20`.execute(db);
  const drawers = await readDrawers(ctx, staffId, day);
  const drawer = asked.shift === '' ? drawers.at(-1) : drawers.find(({ shift }) => String(shift) === asked.shift);
  if (!drawer && asked.shift !== '') throw new AppError('not_found', notFoundMessage);
  const totals = drawer ? await readModes(ctx, drawer.id) : [];
  const sum = (some: readonly { amount: number }[]) => some.reduce((total, { amount }) => total + amount, 0);
  const ended = totals.filter(({ isEnded }) => isEnded);
  const modes = [...Map.groupBy(totals, ({ mode }) => mode)].map(([mode, own]) => ({
    mode,
    amount: sum(own),
    receipts: own.reduce((count, { receipts }) => count + receipts, 0),
  }));
  const cashReceived = modes.find(({ mode }) => mode === 'Cash')?.amount ?? 0;
  const cashCancelled = sum(ended.filter(({ mode }) => mode === 'Cash'));
  const carried = drawer?.carried ?? (await readUncarried(ctx, staffId, day));
  const openingCash = drawer?.openingCash ?? carried;
  const isClosed = drawer?.status === 'Closed';
  const isOwn = staffId === user.staffId && day === today && isGranted(feeWriters, user);
  return {
    id: drawer?.id ?? null,
    version: drawer?.version ?? 0,
    day,
    shift: drawer?.shift ?? 1,
    shifts: drawers.map(({ shift, status }) => ({ shift, isClosed: status === 'Closed' })),
    staffId,
    cashier: cashier.name,
    cashiers,
    isClosed,
    openingCash,
    carried,
    isCounted: drawer?.isCounted ?? false,
    openingReason: drawer?.openingReason ?? '',
    modes,
    cancelled: { amount: sum(ended), receipts: ended.reduce((count, { receipts }) => count + receipts, 0) },
    series: drawer ? await readSeries(ctx, drawer.id) : [],
    cashReceived,
    cashCancelled,
    expected: drawer?.expected ?? openingCash + cashReceived - cashCancelled,
    counts: drawer?.counts ?? [],
    counted: drawer?.counted ?? 0,
    difference: drawer?.difference ?? 0,
    reason: drawer?.reason ?? '',
    banked: drawer?.banked ?? 0,
    slipNo: drawer?.slipNo ?? '',
    closedBy: drawer?.closedBy ?? '',
    closedAt: drawer?.closedAt?.toISOString() ?? '',
    open,
    isOther: staffId !== user.staffId,
    may: {
      count: isOwn && !isClosed && cashReceived === 0,
      close: drawer !== undefined && !isClosed && day <= today && mayClose(user, { staffId, day }, today),
      openShift:
        isOwn &&
        drawers.length > 0 &&
        drawers.length < mostShifts &&
        drawers.every(({ status }) => status === 'Closed'),
    },
  };
};

const open: Handler<typeof dayApi.open> = async (ctx, { openingCash, reason }) => {
  const { db } = ctx;
  const today = toLocalDate(ctx.now());
  const id = await lockDay(ctx, today, { isChanged: true });
  const { rows } = await sql<{ carried: number; version: number; hasCash: boolean }>`
    select carried, version, exists (select from fee_payment where day_id = own.id and mode = 'Cash') as "hasCash"
    from fee_day own where id = ${id}`.execute(db);
  const { carried = 0, version = 0, hasCash } = rows[0] ?? {};
  if (hasCash) throw new AppError('conflict', dayMessages.received);
  const counted = openingCash ?? 0;
  if (counted !== carried && reason === '') throw fieldRefusal('reason', dayMessages.opening);
  await sql`update fee_day set opening_cash = ${counted}, is_counted = true,
      opening_reason = ${counted === carried ? '' : reason}, version = version + 1 where id = ${id}`.execute(db);
  const details = {
    Day: today,
    'Opening cash': showMoney(counted),
    ...(counted !== carried && { 'Left before': showMoney(carried), Reason: reason }),
  };
  await audit(ctx, { action: 'fee-day.opened', entity: 'fee_day', entityId: id, version: version + 1, details });
  return { id };
};

/** Opens the next shift of the own drawer today. */
export const openNextShift = async (ctx: UserContext) => {
  const { db, user } = ctx;
  const today = toLocalDate(ctx.now());
  const before = await db
    .selectFrom('fee_day')
    .where('staff_id', '=', user.staffId)
    .where('day', '=', today)
    .select(['shift', 'status'])
    .orderBy('shift')
    .execute();
  const last = before.at(-1);
  if (!last) throw new AppError('conflict', dayMessages.noShift);
  if (last.status === 'Open') throw new AppError('conflict', dayMessages.shiftOpen);
  if (last.shift >= mostShifts) throw new AppError('conflict', dayMessages.mostShifts);
  const made = await db
    .insertInto('fee_day')
    .values({ staff_id: user.staffId, day: today, shift: last.shift + 1 })
    .onConflict((row) => row.doNothing())
    .returning('id')
    .executeTakeFirst();
  if (!made) throw new AppError('conflict', dayMessages.shiftOpen);
  // The database has carried the cash into it.
  const { shift, version, openingCash } = await db
    .selectFrom('fee_day')
    .where('id', '=', made.id)
    .select(['shift', 'version', sql<number>`opening_cash`.as('openingCash')])
    .executeTakeFirstOrThrow();
  const details = { Day: today, Shift: String(shift), 'Opening cash': showMoney(openingCash) };
  await audit(ctx, { action: 'fee-day.shift-opened', entity: 'fee_day', entityId: made.id, version, details });
  return { id: made.id, shift, openingCash };
};

/** The cashier closes the own day; on that day also who decides on fees, from the next day on every accountant. */
const mayClose = (user: UserContext['user'], drawer: { staffId: number; day: string }, today: string) =>
  isGranted(feeDeciders, user) ||
  (isGranted(feeWriters, user) && (drawer.staffId === user.staffId || drawer.day < today));

const close: Handler<typeof dayApi.close> = async (ctx, { id, version, counts, reason, banked, slipNo }) => {
  const { db, user } = ctx;
  const { rows: found } = await sql<{
    staffId: number;
    day: string;
    shift: number;
    status: string;
    version: number;
    cashier: string;
  }>`
    select staff_id as "staffId", day, shift, status, fee_day.version, staff.name as cashier
    from fee_day join staff on staff.id = staff_id where fee_day.id = ${id} for update of fee_day`.execute(db);
  const [drawer] = found;
  if (!drawer || !sees(user, drawer.staffId)) throw new AppError('not_found', notFoundMessage);
  if (drawer.status === 'Closed') throw new AppError('conflict', dayMessages.closed);
  requireVersion(drawer, version);
  const isOther = drawer.staffId !== user.staffId;
  if (!mayClose(user, drawer, toLocalDate(ctx.now())))
    throw new AppError(
      'conflict',
      text`Today ${{ name: drawer.cashier }} closes this drawer, or a finance approver or the principal. From tomorrow on another accountant may.`,
    );
  if (isOther && reason === '') throw fieldRefusal('reason', dayMessages.otherReason);
  const pieces = counts.filter((one) => (one.pieces ?? 0) > 0 && notes.some((note) => note === one.note));
  await sql`insert into fee_day_count (day_id, note, pieces)
    select ${id}, note, sum(pieces) from jsonb_to_recordset(${JSON.stringify(pieces)}::jsonb)
      as input (note smallint, pieces integer) group by note`.execute(db);
  const { rows: totals } = await sql<{ counted: number; expected: number }>`
    select (select coalesce(sum(note * 100 * pieces::bigint), 0)::bigint from fee_day_count where day_id = own.id) as counted,
      (opening_cash + fee_cash_of(own.id))::bigint as expected from fee_day own where id = ${id}`.execute(db);
  const { counted = 0, expected = 0 } = totals[0] ?? {};
  if (counted !== expected && reason === '') throw fieldRefusal('reason', dayMessages.reason);
  if ((banked ?? 0) > counted) throw fieldRefusal('banked', dayMessages.banked);
  await sql`update fee_day set status = 'Closed', reason = ${reason}, banked = ${banked ?? 0}, slip_no = ${slipNo},
      closed_by = ${user.staffId}, closed_at = ${ctx.now()}, version = version + 1
    where id = ${id}`.execute(db);
  await audit(ctx, {
    action: 'fee-day.closed',
    entity: 'fee_day',
    entityId: id,
    version: version + 1,
    details: {
      Day: drawer.day,
      ...(drawer.shift > 1 && { Shift: String(drawer.shift) }),
      Cashier: drawer.cashier,
      Counted: showMoney(counted),
      Expected: showMoney(expected),
      ...((banked ?? 0) > 0 && { 'To the bank': showMoney(banked ?? 0) }),
      ...(reason && { Reason: reason }),
    },
  });
  if (isOther)
    await notify(ctx, {
      to: { staff: [drawer.staffId] },
      kind: 'fee.day-closed',
      text: text`Another person has closed your drawer at the counter.`,
      path: '/school-erp/fee/student-wise-fees-structure?part=day',
    });
  return { counted, expected, difference: counted - expected };
};

export const dayRoutes = routes(dayApi, { read, open, openShift: (ctx) => openNextShift(ctx), close });
