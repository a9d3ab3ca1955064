import { Trans, useLingui } from '@lingui/react/macro';
import type { StaffRecord } from '#features/staff/contract/record.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { rideApi } from '../contract/stop-change.ts';

/** The stops at which a member of staff rides today. */
export function StaffRideCard({ record }: { record: StaffRecord }) {
  const { t } = useLingui();
  const ride = useRead(rideApi.ride, {
    studentId: null,
    staffId: record.id,
    day: today(),
    pickupStopId: null,
    dropStopId: null,
  });
  return (
    <RecordCard title={t`Transport`}>
      <QueryBoundary query={ride}>
        {({ ride: found }) =>
          found ? (
            <Facts facts={[{ label: t`Stop`, value: found.words }]} />
          ) : (
            <p className="soft">
              <Trans>No seat on a bus today.</Trans>
            </p>
          )
        }
      </QueryBoundary>
    </RecordCard>
  );
}
