import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ExportMenu } from '#kit/browser/list/ExportMenu.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Chart } from '#kit/browser/ui/Chart.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Table } from '#kit/browser/ui/Layout.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showMoney } from '#kit/contract/money.ts';
import { mostRowsShown, type ReportKind, reportApi, reportKinds, reportWords } from '../contract/report.ts';
import styles from './reports.module.css';

type Report = OutputOf<typeof reportApi.read>;

/** The reports of fees over a range of days; the total of each is that of the ledger's entries. */
export function ReportsTab() {
  const { t } = useLingui();
  const [kind, setKind] = useState<ReportKind>('Day book');
  const [days, setDays] = useState({ from: `${today().slice(0, 7)}-01`, to: today() });
  const report = useRead(reportApi.read, { kind, ...days });
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const dayBox = (which: 'from' | 'to', label: string) => (
    <DateInput
      key={days[which]}
      aria-label={label}
      value={days[which]}
      max={today()}
      onChange={() => undefined}
      onLeave={(day) => day && day !== days[which] && setDays({ ...days, [which]: day })}
    />
  );
  return (
    <>
      <Row gap="8 12" align="center" wrap className={styles.line}>
        <select
          className="box"
          aria-label={t`Report`}
          value={kind}
          onChange={(event) => setKind(event.currentTarget.value as ReportKind)}
        >
          {reportKinds.map((one) => (
            <option key={one} value={one}>
              {translateOption(one)}
            </option>
          ))}
        </select>
        {dayBox('from', t`From`)}
        {dayBox('to', t`Until`)}
        <ExportMenu
          words={<Trans>Export</Trans>}
          onExport={(as) =>
            attempt(() => download(reportApi.export, { kind, ...days, as }, `${kind.replaceAll(' ', '-')}.${as}`))
          }
        />
      </Row>
      {problem}
      <p className={`soft ${styles.about}`}>{translate(reportWords[kind].about)}</p>
      <QueryBoundary query={report}>{(found) => <Rows kind={kind} report={found} />}</QueryBoundary>
    </>
  );
}

function Rows({ kind, report }: { kind: ReportKind; report: Report }) {
  const { t } = useLingui();
  const { columns, rows, count, totals, total, ledger, chart } = report;
  const cellOf = (value: string | number | null, at: number) => {
    const of = columns[at]?.kind;
    if (value === null || value === '') return '';
    if (of === 'money') return showMoney(Number(value));
    if (of === 'option') return translateOption(String(value));
    return of === 'date' ? showDate(String(value)) : String(value);
  };
  const tie = translate(reportWords[kind].tie);
  return (
    <>
      <Row as="p" gap="8 12" align="center" wrap className={styles.line}>
        <strong>{showMoney(total)}</strong>
        {total === ledger ? (
          <Chip kind="good">
            <Trans>Agrees with the ledger</Trans>
          </Chip>
        ) : (
          <Chip kind="bad">{t`${tie}: ${showMoney(ledger)}`}</Chip>
        )}
        {count > mostRowsShown && (
          <span className="soft">
            <Plural
              value={count}
              one="# row; the export has all."
              other={`The first ${mostRowsShown} of # rows; the export has all.`}
            />
          </span>
        )}
      </Row>
      {chart && <Chart chart={chart} />}
      {rows.length === 0 ? (
        <EmptyState message={<Trans>Nothing in these days.</Trans>} />
      ) : (
        <ScrollFrame label={translateOption(kind)}>
          <Table className={styles.report}>
            <thead>
              <tr>
                {columns.map(({ label, kind: of }, at) => (
                  <th key={columns[at]?.label.id} scope="col" data-kind={of}>
                    {translate(label)}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row, place) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: rows of a report have no key of their own.
                <tr key={place}>
                  {row.map((value, at) => (
                    <td key={columns[at]?.label.id} data-kind={columns[at]?.kind}>
                      {cellOf(value, at)}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                {totals.map((sum, at) => (
                  <td key={columns[at]?.label.id} data-kind={columns[at]?.kind}>
                    {at === 0 ? <Trans>Total</Trans> : sum === null ? '' : showMoney(sum)}
                  </td>
                ))}
              </tr>
            </tfoot>
          </Table>
        </ScrollFrame>
      )}
    </>
  );
}
