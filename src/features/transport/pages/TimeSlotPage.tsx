import { useMay } from '#features/sign-in/ui/use-may.ts';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { timeSlotMaster } from '../contract/masters.ts';
import { transportPages } from '../contract/pages.ts';

/** /school-erp/transport/time-slot: when trips run. */
export function TimeSlotPage() {
  const mayChange = useMay(timeSlotMaster.api.create);
  return <MastersPage page={transportPages[1]} bodies={listsOf([timeSlotMaster], !mayChange)} />;
}
