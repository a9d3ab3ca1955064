import { sql } from 'kysely';
import type { ParsedOf } from '#kit/contract/endpoint.ts';
import { type FieldErrors, fieldRefusal } from '#kit/contract/errors.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { UserContext } from '#kit/server/context.ts';
import { insertTogether } from '#kit/server/database/bulk.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { routes } from '#kit/server/http/routes.ts';
import { importHandlers } from '#kit/server/import/import-files.ts';
import { type ImportLine, importRows } from '#kit/server/import/import-rows.ts';
import { type ImportTarget, readNamesOf } from '#kit/server/import/import-target.ts';
import { namedRows, type TableRow } from '#kit/server/import/parse-table.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { readCell } from '#kit/server/master/cells.ts';
import { audit } from '#kit/server/security/audit.ts';
import { readBankAmount, readBankDay, readSide, tokensOf } from '../contract/read-cell.ts';
import { statementFile, statementImportApi, statementMessages } from '../contract/statement.ts';
import { matchLines } from './match-lines.ts';
import { requireWhole } from './whole.ts';

interface Read {
  bankAccountId: number;
  day: string;
  narration: string;
  reference: string;
  credit: number;
  debit: number;
  balance: number | null;
}

interface Line extends ImportLine, Read {
  tokens: string[];
  nth: number;
  fileFrom: string;
  fileTo: string;
}

const target: ImportTarget = {
  kind: statementImportApi.import.path,
  name: 'bank-statement',
  fields: statementFile,
  undo: { table: 'bank_line' },
};

const importAll = (ctx: UserContext, input: Omit<ParsedOf<typeof statementImportApi.import>, 'shown'>) => {
  requireWhole(ctx);
  const file = ctx.table();
  if (!file.names.some((name) => name === 'credit' || name === 'amount'))
    throw fieldRefusal('file', statementMessages.columns);
  const table = namedRows(file);
  return importRows(ctx, {
    input,
    target,
    rules: { table: 'bank_line', fields: {} },
    lockTable: () => sql`select pg_advisory_xact_lock(hashtext('bank_line'))`.execute(ctx.db),
    compare: () => compareRows(ctx, table),
    write: (lines) => write(ctx, lines),
    audit: async (_, { added, same }) => {
      const { matched, differs } = await matchLines(ctx);
      const details = { added, same, matched, differs };
      await audit(ctx, { action: 'bank-statement.imported', entity: 'bank_line', entityId: 0, details });
    },
  });
};

/** The credit and debit of a row, in paise; undefined where a cell cannot be read, or both sides are filled. */
function readSides(cells: Record<string, string>): { credit: number; debit: number } | undefined {
  const [credit, debit, amount] = [cells.credit, cells.debit, cells.amount].map((cell) => readBankAmount(cell ?? ''));
  if (!credit || !debit || !amount) return undefined;
  // A sign in a column of its own side says nothing more: some banks write withdrawals as -500 there.
  const both = { credit: credit.side === 'Dr' ? -credit.paise : credit.paise, debit: debit.paise };
  if (amount.paise === 0) return both.credit < 0 || (both.credit > 0 && both.debit > 0) ? undefined : both;
  const side = readSide(cells.side ?? '') || amount.side || 'Cr';
  const one = side === 'Cr' ? { credit: amount.paise, debit: 0 } : { credit: 0, debit: amount.paise };
  // A bank may fill both the amount and its side.
  return (both.credit > 0 && both.credit !== one.credit) || (both.debit > 0 && both.debit !== one.debit)
    ? undefined
    : one;
}

const keyOf = ({ bankAccountId, day, credit, debit, narration, reference, balance }: Read) =>
  [bankAccountId, day, credit, debit, narration, reference, balance ?? 0].join('\n');

/** The words that a withdrawal of the fees can have: cheques that may come back, refunds that were paid. */
async function knownDebits({ db }: UserContext, lines: readonly { debit: number; tokens: readonly string[] }[]) {
  const tokens = [...new Set(lines.filter(({ debit }) => debit > 0).flatMap((line) => line.tokens))];
  const { rows } = await sql<{ key: string }>`
    select number || ' ' || amount as key from fee_cheque
      where number = any(${tokens}::text[]) and status in ('Deposited', 'Cleared', 'Bounced')
    union select upper(regexp_replace(reference, '[^A-Za-z0-9]', '', 'g')) || ' ' || amount from fee_refund
      where status = 'Paid' and upper(regexp_replace(reference, '[^A-Za-z0-9]', '', 'g')) = any(${tokens}::text[])
    union select reference_key || ' ' || amount from fee_payment
      where reference_key = any(${tokens}::text[]) and length(reference_key) >= 6`.execute(db);
  return new Set(rows.map(({ key }) => key));
}

async function storedCounts({ db }: UserContext, lines: readonly Read[]): Promise<Map<string, Set<number>>> {
  const days = lines.map(({ day }) => day).toSorted();
  const { rows } = await sql<Read & { nth: number }>`
    select bank_account_id as "bankAccountId", day::text as day, narration, reference, credit, debit, balance, nth
    from bank_line where bank_account_id = any(${[...new Set(lines.map((line) => line.bankAccountId))]}::integer[])
      and day between ${days[0] ?? '2000-01-01'}::date and ${days.at(-1) ?? '2000-01-01'}::date`.execute(db);
  const found = new Map<string, Set<number>>();
  for (const row of rows) found.set(keyOf(row), (found.get(keyOf(row)) ?? new Set()).add(row.nth));
  return found;
}

async function compareRows(ctx: UserContext, table: TableRow[]): Promise<Line[]> {
  const names = await readNamesOf(ctx, target);
  const today = toLocalDate(ctx.now());
  const counts = new Map<string, number>();
  const lines = await mapRows(table, ({ line, cells }): Line => {
    const messages: FieldErrors = {};
    const account = readCell({ fields: statementFile }, 'bankAccountId', cells.bankAccountId ?? '', names);
    const sides = readSides(cells);
    const day = readBankDay(cells.day ?? '');
    const balance = readBankAmount(cells.balance ?? '');
    const narration = (cells.narration ?? '').replace(/\s+/g, ' ').trim().slice(0, 500);
    const reference = (cells.reference ?? '').slice(0, 60);
    // Lines such as “Opening balance” and the end of the file move no money.
    const isNothing = sides !== undefined && sides.credit === 0 && sides.debit === 0;
    if (!isNothing) {
      if (account.problem || !account.value) messages.bankAccountId = account.problem ?? statementMessages.account;
      if (!sides) messages[cells.amount ? 'amount' : 'credit'] = statementMessages.amount;
      if (!day) messages.day = statementMessages.day;
      else if (day > today) messages.day = statementMessages.later;
    }
    const read = {
      bankAccountId: Number(account.value) || 0,
      day: day ?? today,
      narration: narration || reference || 'No narration',
      reference,
      credit: sides?.credit ?? 0,
      debit: sides?.debit ?? 0,
      balance: balance && cells.balance?.trim() ? (balance.side === 'Dr' ? -balance.paise : balance.paise) : null,
    };
    const nth = (counts.get(keyOf(read)) ?? 0) + 1;
    const isWrong = Object.keys(messages).length > 0;
    if (!isWrong && !isNothing) counts.set(keyOf(read), nth);
    return {
      ...read,
      line,
      displayName: `${read.narration.slice(0, 80)}, ${showMoney(read.credit || read.debit)}`,
      tokens: tokensOf(read.narration, reference),
      nth,
      fileFrom: read.day,
      fileTo: read.day,
      before: undefined,
      status: isWrong ? 'wrong' : isNothing ? 'same' : 'added',
      messages,
    };
  });
  return markKnown(ctx, lines);
}

/** Leaves out what is there already and withdrawals of no fee, and gives each line the days of its file. */
async function markKnown(ctx: UserContext, lines: Line[]): Promise<Line[]> {
  const good = lines.filter(({ status }) => status === 'added');
  const stored = await storedCounts(ctx, good);
  const debits = await knownDebits(ctx, good);
  const spans = new Map<number, string[]>();
  for (const { bankAccountId, day } of good) {
    const days = [...(spans.get(bankAccountId) ?? []), day].toSorted();
    spans.set(bankAccountId, [days[0] ?? day, days.at(-1) ?? day]);
  }
  for (const line of good) {
    const [from = line.day, to = line.day] = spans.get(line.bankAccountId) ?? [];
    line.fileFrom = from;
    line.fileTo = to;
    const isOfFees = line.debit === 0 || line.tokens.some((token) => debits.has(`${token} ${line.debit}`));
    if (stored.get(keyOf(line))?.has(line.nth) || !isOfFees) line.status = 'same';
  }
  return lines;
}

async function write({ db }: UserContext, lines: readonly Line[]) {
  const made = await insertTogether(
    db,
    'bank_line',
    lines.map(
      ({ bankAccountId, day, narration, reference, tokens, credit, debit, balance, nth, fileFrom, fileTo }) => ({
        bank_account_id: bankAccountId,
        day,
        narration,
        reference,
        tokens,
        credit,
        debit,
        balance,
        nth,
        file_from: fileFrom,
        file_to: fileTo,
        state: 'Open',
        note: '',
        version: 1,
      }),
    ),
    ['id'],
  );
  for (const [at, line] of lines.entries()) {
    const row = made[at];
    if (row) line.id = Number(row.id);
  }
}

export const statementRoutes = routes(statementImportApi, importHandlers(target, importAll, onlyAccount));

/** The one account of the school, proposed for all rows. */
async function onlyAccount({ db }: UserContext): Promise<Record<string, string>> {
  const rows = await db.selectFrom('fee_bank_account').where('is_active', '=', true).select('name').limit(2).execute();
  const [only] = rows;
  return only && rows.length === 1 ? { bankAccountId: only.name } : {};
}
