import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chart } from '#kit/browser/ui/Chart.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Table } from '#kit/browser/ui/Layout.tsx';
import { PageLink, SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showMoney, typedMoney } from '#kit/contract/money.ts';
import { showNumber } from '#kit/contract/text.ts';
import {
  type Grouping,
  opensInto,
  type ReportKind,
  type ReportRow,
  type reportApi,
  reportWords,
  rowsOfPage,
} from '../contract/report.ts';
import { ReceiptDialog } from './ReceiptDialog.tsx';
import styles from './reports.module.css';

type Report = OutputOf<typeof reportApi.read>;

interface Props {
  kind: ReportKind;
  by: Grouping | '';
  report: Report;
  page: number;
  /** Narrows the report, which changes the address. */
  onNarrow: (wanted: Partial<Record<string, string>>) => void;
}

/** The rows of a report, its total and the ledger's. A row opens what is behind it: other rows, a receipt or a student. */
export function ReportTable({ kind, by, report, page, onNarrow }: Props) {
  const { t } = useLingui();
  const [receipt, setReceipt] = useState<{ id: number; receiptNo: string }>();
  const { columns, rows, count, totals, total, ledger, chart } = report;
  const show = (value: string | number | null, at: number) => {
    const of = columns[at]?.kind;
    if (value === null || value === '') return '';
    if (of === 'money') return Number(value) === 0 ? '–' : typedMoney(Number(value));
    if (of === 'number') return showNumber(Number(value));
    if (of === 'option') return translateOption(String(value));
    return of === 'date' ? showDate(String(value)) : String(value);
  };
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
          <Table className={styles.table}>
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
              {rows.map((row, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a report have no key of their own.
                <tr key={place}>
                  {row.cells.map((value, at) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: as above.
                    <td key={at} data-kind={columns[at]?.kind} data-part={columns[at]?.isPart || undefined}>
                      <Opened
                        row={row}
                        words={show(value, at)}
                        way={wayOf(columns, row, at)}
                        kind={kind}
                        by={by}
                        onReceipt={setReceipt}
                      />
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
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
          </Table>
        </ScrollFrame>
      )}
      <Row as="p" gap="8 12" align="center" wrap mt={12}>
        {rows.length === 0 && <strong>{showMoney(total)}</strong>}
        {total === ledger ? (
          <Chip kind="good">
            <Trans>Agrees with the ledger</Trans>
          </Chip>
        ) : (
          <Chip kind="bad">{t`${tie}: ${showMoney(ledger)}`}</Chip>
        )}
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
      </Row>
      {receipt && <ReceiptDialog receipt={receipt} mayPrint={false} onClose={() => setReceipt(undefined)} />}
    </>
  );
}

type Way = 'rows' | 'receipt' | 'student' | undefined;

/** What a cell opens: the first one other rows, the receipt's number the receipt, the student's name the account. */
function wayOf(columns: Report['columns'], row: ReportRow, at: number): Way {
  if (row.key !== null) return at === 0 ? 'rows' : undefined;
  const texts = columns.flatMap(({ kind }, place) => (kind === 'text' ? [place] : []));
  if (row.receiptId !== null && at === texts[0]) return 'receipt';
  if (row.studentId !== null && at === texts[row.receiptId === null ? 0 : 1]) return 'student';
  return undefined;
}

interface OpenedProps {
  row: ReportRow;
  words: string;
  way: Way;
  kind: ReportKind;
  by: Grouping | '';
  onReceipt: (receipt: { id: number; receiptNo: string }) => void;
}

/** The words of a cell, as a way to what is behind them. */
function Opened({ row, words, way, kind, by, onReceipt }: OpenedProps) {
  const into = by === '' ? undefined : opensInto[by];
  const as = into?.as[kind];
  switch (way) {
    case 'rows': {
      if (!into || !as || row.key === null) return words;
      const narrowed = into.filter === 'day' ? { from: row.key, to: row.key } : { [into.filter]: row.key };
      return <NarrowLink to={{ ...narrowed, by: as, page: '' }}>{words}</NarrowLink>;
    }
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
function NarrowLink({ to, children }: { to: Partial<Record<string, string>>; children: string }) {
  const { address } = useListAddress();
  const search = Object.fromEntries(Object.entries({ ...address, ...to }).filter(([, value]) => value));
  return (
    <SearchLink search={search} activeProps={{ 'aria-current': undefined }}>
      {children}
    </SearchLink>
  );
}
