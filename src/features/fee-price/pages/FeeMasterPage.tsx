import type { ReactNode } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { feeMasters, headMaster } from '../contract/masters.ts';
import { feePricePages } from '../contract/pages.ts';
import { proposalApi, type proposalKinds } from '../contract/proposal.ts';
import { WaitingChanges } from '../ui/WaitingChanges.tsx';
import { FineRules } from './FineRules.tsx';

const kinds: Record<string, (typeof proposalKinds)[number]> = {
  head: 'Fee head',
  'fine-rule': 'Late fine rule',
  'receipt-series': 'Receipt series',
  'bank-account': 'Bank account',
};

/** A list with the changes of its records that wait for a second person. */
const Waiting = ({ kind, body }: { kind: (typeof proposalKinds)[number] | undefined; body: ReactNode }) => (
  <>
    {kind && <WaitingOf kind={kind} />}
    {body}
  </>
);

function WaitingOf({ kind }: { kind: (typeof proposalKinds)[number] }) {
  const { data } = useRead(proposalApi.list, { kind });
  return <WaitingChanges changes={data?.rows ?? []} isNamed />;
}

/** /school-erp/fee/fee-master: what the school charges for, late fines, receipt series and bank accounts. */
export function FeeMasterPage() {
  const mayChange = useMay(headMaster.api.create);
  return (
    <MastersPage
      page={feePricePages[1]}
      bodies={Object.fromEntries(
        Object.entries({ ...listsOf(feeMasters, !mayChange), 'fine-rule': <FineRules mayChange={mayChange} /> }).map(
          ([tab, body]) => [tab, <Waiting key={tab} kind={kinds[tab]} body={body} />],
        ),
      )}
    />
  );
}
