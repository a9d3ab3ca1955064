import type { ReactNode } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { crewMaster, slabMaster, slabPriceMaster, stopMaster } from '../contract/masters.ts';
import { transportPages } from '../contract/pages.ts';
import { ChargeNotice } from './ChargeNotice.tsx';
import { CopyPricesButton } from './CopyPrices.tsx';
import { RidersTab } from './RidersTab.tsx';
import { TransportTiles } from './TransportTiles.tsx';

/** /school-erp/transport/: riders, stops, what they cost, and drivers and attendants. */
export function TransportMasterPage() {
  const mayChange = useMay(stopMaster.api.create);
  const lists = listsOf([stopMaster, slabMaster, slabPriceMaster, crewMaster], !mayChange);
  const withCopying = (list: ReactNode) => (
    <>
      <CopyPricesButton />
      {list}
    </>
  );
  return (
    <MastersPage
      page={transportPages[0]}
      bodies={{
        rider: <RidersTab />,
        ...lists,
        slab: withCopying(lists.slab),
        'slab-price': withCopying(lists['slab-price']),
      }}
      above={
        <>
          <TransportTiles />
          <ChargeNotice />
        </>
      }
    />
  );
}
