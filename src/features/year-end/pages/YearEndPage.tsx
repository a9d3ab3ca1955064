import { useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translate } from '#kit/browser/text.ts';
import { AddressTabs } from '#kit/browser/ui/AddressTabs.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { yearEndPages } from '../contract/pages.ts';
import { questionApi } from '../contract/question.ts';
import { yearEndApi } from '../contract/year-end.ts';
import { ClosedTab } from './ClosedTab.tsx';
import { FamiliesTab } from './FamiliesTab.tsx';
import { OpenYear } from './OpenYear.tsx';

const [page] = yearEndPages;

/** /school-erp/academic/year-end: what a year still has open, and the years that were closed. */
export function YearEndPage() {
  const { t } = useLingui();
  const { address } = useListAddress();
  const title = translate(page.title);
  const asks = useMay(questionApi.read);
  const shown = page.tabs.filter(({ key }) => asks || key !== 'families');
  // Search leads to an act by its word.
  const tab = shown.find(({ key }) => key === (address.tab ?? address.act))?.key ?? 'open';
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
  if (tab === 'families') return <FamiliesTab yearId={Number(address.year) || null}>{tabs}</FamiliesTab>;
  return <Opened yearId={Number(address.year) || null}>{tabs}</Opened>;
}

function Opened({ yearId, children }: { yearId: number | null; children: React.ReactNode }) {
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
