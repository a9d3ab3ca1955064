import { useMay } from '#features/sign-in/ui/use-may.ts';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { crewMaster, slabMaster, slabPriceMaster, stopMaster } from '../contract/masters.ts';
import { transportPages } from '../contract/pages.ts';
import { ChargeNotice } from './ChargeNotice.tsx';
import { RidersTab } from './RidersTab.tsx';
import { TransportTiles } from './TransportTiles.tsx';

/** /school-erp/transport/: riders, stops, what they cost, and drivers and attendants. */
export function TransportMasterPage() {
  const mayChange = useMay(stopMaster.api.create);
  const masters = [stopMaster, slabMaster, slabPriceMaster, crewMaster];
  return (
    <MastersPage
      page={transportPages[0]}
      bodies={{ rider: <RidersTab />, ...listsOf(masters, !mayChange) }}
      above={
        <>
          <TransportTiles />
          <ChargeNotice />
        </>
      }
    />
  );
}
