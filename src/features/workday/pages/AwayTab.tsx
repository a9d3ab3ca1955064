import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translateOption } from '#kit/browser/text.ts';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Box, Text } from '#kit/browser/ui/Layout.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type AwayKind, awayApi } from '../contract/away.ts';
import { monthName } from '../contract/month.ts';
import own from './AwayTab.module.css';
import { MonthNav } from './MonthNav.tsx';
import styles from './MonthTab.module.css';
import { Pages } from './Pages.tsx';

/** Who of the staff is away on which day of a month. */
export function AwayTab() {
  const { address, narrow } = useListAddress();
  const page = Number(address.page) || 1;
  const query = useReadList(awayApi.read, { month: address.month ?? '', page });
  return (
    <QueryBoundary query={query}>
      {(read) => (
        <>
          <Box mb={12}>
            <MonthNav month={read.month} onMonth={(month) => narrow({ month, page: '' })} />
          </Box>
          {read.people.length === 0 ? (
            <EmptyState message={<Trans>No leave or absence of staff in {monthName(read.month)}.</Trans>} />
          ) : (
            <Grid read={read} />
          )}
          <Pages
            count={read.count}
            page={page}
            onPage={(wanted) => narrow({ page: wanted > 1 ? String(wanted) : '' })}
          />
        </>
      )}
    </QueryBoundary>
  );
}

/** One sign for each way of being away, which the line below the table explains. */
const signs: Record<AwayKind, string> = { Away: '●', 'First half': '◐', 'Second half': '◑', Asked: '?' };

function Grid({ read: { month, today, people, totals, asked } }: { read: OutputOf<typeof awayApi.read> }) {
  const { t } = useLingui();
  const name = monthName(month);
  const current = today.startsWith(month) ? Number(today.slice(8)) - 1 : -1;
  const dayClass = (index: number) => classNames(styles.day, own.day, index === current && own.today);
  return (
    <>
      <ScrollFrame label={t`Staff away in ${name}`} className={styles.frame}>
        <table className={classNames(styles.sheet, own.sheet)}>
          <thead>
            <tr>
              <th scope="col" className={styles.name}>{t`Name`}</th>
              {totals.map((_, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a day of the month is its place.
                <th key={index} scope="col" className={dayClass(index)}>
                  {index + 1}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {people.map((person) => (
              <tr key={person.staffId}>
                <th scope="row" className={styles.name}>
                  <PageLink
                    className="quiet-link"
                    to="/school-erp/staff/view-staff/$userID"
                    params={{ userID: String(person.staffId) }}
                  >
                    {person.name}
                  </PageLink>
                </th>
                {person.days.map((kind, index) => (
                  <td
                    // biome-ignore lint/suspicious/noArrayIndexKey: a day of the month is its place.
                    key={index}
                    className={classNames(dayClass(index), kind !== '' && styles.leave)}
                  >
                    {kind && (
                      <span role="img" aria-label={translateOption(kind)} title={translateOption(kind)}>
                        {signs[kind]}
                      </span>
                    )}
                  </td>
                ))}
              </tr>
            ))}
            {[
              { label: t`Away, all`, counts: totals },
              { label: t`Asked, all`, counts: asked },
            ].map(({ label, counts }) => (
              <tr key={label}>
                <th scope="row" className={styles.name}>
                  {label}
                </th>
                {counts.map((count, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: a day of the month is its place.
                  <td key={index} className={dayClass(index)}>
                    {count || ''}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      <Text tone="soft" mt={8}>
        {Object.entries(signs)
          .map(([kind, sign]) => `${sign} ${translateOption(kind)}`)
          .join(' · ')}
      </Text>
    </>
  );
}
