import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Fragment, type ReactNode, useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chart } from '#kit/browser/ui/Chart.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Table } from '#kit/browser/ui/Layout.tsx';
import { PageLink, SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { ReportTie } from '#kit/browser/ui/ReportFrame.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { InputOf, OutputOf } from '#kit/contract/endpoint.ts';
import { showMoney, typedMoney } from '#kit/contract/money.ts';
import { showNumber } from '#kit/contract/text.ts';
import {
  type Grouping,
  opensInto,
  type ReportKind,
  type ReportRow,
  reportApi,
  reportWords,
  rowsOfPage,
} from '../contract/report.ts';
import { ReceiptDialog } from './ReceiptDialog.tsx';
import styles from './reports.module.css';

type Report = OutputOf<typeof reportApi.read>;

/** What a report is asked for, without its page. */
type Asked = Omit<InputOf<typeof reportApi.read>, 'page' | 'kind' | 'by'> & { kind: ReportKind; by: Grouping | '' };

interface Props {
  asked: Asked;
  report: Report;
  page: number;
  /** Narrows the report, which changes the address. */
  onNarrow: (wanted: Partial<Record<string, string>>) => void;
}

/** A report's rows with its total and the ledger's. A row opens its details below it: more rows, a receipt or a student. */
export function ReportTable({ asked, report, page, onNarrow }: Props) {
  const { t } = useLingui();
  const { kind } = asked;
  const { rows, count, total, ledger, chart } = report;
  const tie = translate(reportWords[kind].tie);
  const pages = Math.ceil(count / rowsOfPage);
  return (
    <>
      {chart && <Chart chart={chart} />}
      {rows.length === 0 ? (
        <EmptyState
          message={
            reportWords[kind].isAsOf ? (
              <Trans>Nothing was due on this day.</Trans>
            ) : (
              <Trans>Nothing in these days.</Trans>
            )
          }
        />
      ) : (
        <ScrollFrame label={translateOption(kind)}>
          <Rows asked={asked} report={report} level={0} />
        </ScrollFrame>
      )}
      {rows.length === 0 && <strong>{showMoney(total)}</strong>}
      <ReportTie
        agrees={total === ledger}
        foot={
          <>
            <span className="soft" role="status">
              <Plural value={count} one="# row" other="# rows" />
              {pages > 1 && <> · {t`page ${page} of ${pages}`}</>}
            </span>
            {page > 1 && (
              <Button onClick={() => onNarrow({ page: page > 2 ? String(page - 1) : '' })}>
                <Trans>Previous page</Trans>
              </Button>
            )}
            {page < pages && (
              <Button onClick={() => onNarrow({ page: String(page + 1) })}>
                <Trans>Next page</Trans>
              </Button>
            )}
          </>
        }
      >
        {total === ledger ? <Trans>Agrees with the ledger</Trans> : t`${tie}: ${showMoney(ledger)}`}
      </ReportTie>
    </>
  );
}

/** The report that a row opens into; undefined for a row that opens nothing. */
function intoOf(asked: Asked, { key }: ReportRow): Asked | undefined {
  const into = asked.by === '' ? undefined : opensInto[asked.by];
  const by = into?.as[asked.kind];
  if (!into || !by || key === null) return undefined;
  return { ...asked, by, ...(into.filter === 'day' ? { from: key, to: key } : { [into.filter]: key }) };
}

/** What is behind a row: a table of its own, as wide as the row. */
function Behind({ asked, level }: { asked: Asked; level: number }) {
  const found = useRead(reportApi.read, { ...asked, page: 1 });
  return (
    <QueryBoundary query={found}>
      {(report) => (
        <>
          <Rows asked={asked} report={report} level={level} />
          {report.count > report.rows.length && (
            <p className="soft">
              <NarrowLink to={narrowing(asked)}>
                <Trans>All {report.count} rows</Trans>
              </NarrowLink>
            </p>
          )}
        </>
      )}
    </QueryBoundary>
  );
}

/** The address of a report that a row opened into. */
const narrowing = (asked: Asked) => {
  const { kind: _, ...rest } = asked;
  return { ...(rest as Partial<Record<string, string>>), page: '' };
};

/** The table of a report; one that stands in a row of another has no sums, since the row has them. */
function Rows({ asked, report, level }: { asked: Asked; report: Report; level: number }) {
  const { t } = useLingui();
  const [receipt, setReceipt] = useState<{ id: number; receiptNo: string }>();
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const { columns, rows, totals } = report;
  const toggle = (key: string) =>
    setOpened((before) => {
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  const show = (value: string | number | null, at: number) => {
    const of = columns[at]?.kind;
    if (value === null || value === '') return '';
    if (of === 'money') return Number(value) === 0 ? '–' : typedMoney(Number(value));
    if (of === 'number') return showNumber(Number(value));
    if (of === 'option') return translateOption(String(value));
    return of === 'date' ? showDate(String(value)) : String(value);
  };
  return (
    <>
      <Table className={styles.table} data-level={level || undefined}>
        <thead>
          <tr>
            {columns.map(({ label, kind: of, isPart }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have one name.
              <th key={at} scope="col" data-kind={of} data-part={isPart || undefined}>
                {translate(label)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, place) => {
            const into = intoOf(asked, row);
            const isOpen = into !== undefined && opened.has(row.key ?? '');
            return (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a report have no key of their own.
              <Fragment key={place}>
                <tr>
                  {row.cells.map((value, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                    <td key={at} data-kind={columns[at]?.kind} data-part={columns[at]?.isPart || undefined}>
                      {into && at === 0 ? (
                        <Button kind="link" aria-expanded={isOpen} onClick={() => toggle(row.key ?? '')}>
                          {isOpen ? (
                            <IconChevronDown size={14} aria-hidden />
                          ) : (
                            <IconChevronRight size={14} aria-hidden />
                          )}
                          {show(value, at)}
                        </Button>
                      ) : (
                        <Opened
                          row={row}
                          words={show(value, at)}
                          way={wayOf(columns, row, at)}
                          onReceipt={setReceipt}
                        />
                      )}
                    </td>
                  ))}
                </tr>
                {isOpen && (
                  <tr className={styles.behind}>
                    <td colSpan={columns.length}>
                      <section aria-label={t`Behind ${show(row.cells[0] ?? null, 0)}`}>
                        <Behind asked={into} level={level + 1} />
                      </section>
                    </td>
                  </tr>
                )}
              </Fragment>
            );
          })}
        </tbody>
        {level === 0 && (
          <tfoot>
            <tr>
              {totals.map((sum, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                <td key={at} data-kind={columns[at]?.kind} data-part={columns[at]?.isPart || undefined}>
                  {at === 0 ? <Trans>Total, ₹</Trans> : sum === null ? '' : show(sum, at)}
                </td>
              ))}
            </tr>
          </tfoot>
        )}
      </Table>
      {receipt && <ReceiptDialog receipt={receipt} mayPrint={false} onClose={() => setReceipt(undefined)} />}
    </>
  );
}

type Way = 'receipt' | 'student' | undefined;

/** The link of a cell in a last-level row: the receipt for its number, the account for a student's name. */
function wayOf(columns: Report['columns'], row: ReportRow, at: number): Way {
  if (row.key !== null) return undefined;
  const texts = columns.flatMap(({ kind }, place) => (kind === 'text' ? [place] : []));
  if (row.receiptId !== null && at === texts[0]) return 'receipt';
  if (row.studentId !== null && at === texts[row.receiptId === null ? 0 : 1]) return 'student';
  return undefined;
}

interface OpenedProps {
  row: ReportRow;
  words: string;
  way: Way;
  onReceipt: (receipt: { id: number; receiptNo: string }) => void;
}

/** The words of a cell, as a way to what is behind them. */
function Opened({ row, words, way, onReceipt }: OpenedProps) {
  switch (way) {
    case 'receipt':
      return (
        <Button kind="link" onClick={() => onReceipt({ id: row.receiptId ?? 0, receiptNo: words })}>
          {words}
        </Button>
      );
    case 'student':
      return (
        <PageLink
          to="/school-erp/fee/student-wise-fees-structure/$studentID"
          params={{ studentID: String(row.studentId) }}
        >
          {words}
        </PageLink>
      );
    default:
      return words;
  }
}

/** A link to the same report, narrowed. */
function NarrowLink({ to, children }: { to: Partial<Record<string, string>>; children: ReactNode }) {
  const { address } = useListAddress();
  const search = Object.fromEntries(Object.entries({ ...address, ...to }).filter(([, value]) => value));
  return (
    <SearchLink search={search} activeProps={{ 'aria-current': undefined }}>
      {children}
    </SearchLink>
  );
}
