import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { leaverList } from '#features/student/contract/leaver.ts';
import { unexplainedList } from '#features/student/contract/unexplained.ts';
import { Leavers } from '#features/student/ui/Leavers.tsx';
import { Unexplained } from '#features/student/ui/Unexplained.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { yearEndPages } from '../contract/pages.ts';
import { yearEndApi } from '../contract/year-end.ts';
import { ClosedTab } from './ClosedTab.tsx';
import { NextYear } from './NextYear.tsx';
import { OpenYear } from './OpenYear.tsx';

const [page] = yearEndPages;
type TabKey = (typeof page.tabs)[number]['key'];

/** /school-erp/academic/year-end: what a year still has open, who leaves with it, what the next one lacks, and closed years. */
export function YearEndPage() {
  const { t } = useLingui();
  const { address } = useListAddress();
  const title = translate(page.title);
  const isShown: Partial<Record<TabKey, boolean>> = {
    leavers: useMay(leaverList.api.list),
    unexplained: useMay(unexplainedList.api.list),
  };
  const shown = page.tabs.filter(({ key }) => isShown[key] ?? true);
  const tab = shown.find(({ key }) => key === address.tab)?.key ?? 'open';
  const kept: Record<string, string> = address.year ? { year: address.year } : {};
  const tabs = (
    <AddressTabs
      label={t`Parts of ${title}`}
      name="tab"
      tabs={shown.map((one) => ({ key: one.key, title: translate(one.title) }))}
      current={tab}
      kept={kept}
    />
  );
  const yearId = Number(address.year) || null;
  if (tab === 'open')
    return (
      <OfYear yearId={yearId}>
        {(found) => (
          <OpenYear key={found.year?.id} found={found}>
            {tabs}
          </OpenYear>
        )}
      </OfYear>
    );
  return (
    <>
      <PageHead title={title} />
      {tabs}
      {tab === 'closed' ? (
        <ClosedTab />
      ) : (
        <OfYear yearId={yearId}>
          {(found) =>
            found.year &&
            (tab === 'leavers' ? (
              <Leavers key={found.year.id} yearId={found.year.id} />
            ) : tab === 'next' ? (
              <NextYear found={found} />
            ) : (
              <Unexplained yearId={found.year.id} kept={{ ...kept, tab }} />
            ))
          }
        </OfYear>
      )}
    </>
  );
}

/** What is about the year of the address, or else the first one that has ended and is open. */
function OfYear({
  yearId,
  children,
}: {
  yearId: number | null;
  children: (found: OutputOf<typeof yearEndApi.read>) => ReactNode;
}) {
  return <QueryBoundary query={useRead(yearEndApi.read, { yearId })}>{children}</QueryBoundary>;
}
