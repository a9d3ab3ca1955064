import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { isGuarded, lockAccounts } from '#features/fee-price/api.ts';
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
import { askOpening, postOpenings, requireOpen, undoOpenings } from './opening-batch.ts';

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
  /** The file lowers what is owed: it counts once a second person approves. */
  let isHeld = false;
  return importRows(ctx, {
    input,
    target,
    rules: { table: 'fee_opening', fields: {} },
    lockTable: () => sql`select pg_advisory_xact_lock(hashtext('fee_opening'))`.execute(ctx.db),
    compare: async () => {
      await requireOpen(ctx);
      const lines = await compareRows(ctx, table);
      isHeld = lines.some(({ status, amount }) => status === 'added' && amount < 0) && (await isGuarded(ctx));
      return lines;
    },
    write: async (lines) => {
      await write(ctx, batch, lines);
      if (!isHeld) await postOpenings(ctx, batch);
    },
    audit: async (lines, { added, same }) => {
      const sum = lines.reduce((total, { status, amount }) => total + (status === 'added' ? amount : 0), 0);
      const details = { added, same, Balance: showMoney(sum) };
      await audit(ctx, { action: 'fee-opening.imported', entity: 'fee_opening', entityId: 0, details });
      if (isHeld) await askOpening(ctx, { batch, act: 'Post' });
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

/** Keeps the rows of a file; they are owed once they are posted. */
async function write(ctx: UserContext, batch: string, lines: readonly Line[]) {
  const accounts = await lockAccounts(ctx, [...new Set(lines.map(({ studentId }) => studentId))]);
  const rows = lines.map(({ studentId, academicYearId, feeHeadId, amount, dueOn }) => ({
    account: accounts.get(studentId) ?? 0,
    year: academicYearId,
    head: feeHeadId,
    amount,
    due_on: dueOn,
  }));
  await sql`
    insert into fee_opening (batch, account_id, academic_year_id, fee_head_id, amount, staff_id, imported_at, due_on)
    select ${batch}::uuid, account, year, head, amount, ${ctx.user.staffId}, ${ctx.now()}, due_on
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as row (account integer, year integer, head integer, amount bigint, due_on date)`.execute(ctx.db);
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
    waits: 'Post' | 'Undo' | null;
  }>`
    select min(opening.id) as id, min(imported_at) as at, min(staff.name) as by, count(*)::integer as count,
      count(undone_at)::integer as undone, coalesce(sum(amount) filter (where amount > 0), 0)::bigint as owed,
      coalesce(-sum(amount) filter (where amount < 0), 0)::bigint as advance,
      (select act from fee_opening_batch asked where asked.batch = opening.batch and status = 'Asked') as waits
    from fee_opening opening join staff on staff.id = opening.staff_id
    join fee_account account on account.id = opening.account_id join student on student.id = account.student_id
    where ${inScope(user, feeReaders, { branch: sql`student.branch_id` })}
    group by batch order by 1 desc limit 50`.execute(db);
  const { rows: ends } = await sql<{
    isComplete: boolean;
    isAsked: boolean;
  }>`select fee_opening_is_complete() as "isComplete",
    exists (select from fee_opening_batch where act = 'Complete' and status = 'Asked') as "isAsked"`.execute(db);
  return {
    rows: rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() })),
    isComplete: ends[0]?.isComplete ?? false,
    isEndAsked: ends[0]?.isAsked ?? false,
  };
};

const undo: Handler<typeof openingApi.undo> = async (ctx, { id }) => {
  const { db, user } = ctx;
  const { rows: batches } = await sql<{ batch: string }>`select batch from fee_opening opening
    join fee_account account on account.id = opening.account_id join student on student.id = account.student_id
    where opening.id = ${id} and ${inScope(user, feeWriters, { branch: sql`student.branch_id` })}`.execute(db);
  const [own] = batches;
  if (!own) throw new AppError('not_found', notFoundMessage);
  const { rows } = await sql<{ lowers: boolean }>`select fee_is_guarded() and exists (select from fee_opening
    where batch = ${own.batch}::uuid and amount > 0 and undone_at is null) as lowers`.execute(db);
  if (rows[0]?.lowers) {
    await askOpening(ctx, { batch: own.batch, act: 'Undo' });
    return { undone: 0, kept: 0, isAsked: true };
  }
  const reach = sql`exists (select from student where student.id = account.student_id
    and ${inScope(user, feeWriters, { branch: sql`student.branch_id` })})`;
  return { ...(await undoOpenings(ctx, own.batch, reach)), isAsked: false };
};

const complete: Handler<typeof openingApi.complete> = async (ctx) => {
  await requireOpen(ctx);
  await askOpening(ctx, { batch: null, act: 'Complete' });
  return {};
};

export const openingRoutes = [
  ...routes(openingImportApi, importHandlers(target, importAll)),
  ...routes(openingApi, { list, undo, complete }),
];
