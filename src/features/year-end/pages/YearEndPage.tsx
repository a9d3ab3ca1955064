import { useLingui } from '@lingui/react/macro';
import { lazy, type ReactNode, Suspense } from 'react';
import { endingYearOf, yearApi } from '#features/calendar/contract/year.ts';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { leaverList } from '#features/student/contract/leaver.ts';
import { resultList } from '#features/student/contract/result.ts';
import { turnApi } from '#features/student/contract/turn.ts';
import { unexplainedList } from '#features/student/contract/unexplained.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { yearEndPages } from '../contract/pages.ts';
import { questionApi } from '../contract/question.ts';
import { yearEndApi } from '../contract/year-end.ts';
import { ClosedTab } from './ClosedTab.tsx';
import { OpenYear } from './OpenYear.tsx';

const FamiliesTab = lazy(async () => ({ default: (await import('./FamiliesTab.tsx')).FamiliesTab }));
const Results = lazy(async () => ({ default: (await import('#features/student/ui/Results.tsx')).Results }));
const TurnTab = lazy(async () => ({ default: (await import('./TurnTab.tsx')).TurnTab }));
const Leavers = lazy(async () => ({ default: (await import('#features/student/ui/Leavers.tsx')).Leavers }));
const NextYear = lazy(async () => ({ default: (await import('./NextYear.tsx')).NextYear }));
const Unexplained = lazy(async () => ({ default: (await import('#features/student/ui/Unexplained.tsx')).Unexplained }));

const [page] = yearEndPages;
type TabKey = (typeof page.tabs)[number]['key'];

/** /school-erp/academic/year-end: what a year still has open, its families, results, turn and leavers, the next year, closed ones. */
export function YearEndPage() {
  const { t } = useLingui();
  const { address } = useListAddress();
  const title = translate(page.title);
  const isShown: Partial<Record<TabKey, boolean>> = {
    families: useMay(questionApi.read),
    results: useMay(resultList.api.list),
    turn: useMay(turnApi.read),
    leavers: useMay(leaverList.api.list),
    unexplained: useMay(unexplainedList.api.list),
  };
  const shown = page.tabs.filter(({ key }) => isShown[key] ?? true);
  // Search leads to an act by its word.
  const tab = shown.find(({ key }) => key === (address.tab ?? address.act))?.key ?? 'open';
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
  const head = (
    <>
      <PageHead title={title} />
      {tabs}
    </>
  );
  const yearId = Number(address.year) || null;
  if (tab === 'open')
    return (
      <Answered yearId={yearId}>
        {(found) => (
          <OpenYear key={found.year?.id} found={found}>
            {tabs}
          </OpenYear>
        )}
      </Answered>
    );
  if (tab === 'families')
    return (
      <Suspense fallback={head}>
        <FamiliesTab yearId={yearId}>{tabs}</FamiliesTab>
      </Suspense>
    );
  if (tab === 'turn')
    return (
      <Suspense fallback={head}>
        <OfYear yearId={yearId}>
          {(id) => (
            <TurnTab key={id} yearId={id}>
              {tabs}
            </TurnTab>
          )}
        </OfYear>
      </Suspense>
    );
  return (
    <>
      {head}
      <Suspense fallback={null}>
        {tab === 'closed' ? (
          <ClosedTab />
        ) : tab === 'results' ? (
          <OfYear yearId={yearId}>{(id) => <Results yearId={id} />}</OfYear>
        ) : (
          <Answered yearId={yearId}>
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
          </Answered>
        )}
      </Suspense>
    </>
  );
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

interface AnsweredProps {
  yearId: number | null;
  children: (found: OutputOf<typeof yearEndApi.read>) => ReactNode;
}

/** What the server says of the year of the address, or else of the first one that has ended and is open. */
function Answered({ yearId, children }: AnsweredProps) {
  return <QueryBoundary query={useRead(yearEndApi.read, { yearId })}>{children}</QueryBoundary>;
}
