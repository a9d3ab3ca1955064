import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons } from '#kit/browser/form/RecordForm.tsx';
import { BulkAct } from '#kit/browser/list/BulkAct.tsx';
import { RecordList } from '#kit/browser/list/RecordList.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageLink, useServedNavigate } from '#kit/browser/ui/PageLink.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import type { Selection } from '#kit/contract/list-view.ts';
import { fleetApi } from '../contract/fleet.ts';
import { riderApi, riderList } from '../contract/rider.ts';
import { AssignForm } from './AssignForm.tsx';
import { NextYear } from './NextYear.tsx';
import { WishesNotice } from './WishesNotice.tsx';

const MoveStop = lazy(async () => ({ default: (await import('./MoveStop.tsx')).MoveStop }));

/** Who rides on which bus, by stop. */
export function RidersTab() {
  const navigate = useServedNavigate();
  const [isAdding, setAdding] = useState(false);
  const [isMoving, setMoving] = useState(false);
  const mayAssign = useMay(riderApi.assign);
  const nextYear = usePreview(fleetApi.nextYear);
  const add = mayAssign ? () => setAdding(true) : undefined;
  return (
    <>
      <WishesNotice mayAssign={mayAssign} />
      <NextYear preview={nextYear} />
      <RecordList
        list={riderList}
        open={({ kind, personId }) =>
          () => {
            const page = kind === 'Student' ? 'student/student-list' : 'staff/view-staff';
            void navigate({ href: `/school-erp/${page}/${personId}` });
          }}
        onAdd={add}
        more={
          mayAssign && (
            <>
              <Menu.Item onClick={() => setMoving(true)}>
                <Trans>Move the riders of a stop…</Trans>
              </Menu.Item>
              <Menu.Item onClick={() => void nextYear.show({})}>
                <Trans>Next year’s riders…</Trans>
              </Menu.Item>
            </>
          )
        }
        bulk={add && ((selection, clear) => <EndRides selection={selection} clear={clear} />)}
        empty={{
          message: <Trans>No riders here. Riders need stops, a vehicle and a route with a trip.</Trans>,
          children: (
            <>
              <PageLink to="/school-erp/transport/" search={{ tab: 'stop' }}>
                <Trans>Stops</Trans>
              </PageLink>{' '}
              <PageLink to="/school-erp/transport/vehicle">
                <Trans>Vehicles</Trans>
              </PageLink>{' '}
              <PageLink to="/school-erp/transport/route">
                <Trans>Routes</Trans>
              </PageLink>
            </>
          ),
        }}
      />
      {isMoving && (
        <Suspense fallback={null}>
          <MoveStop onClose={() => setMoving(false)} />
        </Suspense>
      )}
      {isAdding && <AssignForm onClose={() => setAdding(false)} />}
    </>
  );
}

function EndRides({ selection, clear }: { selection: Selection; clear: () => void }) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const preview = usePreview(riderApi.end);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>End…</Trans>
      </Button>
      {isOpen && (
        <SideDialog title={t`End the rides`} onClose={() => setOpen(false)}>
          {(close) => (
            <>
              <ApiForm
                endpoint={riderApi.end}
                label={t`End the rides`}
                initial={{ lastDay: today(), reason: '' }}
                hiddenValues={{ selection }}
                onDone={(answer, input) => preview.take(input, answer)}
                buttons={(isSending) => (
                  <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
                )}
              >
                <DateField name="lastDay" />
                <TextField name="reason" />
              </ApiForm>
              {preview.shown && <Unsaved />}
              <BulkAct
                preview={preview}
                title={t`End the rides`}
                effect={(count) => <Plural value={count} one="# ride ends." other="# rides end." />}
                confirm={<Trans>End</Trans>}
                done={t`Rides ended`}
                onApplied={() => {
                  close();
                  clear();
                }}
              />
            </>
          )}
        </SideDialog>
      )}
    </>
  );
}
