import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { MasterPage } from '#kit/browser/master/MasterPage.tsx';
import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import type { MasterRow } from '#kit/contract/master.ts';
import { fleetApi, moveFields } from '../contract/fleet.ts';
import { vehicleAwayMaster, vehicleDocumentMaster, vehicleMaster } from '../contract/masters.ts';
import { transportPages } from '../contract/pages.ts';
import { paperFields, papersApi } from '../contract/papers.ts';
import { addedDays } from './days.ts';
import { PaperFile } from './PaperFile.tsx';
import { OtherVehicle, RidersForm } from './RidersForm.tsx';

/** /school-erp/transport/vehicle: the fleet and its papers. */
export function VehiclePage() {
  const { t } = useLingui();
  const mayChange = useMay(vehicleMaster.api.create);
  const [moving, setMoving] = useState<MasterRow>();
  const [paper, setPaper] = useState<MasterRow>();
  const [papersOf, setPapersOf] = useState<MasterRow>();
  return (
    <>
      <MastersPage
        page={transportPages[2]}
        bodies={{
          vehicle: (
            <MasterPage
              key="vehicle"
              master={vehicleMaster}
              isReadOnly={!mayChange}
              extraActions={(row, from) =>
                mayChange && (
                  <>
                    <Menu.Item onClick={from(() => setPapersOf(row))}>
                      <Trans>Add documents…</Trans>
                    </Menu.Item>
                    <Menu.Item onClick={from(() => setMoving(row))}>
                      <Trans>Move its trips…</Trans>
                    </Menu.Item>
                  </>
                )
              }
            />
          ),
          'vehicle-document': (
            <MasterPage
              key="vehicle-document"
              master={vehicleDocumentMaster}
              isReadOnly={!mayChange}
              extraActions={(row, from) => (
                <Menu.Item onClick={from(() => setPaper(row))}>
                  <Trans>File…</Trans>
                </Menu.Item>
              )}
            />
          ),
          'vehicle-away': <MasterPage key="vehicle-away" master={vehicleAwayMaster} isReadOnly={!mayChange} />,
        }}
      />
      {moving && (
        <RidersForm
          title={t`Move the trips of ${moving.displayName}`}
          about={t`Drivers and attendants keep their trips.`}
          endpoint={fleetApi.move}
          initial={{ ...emptyValuesOf(moveFields), effectiveFrom: addedDays(today(), 1) }}
          hiddenValues={{ id: moving.id }}
          words={<Trans>Move</Trans>}
          question={t`Move riders to another vehicle?`}
          effect={(count) => <OtherVehicle count={count} />}
          saved={t`Trips of ${moving.displayName} moved.`}
          onClose={() => setMoving(undefined)}
        >
          <FieldControls fields={moveFields} />
        </RidersForm>
      )}
      {papersOf && (
        <RecordForm
          title={t`Documents of ${papersOf.displayName}`}
          about={t`Leave missing documents empty. A vehicle gets trips once it has all five.`}
          endpoint={papersApi.addPapers}
          initial={emptyValuesOf(paperFields)}
          hiddenValues={{ id: papersOf.id }}
          saved={t`Documents of ${papersOf.displayName} added.`}
          onClose={() => setPapersOf(undefined)}
        >
          <FieldControls fields={paperFields} />
        </RecordForm>
      )}
      {paper && <PaperFile row={paper} mayChange={mayChange} onClose={() => setPaper(undefined)} />}
    </>
  );
}
