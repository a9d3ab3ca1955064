import { useMay } from '#features/sign-in/ui/use-may.ts';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { feeMasters, headMaster } from '../contract/masters.ts';
import { feePricePages } from '../contract/pages.ts';
import { FineRules } from './FineRules.tsx';

/** /school-erp/fee/fee-master: what the school charges for, late fines, receipt series and bank accounts. */
export function FeeMasterPage() {
  const mayChange = useMay(headMaster.api.create);
  return (
    <MastersPage
      page={feePricePages[1]}
      bodies={{ ...listsOf(feeMasters, !mayChange), 'fine-rule': <FineRules mayChange={mayChange} /> }}
    />
  );
}
