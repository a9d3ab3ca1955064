import { useMay } from '#features/sign-in/ui/use-may.ts';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { vehicleDocumentMaster, vehicleMaster } from '../contract/masters.ts';
import { transportPages } from '../contract/pages.ts';

/** /school-erp/transport/vehicle: the fleet and its papers. */
export function VehiclePage() {
  const mayChange = useMay(vehicleMaster.api.create);
  return <MastersPage page={transportPages[2]} bodies={listsOf([vehicleMaster, vehicleDocumentMaster], !mayChange)} />;
}
