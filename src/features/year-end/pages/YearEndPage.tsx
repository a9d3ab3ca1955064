import { useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { endingYearOf, yearApi } from '#features/calendar/contract/year.ts';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { resultList } from '#features/student/contract/result.ts';
import { turnApi } from '#features/student/contract/turn.ts';
import { Results } from '#features/student/ui/Results.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { yearEndPages } from '../contract/pages.ts';
import { yearEndApi } from '../contract/year-end.ts';
import { ClosedTab } from './ClosedTab.tsx';
import { OpenYear } from './OpenYear.tsx';
import { TurnTab } from './TurnTab.tsx';

const [page] = yearEndPages;
type TabKey = (typeof page.tabs)[number]['key'];

/** /school-erp/academic/year-end: what a year still has open, its results and its turn, and the years that were closed. */
export function YearEndPage() {
  const { t } = useLingui();
  const { address } = useListAddress();
  const mayDecide = useMay(resultList.api.list);
  const mayTurn = useMay(turnApi.read);
  const title = translate(page.title);
  const isShown: Partial<Record<TabKey, boolean>> = { results: mayDecide, turn: mayTurn };
  const shown = page.tabs.filter(({ key }) => isShown[key] ?? true);
  const tab = shown.find(({ key }) => key === address.tab)?.key ?? 'open';
  const tabs = (
    <AddressTabs
      label={t`Parts of ${title}`}
      name="tab"
      tabs={shown.map((one) => ({ key: one.key, title: translate(one.title) }))}
      current={tab}
      kept={address.year ? { year: address.year } : {}}
    />
  );
  if (tab === 'closed')
    return (
      <>
        <PageHead title={title} />
        {tabs}
        <ClosedTab />
      </>
    );
  const yearId = Number(address.year) || null;
  if (tab === 'results')
    return (
      <>
        <PageHead title={title} />
        {tabs}
        <OfYear yearId={yearId}>{(id) => <Results yearId={id} />}</OfYear>
      </>
    );
  if (tab === 'turn') return <OfYear yearId={yearId}>{(id) => <TurnTab yearId={id}>{tabs}</TurnTab>}</OfYear>;
  return <Opened yearId={yearId}>{tabs}</Opened>;
}

/** What is about the year of the address, or else the one whose end is prepared. */
function OfYear({ yearId, children }: { yearId: number | null; children: (id: number) => ReactNode }) {
  const years = useRead(yearApi.list, {});
  return (
    <QueryBoundary query={years}>
      {(found) => {
        const id = yearId ?? endingYearOf(found)?.id;
        return id !== undefined && children(id);
      }}
    </QueryBoundary>
  );
}

function Opened({ yearId, children }: { yearId: number | null; children: ReactNode }) {
  const found = useRead(yearEndApi.read, { yearId });
  return (
    <QueryBoundary query={found}>
      {(answer) => (
        <OpenYear key={answer.year?.id} found={answer}>
          {children}
        </OpenYear>
      )}
    </QueryBoundary>
  );
}
