import { lazy, type ReactNode, Suspense } from 'react';
import { WaitingChanges } from '#features/fee-price/ui/WaitingChanges.tsx';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { fleetApi } from '../contract/fleet.ts';
import { crewMaster, slabMaster, slabPriceMaster, stopMaster } from '../contract/masters.ts';
import { transportPages } from '../contract/pages.ts';
import { ChargeNotice } from './ChargeNotice.tsx';
import { CopyPricesButton } from './CopyPrices.tsx';
import { RidersTab } from './RidersTab.tsx';
import { TransportTiles } from './TransportTiles.tsx';

const TodayTab = lazy(async () => ({ default: (await import('./TodayTab.tsx')).TodayTab }));

/** Prices that count once a second person has approved them. */
function WaitingPrices() {
  const { data } = useRead(fleetApi.waitingPrices, {});
  return <WaitingChanges changes={data?.rows ?? []} isNamed />;
}

/** /school-erp/transport/: riders, stops, what they cost, and drivers and attendants. */
export function TransportMasterPage() {
  const mayChange = useMay(stopMaster.api.create);
  const { address } = useListAddress();
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
        today: (
          <Suspense fallback={null}>
            <TodayTab />
          </Suspense>
        ),
        rider: <RidersTab />,
        ...lists,
        slab: withCopying(lists.slab),
        'slab-price': withCopying(
          <>
            <WaitingPrices />
            {lists['slab-price']}
          </>,
        ),
      }}
      above={
        // In the morning the buses of the day come first, on a phone too.
        address.tab !== 'today' && (
          <>
            <TransportTiles />
            <ChargeNotice />
          </>
        )
      }
    />
  );
}
