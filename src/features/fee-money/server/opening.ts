import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { lockAccounts } from '#features/fee-price/api.ts';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import { AppError, type FieldErrors, notFoundMessage } from '#kit/contract/errors.ts';
import type { Named } from '#kit/contract/field.ts';
import { refsOf } from '#kit/contract/field.ts';
import { showMoney } from '#kit/contract/money.ts';
import { text } from '#kit/contract/text.ts';
import { sameText } from '#kit/contract/typed.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { importHandlers } from '#kit/server/import/import-files.ts';
import { type ImportLine, importRows, twiceMessage } from '#kit/server/import/import-rows.ts';
import type { ImportTarget } from '#kit/server/import/import-target.ts';
import { namedRows, type TableRow } from '#kit/server/import/parse-table.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { lookUpNames, readCell } from '#kit/server/master/cells.ts';
import { audit } from '#kit/server/security/audit.ts';
import { openingApi, openingFile, openingImportApi, openingMessages } from '../contract/opening.ts';

interface Line extends ImportLine {
  studentId: number;
  academicYearId: number;
  feeHeadId: number;
  /** Paise; negative for advance. */
  amount: number;
  dueOn: string;
}

/** No journal: the fee ledger reverses entries, it never deletes them. */
const target: ImportTarget = { kind: openingImportApi.import.path, name: 'opening-balances', fields: openingFile };

const importAll = (ctx: UserContext, input: Omit<ParsedOf<typeof openingImportApi.import>, 'shown'>) => {
  const table = namedRows(ctx.table());
  const batch = randomUUID();
  return importRows(ctx, {
    input,
    target,
    rules: { table: 'fee_opening', fields: {} },
    lockTable: () => sql`select pg_advisory_xact_lock(hashtext('fee_opening'))`.execute(ctx.db),
    compare: () => compareRows(ctx, table),
    write: (lines) => write(ctx, batch, lines),
    audit: (lines, { added, same }) => {
      const sum = lines.reduce((total, { status, amount }) => total + (status === 'added' ? amount : 0), 0);
      const details = { added, same, Balance: showMoney(sum) };
      return audit(ctx, { action: 'fee-opening.imported', entity: 'fee_opening', entityId: 0, details });
    },
  });
};

/** Paise of a cell such as 4,500 or -1200.50; undefined for anything else. */
function readAmount(cell: string): number | undefined {
  const typed = cell.replaceAll(/[₹,\s]/g, '').replace('−', '-');
  if (!/^-?[0-9]{1,10}(\.[0-9]{1,2})?$/.test(typed)) return undefined;
  const [rupees = '', paise = ''] = typed.replace('-', '').split('.');
  const amount = Number(rupees) * 100 + Number(paise.padEnd(2, '0'));
  return typed.startsWith('-') ? -amount : amount;
}

async function compareRows(ctx: UserContext, table: TableRow[]): Promise<Line[]> {
  const targets = refsOf({ fields: openingFile }).flatMap(([name, { to }]): [string, Named][] =>
    to === 'self' ? [] : [[name, to]],
  );
  const names = await lookUpNames(ctx, targets);
  const numbers = table.map(({ cells }) => sameText(cells.grNo ?? ''));
  const { rows: students } = await sql<{ id: number; key: string; name: string }>`
    select id, lower(gr_no) as key, name from student where lower(gr_no) = any(${numbers}::text[])
      and ${inScope(ctx.user, feeWriters, { branch: sql`branch_id` })}`.execute(ctx.db);
  const found = new Map(students.map((student) => [student.key, student]));
  const { rows: stored } = await sql<{ id: number; key: string; amount: number }>`
    select opening.id, concat_ws(' ', account.student_id, academic_year_id, fee_head_id) as key, opening.amount
    from fee_opening opening join fee_account account on account.id = opening.account_id
    where undone_at is null and account.student_id = any(${students.map(({ id }) => id)}::integer[])`.execute(ctx.db);
  const before = new Map(stored.map((one) => [one.key, one]));
  const { rows: years } = await sql<{ id: number; endsOn: string }>`
    select id, ends_on as "endsOn" from academic_year`.execute(ctx.db);
  const today = toLocalDate(ctx.now());
  const seen = new Map<string, number>();
  return mapRows(table, ({ line, cells }): Line => {
    const messages: FieldErrors = {};
    const typed: Record<string, unknown> = {};
    for (const name of Object.keys(openingFile)) {
      const { value, problem } = readCell({ fields: openingFile }, name, cells[name] ?? '', names);
      typed[name] = value ?? '';
      if (problem) messages[name] = problem;
    }
    const student = found.get(sameText(cells.grNo ?? ''));
    if (!student) messages.grNo ??= openingMessages.notFound;
    const amount = readAmount(cells.amount ?? '') ?? 0;
    if (amount === 0) messages.amount = openingMessages.amount;
    const [academicYearId, feeHeadId] = [Number(typed.academicYearId) || 0, Number(typed.feeHeadId) || 0];
    if (academicYearId === 0) messages.academicYearId ??= text`Enter the academic year.`;
    if (feeHeadId === 0) messages.feeHeadId ??= text`Enter the fee head.`;
    const endsOn = years.find(({ id }) => id === academicYearId)?.endsOn ?? today;
    const dueOn = String(typed.dueOn) || ([endsOn, today].sort()[0] ?? today);
    if (dueOn > today) messages.dueOn ??= openingMessages.dueOn;
    const key = [student?.id ?? 0, academicYearId, feeHeadId].join(' ');
    const twice = seen.get(key);
    if (twice && student) messages.grNo ??= twiceMessage(twice);
    else seen.set(key, line);
    const own = before.get(key);
    if (own && own.amount !== amount)
      messages.amount ??= text`${{ amount: showMoney(own.amount) }} is imported already. Undo that import first.`;
    const row = { line, displayName: student?.name ?? String(cells.grNo ?? '').slice(0, 120), amount, dueOn };
    const ids = { studentId: student?.id ?? 0, academicYearId, feeHeadId };
    const isWrong = Object.keys(messages).length > 0;
    const status = isWrong ? ('wrong' as const) : own ? ('same' as const) : ('added' as const);
    return { ...row, ...ids, before: own && { id: own.id, version: 1 }, status, messages };
  });
}

/** Adds what is owed as dues and the rest as advance, in the receipt series of the fee head. */
async function write(ctx: UserContext, batch: string, lines: readonly Line[]) {
  const today = toLocalDate(ctx.now());
  const accounts = await lockAccounts(ctx, [...new Set(lines.map(({ studentId }) => studentId))]);
  const rows = lines.map(({ studentId, academicYearId, feeHeadId, amount, dueOn }) => ({
    account: accounts.get(studentId) ?? 0,
    year: academicYearId,
    head: feeHeadId,
    amount,
    due_on: dueOn,
  }));
  await sql`
    with own as (
      select row.*, head.receipt_series_id as series from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        as row (account integer, year integer, head integer, amount bigint, due_on date)
      join fee_head head on head.id = row.head),
    due as (
      insert into fee_due (account_id, academic_year_id, kind, fee_head_id, receipt_series_id, gst_rate, label, due_on)
      select account, year, 'Opening', head, series, 0, 'Opening balance', due_on from own where amount > 0
      returning id, account_id, academic_year_id, fee_head_id),
    opening as (
      insert into fee_opening (batch, account_id, academic_year_id, fee_head_id, due_id, amount, staff_id, imported_at)
      select ${batch}::uuid, account, year, head, due.id, amount, ${ctx.user.staffId}, ${ctx.now()}
      from own left join due on (due.account_id, due.academic_year_id, due.fee_head_id) = (account, year, head)
      returning id, account_id, academic_year_id, fee_head_id, due_id, amount)
    insert into fee_ledger_entry (account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on, amount,
      opening_id)
    select account, due_id, series, year, 'Opening', ${today}::date, due_on, own.amount, opening.id
    from own join opening on (opening.account_id, opening.academic_year_id, opening.fee_head_id) = (account, year, head)`.execute(
    ctx.db,
  );
}

const list: Handler<typeof openingApi.list> = async ({ db, user }) => {
  const { rows } = await sql<{
    id: number;
    at: Date;
    by: string;
    count: number;
    undone: number;
    owed: number;
    advance: number;
  }>`
    select min(opening.id) as id, min(imported_at) as at, min(staff.name) as by, count(*)::integer as count,
      count(undone_at)::integer as undone, coalesce(sum(amount) filter (where amount > 0), 0)::bigint as owed,
      coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as advance
    from fee_opening opening join staff on staff.id = opening.staff_id
    join fee_account account on account.id = opening.account_id join student on student.id = account.student_id
    where ${inScope(user, feeReaders, { branch: sql`student.branch_id` })}
    group by batch order by 1 desc limit 50`.execute(db);
  return { rows: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })) };
};

const undo: Handler<typeof openingApi.undo> = async (ctx, { id }) => {
  const { db, user } = ctx;
  const today = toLocalDate(ctx.now());
  const { rows: batches } = await sql<{ batch: string }>`select batch from fee_opening opening
    join fee_account account on account.id = opening.account_id join student on student.id = account.student_id
    where opening.id = ${id} and ${inScope(user, feeWriters, { branch: sql`student.branch_id` })}`.execute(db);
  const [own] = batches;
  if (!own) throw new AppError('not_found', notFoundMessage);
  const ofBatch = sql`opening.batch = ${own.batch}::uuid and undone_at is null and exists (select from student
    where student.id = account.student_id and ${inScope(user, feeWriters, { branch: sql`student.branch_id` })})`;
  await sql`select account.id from fee_account account where id in (select account_id from fee_opening opening
    where ${ofBatch}) order by id for update`.execute(db);
  const { rows } = await sql<{ id: number; isFree: boolean }>`
    select opening.id, case when opening.due_id is not null
      then (select paid = 0 and adjusted = 0 from fee_due where id = opening.due_id)
      else -opening.amount <= (select amount - held from fee_advance where account_id = account.id
        and receipt_series_id = entry.receipt_series_id) end as "isFree"
    from fee_opening opening join fee_account account on account.id = opening.account_id
    join fee_ledger_entry entry on entry.opening_id = opening.id and entry.reverses_id is null
    where ${ofBatch} order by opening.id`.execute(db);
  const free = rows.filter(({ isFree }) => isFree).map((row) => row.id);
  const kept = rows.length - free.length;
  if (free.length === 0) return { undone: 0, kept };
  await sql`insert into fee_ledger_entry (account_id, due_id, receipt_series_id, academic_year_id, kind, entry_date, due_on,
      amount, opening_id, reverses_id)
    select account_id, due_id, receipt_series_id, academic_year_id, kind, ${today}::date, greatest(due_on, ${today}::date),
      -amount, opening_id, id
    from fee_ledger_entry where opening_id = any(${free}::integer[]) and reverses_id is null`.execute(db);
  await sql`update fee_opening set undone_at = ${ctx.now()} where id = any(${free}::integer[])`.execute(db);
  const details = { undone: free.length, kept };
  await audit(ctx, { action: 'fee-opening.undone', entity: 'fee_opening', entityId: id, details });
  return { undone: free.length, kept };
};

export const openingRoutes = [
  ...routes(openingImportApi, importHandlers(target, importAll)),
  ...routes(openingApi, { list, undo }),
];
