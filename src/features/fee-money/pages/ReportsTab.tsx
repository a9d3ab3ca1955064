import { Trans, useLingui } from '@lingui/react/macro';
import { IconPrinter } from '@tabler/icons-react';
import { useRef } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ExportMenu } from '#kit/browser/list/ExportMenu.tsx';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { FilterDay } from '#kit/browser/list/FilterDay.tsx';
import { Filters } from '#kit/browser/list/Filters.tsx';
import { filtersFor, ListFilters } from '#kit/browser/list/ListFilters.tsx';
import { type Address, useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Grid } from '#kit/browser/ui/Layout.tsx';
import { SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { ReportFrame } from '#kit/browser/ui/ReportFrame.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import { showDate } from '#kit/contract/day.ts';
import {
  bankDayReaders,
  type Grouping,
  type ReportFilter,
  type ReportKind,
  reportApi,
  reportFilters,
  reportGroups,
  reportKinds,
  reportWords,
} from '../contract/report.ts';
import { ReportTable } from './ReportTable.tsx';
import styles from './reports.module.css';

type ReportAddress = Address & Partial<Record<ReportFilter, string>>;

/** The report that an address asks for, with its own days and filters; another report keeps what it knows of them. */
function readAddress(address: ReportAddress) {
  const kind = reportKinds.find((one) => one === address.report) ?? 'Day book';
  const { isAsOf, by: ways, across, filters } = reportWords[kind];
  const to = address.to ?? today();
  return {
    kind,
    from: isAsOf ? '' : (address.from ?? `${to.slice(0, 7)}-01`),
    to,
    by: (ways?.find((one) => one === address.by) ?? ways?.[0] ?? '') as Grouping | '',
    across: (across?.find((one) => one === address.across) ?? across?.[0] ?? '') as Grouping | '',
    ...(Object.fromEntries(filters.map((name) => [name, address[name] ?? ''])) as Partial<
      Record<ReportFilter, string>
    >),
  };
}

/** What stays in the address from one report to another. */
const kept = ({ report: _, by: __, across: ___, page: ____, ...rest }: Address) => rest;

/** The reports of fees; report, days, rows and filters are in the address, and each total is that of the ledger. */
export function ReportsTab() {
  const { t } = useLingui();
  const { address, go, narrow } = useListAddress<ReportAddress>();
  const { kind, ...asked } = readAddress(address);
  const { isAsOf, by: ways, across, filters, about } = reportWords[kind];
  const input = { ...asked, kind, mode: (asked.mode ?? '') as '' };
  const report = useRead(reportApi.read, { ...input, page: Number(address.page) || 1 });
  const download = useDownload();
  const { attempt, problem } = useAttempt();
  const part = useRef<HTMLDivElement>(null);
  useSingleKeys(part, ({ key }) => (key.toLowerCase() === 'p' ? () => window.print() : undefined));
  const readsBank = useMay({ access: bankDayReaders });
  const kinds = reportKinds.filter((one) => readsBank || !reportWords[one].isOfBank);
  const change = (wanted: ReportAddress) => narrow({ page: '', ...wanted });
  const choose = (wanted: string) => go({ ...kept(address), report: wanted });
  return (
    <Grid className={styles.split} gap="0 24">
      <nav className={styles.reports} aria-label={t`Reports`}>
        {reportGroups.map((group) => (
          <section key={group} aria-label={translateOption(group)}>
            <p className="soft">{translateOption(group)}</p>
            {kindsOf(group, kinds).map((one) => (
              <SearchLink
                key={one}
                search={{ ...kept(address), report: one }}
                activeProps={{ 'aria-current': undefined }}
                aria-current={one === kind ? 'page' : undefined}
              >
                {translateOption(one)}
              </SearchLink>
            ))}
          </section>
        ))}
      </nav>
      <div ref={part} tabIndex={-1}>
        <ReportFrame
          title={translateOption(kind)}
          of={report.data?.school ?? []}
          period={isAsOf ? t`As of ${showDate(asked.to)}` : `${showDate(asked.from)} – ${showDate(asked.to)}`}
          chosen={report.data?.chosen.map(({ label, value }) => `${translate(label)}: ${value}`) ?? []}
          about={translate(about)}
          choice={
            <select
              className={`box ${styles.choice}`}
              aria-label={t`Report`}
              value={kind}
              onChange={(event) => choose(event.currentTarget.value)}
            >
              {reportGroups.map((group) => (
                <optgroup key={group} label={translateOption(group)}>
                  {kindsOf(group, kinds).map((one) => (
                    <option key={one} value={one}>
                      {translateOption(one)}
                    </option>
                  ))}
                </optgroup>
              ))}
            </select>
          }
          acts={
            <>
              <ExportMenu
                words={<Trans>Export</Trans>}
                onExport={(as) =>
                  attempt(() => download(reportApi.export, { ...input, as }, `${kind.replaceAll(' ', '-')}.${as}`))
                }
              />
              <Button onClick={() => window.print()} aria-keyshortcuts="p">
                <IconPrinter size={16} aria-hidden />
                <Trans>Print</Trans>
              </Button>
            </>
          }
          filters={
            <>
              {problem}
              <Filters>
                {!isAsOf && (
                  <FilterDay label={t`From`} value={asked.from} max={today()} onChange={(from) => change({ from })} />
                )}
                <FilterDay
                  label={isAsOf ? t`As of` : t`Until`}
                  value={asked.to}
                  max={today()}
                  onChange={(to) => change({ to, ...(asked.from > to && { from: `${to.slice(0, 7)}-01` }) })}
                />
                {ways && (
                  <FilterChoice label={t`By`} value={asked.by} onChange={(by) => change({ by })}>
                    {ways.map((one) => (
                      <option key={one} value={one}>
                        {translateOption(one)}
                      </option>
                    ))}
                  </FilterChoice>
                )}
                {across && (
                  <FilterChoice label={t`Columns`} value={asked.across} onChange={(across) => change({ across })}>
                    {across
                      .filter((one) => one !== asked.by)
                      .map((one) => (
                        <option key={one} value={one}>
                          {translateOption(one)}
                        </option>
                      ))}
                  </FilterChoice>
                )}
                <ListFilters
                  filters={filtersFor(Object.fromEntries(filters.map((name) => [name, reportFilters[name]])))}
                  address={address}
                  onNarrow={(rest) => change(rest as ReportAddress)}
                />
              </Filters>
            </>
          }
        >
          <QueryBoundary query={report}>
            {(found) => <ReportTable asked={input} report={found} page={Number(address.page) || 1} onNarrow={change} />}
          </QueryBoundary>
        </ReportFrame>
      </div>
    </Grid>
  );
}

const kindsOf = (group: (typeof reportGroups)[number], kinds: readonly ReportKind[]) =>
  kinds.filter((kind) => reportWords[kind].group === group);
