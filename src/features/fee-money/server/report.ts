import { type RawBuilder, sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { csvLine } from '#kit/contract/csv.ts';
import { showDate } from '#kit/contract/day.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { mostExported } from '#kit/contract/master.ts';
import { showMoney } from '#kit/contract/money.ts';
import { english, type Text, text, verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { csvFile } from '#kit/server/csv-file.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { type Cell, tableFile } from '#kit/server/list/table-file.ts';
import { mapRows } from '#kit/server/map-rows.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import {
  bankDayReaders,
  type Grouping,
  type ReportFilter,
  type ReportKind,
  type ReportRow,
  reportApi,
  reportFilters,
  reportWords,
  rowsOfPage,
} from '../contract/report.ts';
import { readFines } from './read-dues.ts';
import { groupedReport, isGrouped, mostHeads } from './report-groups.ts';
import { narrowedTo, placeOn } from './report-lines.ts';
import { type Asked, documents, type Report } from './report-queries.ts';

type Given = Asked & { kind: string; by: Grouping | ''; across: Grouping | '' };

/** A report under its own filters: those of others are left out. */
function ownOf(given: Given): Given & { kind: ReportKind } {
  const kind = given.kind as ReportKind;
  const names = Object.keys(reportFilters) as ReportFilter[];
  const own = Object.fromEntries(
    names.map((name) => [name, reportWords[kind].filters.includes(name) ? given[name] : '']),
  );
  return { ...given, ...own, kind };
}

/** A report for a user who may read it; one as of today with the late fines that are not charged yet. */
async function makeReport(ctx: UserContext, given: Given & { kind: ReportKind }, heads?: number): Promise<Report> {
  if (reportWords[given.kind].isOfBank && !isGranted(bankDayReaders, ctx.user))
    throw new AppError('forbidden', text`Only accountants and people who approve fees can open Bank.`);
  const asked = { ...given, fines: await unpostedFines(ctx, given) };
  return isGrouped(asked.kind) ? groupedReport(ctx, asked.kind, asked, heads) : documents[asked.kind](ctx.user, asked);
}

const ofOwed: readonly ReportKind[] = ['Dues by class', 'Outstanding by age'];

/** What late fines have grown to and nobody has charged, for the accounts of a report of dues as of today; none by head. */
async function unpostedFines(ctx: UserContext, asked: Given & { kind: ReportKind }): Promise<Asked['fines']> {
  const today = toLocalDate(ctx.now());
  if (!ofOwed.includes(asked.kind) || asked.to !== today || asked.headId !== '' || asked.by === 'Fee head') return;
  // A late fine is of an account with a due that is not paid by its day.
  const { rows } = await sql<{ id: number }>`select account.id from fee_account account
    ${asked.gradeId || asked.sectionId ? placeOn(sql`${today}::date`) : sql``}
    where account.open_from < ${today}::date and ${narrowedTo(ctx.user, asked, {})}`.execute(ctx.db);
  const fines = await readFines(
    ctx,
    rows.map(({ id }) => id),
    today,
  );
  const own = fines.filter(
    ({ receiptSeriesId }) => asked.seriesId === '' || Number(asked.seriesId) === receiptSeriesId,
  );
  return [...Map.groupBy(own, ({ accountId }) => accountId)].map(([accountId, all]) => ({
    accountId,
    amount: all.reduce((sum, { accrued }) => sum + accrued, 0),
  }));
}

/** The rows of a page of a report, counts and sums over all of them, and the sum of the ledger. */
async function readReport(
  ctx: UserContext,
  { columns, rows, page, bare, ledger, counted }: Report,
  { limit, offset }: { limit: number; offset: number },
) {
  const names = columns.map((_, at) => sql.ref(`c${at}`));
  const isSummed = (at: number) => columns[at]?.kind === 'money' || columns[at]?.kind === 'number';
  const sums = columns.map((_, at) => {
    if (at === counted?.at) return counted.all;
    return isSummed(at) ? sql`sum(${names[at]})::bigint` : sql`null`;
  });
  const part = sql`limit ${limit} offset ${offset}`;
  const shown = page ? page(part) : sql`select * from line ${part}`;
  const { rows: found } = await sql<{
    count: number;
    /** The people that the rows name. */
    people: number;
    totals: (number | null)[];
    shown: ReportRow[] | null;
    ledger: number;
  }>`
    with line (receipt_id, student_id, key, ${sql.join(names)}) as materialized (${bare ?? rows})
    select (select count(*)::integer from line) as count,
      (select count(distinct student_id)::integer + count(*) filter (where student_id is null)::integer from line) as people, (select json_build_array(${sql.join(sums)}) from line) as totals,
      (select json_agg(json_build_object('receiptId', receipt_id, 'studentId', student_id, 'key', key,
          'cells', json_build_array(${sql.join(names)})))
        from (${shown}) as shown (receipt_id, student_id, key, ${sql.join(names)})) as shown,
      (select amount from (${ledger}) as entries) as ledger`.execute(ctx.db);
  const [answer] = found;
  const totals = columns.map((_, at) => (isSummed(at) ? Number(answer?.totals[at] ?? 0) : null));
  return {
    rows: answer?.shown ?? [],
    count: answer?.count ?? 0,
    people: answer?.people ?? 0,
    totals,
    total: totals[columns.findIndex(({ isTotal }) => isTotal)] ?? 0,
    ledger: answer?.ledger ?? 0,
  };
}

const read: Handler<typeof reportApi.read> = async (ctx, { page, ...given }) => {
  const asked = ownOf(given as Given);
  const report = await makeReport(ctx, asked, mostHeads);
  const { people: _, ...found } = await readReport(ctx, report, {
    limit: rowsOfPage,
    offset: ((page ?? 1) - 1) * rowsOfPage,
  });
  return {
    columns: report.columns.map(({ label, kind, isPart = false }) => ({ label, kind, isPart })),
    ...found,
    school: await schoolLines(ctx),
    chosen: (await narrowedWords(ctx, asked)).map(([label, value]) => ({ label, value })),
    chart: asked.kind === 'Day book' && page === 1 ? await collectionByMonth(ctx, asked.to) : null,
  };
};

/** The school's name and its address line. */
async function schoolLines({ db }: UserContext): Promise<string[]> {
  const school = await db.selectFrom('academic_school').select(['name', 'address', 'city']).executeTakeFirst();
  if (!school) return [];
  return [school.name, [school.address, school.city].filter(Boolean).join(', ')].filter(Boolean);
}

/** What was collected and not ended in each of the twelve months until a day; null where nothing was. */
async function collectionByMonth({ db, user }: UserContext, to: string) {
  const { rows } = await sql<{ month: string; amount: number }>`
    with taken as materialized (
      select date_trunc('month', receipt.receipt_date)::date as month,
        (sum(receipt.amount) filter (where payment.ended_as is null))::bigint as amount
      from fee_receipt receipt join fee_payment payment on payment.id = receipt.payment_id
      where receipt.receipt_date >= date_trunc('month', ${to}::date) - interval '11 months'
        and receipt.receipt_date < date_trunc('month', ${to}::date) + interval '1 month'
        and ${inScope(user, feeReaders, { branch: sql`receipt.branch_id` })}
      group by 1)
    select months.month::date::text as month, coalesce(taken.amount, 0)::bigint as amount
    from generate_series(date_trunc('month', ${to}::date) - interval '11 months', ${to}::date, interval '1 month') as months (month)
    left join taken on taken.month = months.month::date
    order by 1`.execute(db);
  const total = rows.reduce((sum, { amount }) => sum + amount, 0);
  if (total === 0) return null;
  return {
    kind: 'bars' as const,
    says: text`Collected in twelve months: ${{ amount: showMoney(total) }}`,
    unit: 'money' as const,
    head: text`Month`,
    series: [{ label: text`Collected`, tone: 'good' as const }],
    points: rows.map(({ month, amount }) => ({ label: verbatim(showDate(month).slice(2).trim()), values: [amount] })),
  };
}

/** Paise as a decimal of rupees, which a sheet adds up. */
const rupees = (paise: number) => {
  const digits = String(Math.abs(paise)).padStart(3, '0');
  return `${paise < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`;
};

/** The names of what a report is narrowed to, as the paper and the file name them. */
async function narrowedWords({ db }: UserContext, asked: Given & { kind: ReportKind }): Promise<[Text, string][]> {
  const set = (Object.keys(reportFilters) as ReportFilter[]).filter((name) => asked[name] !== '');
  const tables: Record<Exclude<ReportFilter, 'mode'>, RawBuilder<unknown>> = {
    gradeId: sql`select name from academic_grade`,
    sectionId: sql`select name from academic_section`,
    branchId: sql`select name from academic_branch`,
    seriesId: sql`select name from fee_receipt_series`,
    cashierId: sql`select name from staff`,
    headId: sql`select name from fee_head`,
    discountId: sql`select name from fee_discount`,
  };
  if (set.length === 0) return [];
  const { rows } = await sql<{ names: (string | null)[] }>`select json_build_array(${sql.join(
    set.map((name) =>
      name === 'mode' ? sql`${asked.mode}::text` : sql`(${tables[name]} where id = ${Number(asked[name])})`,
    ),
  )}) as names`.execute(db);
  return set.map((name, at) => [reportFilters[name].label, rows[0]?.names[at] ?? '']);
}

/** Rows that a workbook and a paper take; a CSV has all. */
const mostAs = { csv: Number.POSITIVE_INFINITY, xlsx: 60_000, pdf: mostExported };

const exportReport: Handler<typeof reportApi.export> = async (ctx, { as, ...given }) => {
  const asked = ownOf(given as Given);
  const { kind } = asked;
  const report = await makeReport(ctx, asked);
  const { columns, isPeople } = report;
  const { totals, count, people } = await readReport(ctx, report, { limit: 0, offset: 0 });
  if (count > mostAs[as])
    throw new AppError('conflict', text`This report is too long for this kind of file. Choose CSV, or fewer days.`);
  const cellOf = (value: Cell, at: number): Cell => {
    const of = columns[at]?.kind;
    if (of === 'money' && value !== null) return Number(rupees(Number(value)));
    return of === 'date' && typeof value === 'string' && value !== '' ? showDate(value) : value;
  };
  const last = totals.map((total, at) => (total === null ? (at === 0 ? 'Total' : null) : cellOf(total, at)));
  const name = kind.replaceAll(' ', '-');
  const heads = columns.map(({ label }) => label);
  const act = {
    action: 'fee-report.exported',
    entity: 'fee_report',
    entityId: 0,
    details: {
      rows: count,
      as,
      Report: kind,
      From: asked.from,
      Until: asked.to,
      columns: columns.map(({ label }) => english(label)).join(', '),
    },
    names: isPeople ? people : 0,
  };
  return takeNames(ctx, act, async () => {
    if (as === 'csv') {
      const parts: Buffer[] = [];
      await eachRows(ctx, report, async (rows) => {
        const lines = await mapRows(rows, (cells) => csvLine(cells.map(cellOf)));
        parts.push(Buffer.from(`${lines.join('\r\n')}\r\n`));
      });
      const head = await csvFile(heads.map(english), []);
      return { mediaType: 'text/csv', name: `${name}.csv`, bytes: Buffer.concat([head, ...parts, csvEnd(last)]) };
    }
    const rows: Cell[][] = [];
    await eachRows(ctx, report, async (found) => {
      for (const cells of found) rows.push(cells.map(cellOf));
    });
    const days = reportWords[kind].isAsOf ? showDate(asked.to) : `${showDate(asked.from)} – ${showDate(asked.to)}`;
    const facts: [Text, string][] = [
      [reportWords[kind].isAsOf ? text`As of` : text`Days`, days],
      ...(await narrowedWords(ctx, asked)),
    ];
    return tableFile(ctx, { name, title: text`${{ kind }}`, facts, heads, rows: [...rows, last] }, as);
  });
};

const csvEnd = (last: readonly Cell[]) => Buffer.from(`${csvLine(last)}\r\n`);

/** The rows that are read from the database at once. */
const rowsOfPart = 5000;

/** Reads the rows of a report in parts, so that a file of any length is made without all of them in memory. */
async function eachRows(
  { db }: UserContext,
  { columns, rows }: Report,
  take: (rows: Cell[][]) => Promise<void>,
): Promise<void> {
  const names = columns.map((_, at) => sql.ref(`c${at}`));
  await db.transaction().execute(async (inside) => {
    await sql`declare report_row no scroll cursor for
      with line (receipt_id, student_id, key, ${sql.join(names)}) as materialized (${rows})
      select json_build_array(${sql.join(names)}) as cells from line`.execute(inside);
    for (;;) {
      const { rows: part } = await sql<{ cells: Cell[] }>`fetch ${sql.lit(rowsOfPart)} from report_row`.execute(inside);
      if (part.length > 0) await take(part.map(({ cells }) => cells));
      if (part.length < rowsOfPart) return;
    }
  });
}

export const reportRoutes = routes(reportApi, { read, export: exportReport });
