import { sql } from 'kysely';
import { feeReaders } from '#access/contract/grants.ts';
import { inScope } from '#access/server/scope.ts';
import { showDate } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { mostExported } from '#kit/contract/master.ts';
import { showMoney } from '#kit/contract/money.ts';
import { english, text, verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { tableFile } from '#kit/server/list/table-file.ts';
import { takeNames } from '#kit/server/security/taken-names.ts';
import { mostRowsShown, type ReportKind, reportApi } from '../contract/report.ts';
import { reports } from './report-queries.ts';

type Cell = string | number | null;

async function readReport(ctx: UserContext, kind: ReportKind, days: { from: string; to: string }) {
  const report = reports[kind](ctx.user, days);
  // In the order of the columns, some of which have the same name.
  const { rows: found } = await sql<{ cells: Cell[] }>`
    select (select json_agg(value order by place) from json_each(row_to_json(line)) with ordinality as cell (name, value, place))
      as cells from (${report.rows}) as line limit ${mostExported + 1}`.execute(ctx.db);
  if (found.length > mostExported) throw new AppError('conflict', text`This report is too long. Choose fewer days.`);
  const rows = found.map(({ cells }) => cells);
  const { rows: sums } = await sql<{ amount: number }>`${report.ledger}`.execute(ctx.db);
  const totals = report.columns.map(({ kind: cell }, at) =>
    cell === 'money' ? rows.reduce((sum, row) => sum + Number(row[at] ?? 0), 0) : null,
  );
  const at = report.columns.findIndex(({ isTotal }) => isTotal);
  return { ...report, rows, totals, total: totals[at] ?? 0, ledger: sums[0]?.amount ?? 0 };
}

const read: Handler<typeof reportApi.read> = async (ctx, { kind, ...days }) => {
  const { columns, rows, totals, total, ledger } = await readReport(ctx, kind as ReportKind, days);
  return {
    columns: columns.map(({ label, kind: cell }) => ({ label, kind: cell })),
    rows: rows.slice(0, mostRowsShown),
    count: rows.length,
    totals,
    total,
    ledger,
    chart: kind === 'Day book' ? await collectionByMonth(ctx, days.to) : null,
  };
};

/** What was collected and not ended in each of the twelve months until a day; null where nothing was. */
async function collectionByMonth({ db, user }: UserContext, to: string) {
  const { rows } = await sql<{ month: string; amount: number }>`
    select month::date::text as month, coalesce(sum(receipt.amount) filter (where payment.ended_as is null), 0)::bigint as amount
    from generate_series(date_trunc('month', ${to}::date) - interval '11 months', ${to}::date, interval '1 month') as month
    left join (fee_receipt receipt join fee_payment payment on payment.id = receipt.payment_id)
      on receipt.receipt_date >= month and receipt.receipt_date < month + interval '1 month'
      and ${inScope(user, feeReaders, { branch: sql`receipt.branch_id` })}
    group by 1 order by 1`.execute(db);
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

const exportReport: Handler<typeof reportApi.export> = async (ctx, { kind, as, ...days }) => {
  const { columns, rows, totals, isPeople } = await readReport(ctx, kind as ReportKind, days);
  const cellOf = (value: Cell, at: number): Cell => {
    const of = columns[at]?.kind;
    if (of === 'money' && value !== null) return Number(rupees(Number(value)));
    return of === 'date' && typeof value === 'string' && value !== '' ? showDate(value) : value;
  };
  const last = totals.map((total, at) => (total === null ? (at === 0 ? 'Total' : null) : cellOf(total, at)));
  const title = text`${{ kind }}`;
  const table = {
    name: kind.replaceAll(' ', '-'),
    title,
    facts: [[text`Days`, `${showDate(days.from)} – ${showDate(days.to)}`]] as [ReturnType<typeof text>, string][],
    heads: columns.map(({ label }) => label),
    rows: [...rows.map((row) => row.map(cellOf)), last],
  };
  const act = {
    action: 'fee-report.exported',
    entity: 'fee_report',
    entityId: 0,
    details: {
      rows: rows.length,
      as,
      Report: kind,
      From: days.from,
      Until: days.to,
      columns: columns.map(({ label }) => english(label)).join(', '),
    },
    names: isPeople ? rows.length : 0,
  };
  return takeNames(ctx, act, () => tableFile(ctx, table, as));
};

export const reportRoutes = routes(reportApi, { read, export: exportReport });
