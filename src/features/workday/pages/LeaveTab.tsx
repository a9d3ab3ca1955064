import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { type StaffLeaveState, staffLeaveApi, staffLeaveList } from '../contract/leave.ts';
import { type LeaveAct, OpenAct } from './acts.tsx';
import { LeaveActs } from './LeaveActs.tsx';
import { EnterLeave } from './LeaveForm.tsx';
import { stateKinds } from './states.ts';

type Leave = RowOf<typeof staffLeaveList>;

/** The leave of the staff, for HR. */
export function LeaveTab() {
  const mayEnter = useMay(staffLeaveApi.enter);
  const [isAdding, setAdding] = useState(false);
  const [open, setOpen] = useState<LeaveAct<Leave>>();
  return (
    <>
      {mayEnter && <LeaveActs />}
      <RecordList
        list={staffLeaveList}
        open={({ staffId }) => ({ to: '/school-erp/staff/view-staff/$userID', params: { userID: String(staffId) } })}
        cells={{
          state: ({ state }) => <Status kind={stateKinds[state as StaffLeaveState]}>{translateOption(state)}</Status>,
        }}
        actions={(leave, from) => (
          <>
            {leave.may.shorten && (
              <Menu.Item onClick={from(() => setOpen({ what: 'back', leave }))}>
                <Trans>Back earlier…</Trans>
              </Menu.Item>
            )}
            {leave.may.paper && (
              <Menu.Item onClick={from(() => setOpen({ what: 'paper', leave }))}>
                <Trans>Add paper…</Trans>
              </Menu.Item>
            )}
            {leave.may.cancel && (
              <Menu.Item onClick={from(() => setOpen({ what: 'cancel', leave }))}>
                <Trans>Cancel…</Trans>
              </Menu.Item>
            )}
          </>
        )}
        {...(mayEnter && { onAdd: () => setAdding(true) })}
        empty={{ message: <Trans>No leave here.</Trans> }}
      />
      {isAdding && <EnterLeave onClose={() => setAdding(false)} />}
      <OpenAct open={open} onClose={() => setOpen(undefined)} />
    </>
  );
}
