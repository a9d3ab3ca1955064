import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type LeaveState, leaveApi, leaveList } from '../contract/leave.ts';
import { LeaveForm } from './LeaveForm.tsx';
import { stateKinds } from './leave-states.ts';

type Leave = RowOf<typeof leaveList>;

/** /school-erp/attendance/student-leave: leave of the children that the user reaches. */
export function StudentLeavePage() {
  const { t } = useLingui();
  const [open, setOpen] = useState<'add' | Leave>();
  const close = () => setOpen(undefined);
  return (
    <>
      <PageHead title={t`Student Leave`} />
      <RecordList
        list={leaveList}
        open={(row) => (row.mayCancel ? () => setOpen(row) : undefined)}
        cells={{
          kind: ({ kind, isByFamily }) =>
            isByFamily ? t`${translateOption(String(kind))}, by the family` : translateOption(String(kind)),
          state: ({ state }) => <Status kind={stateKinds[state as LeaveState]}>{translateOption(state)}</Status>,
        }}
        onAdd={() => setOpen('add')}
        empty={{
          message: <Trans>No leave yet.</Trans>,
          children: (
            <Button kind="main" onClick={() => setOpen('add')}>
              <Trans>Add leave</Trans>
            </Button>
          ),
        }}
      />
      {open === 'add' && <LeaveForm onClose={close} />}
      {typeof open === 'object' && <CancelLeave leave={open} onClose={close} />}
    </>
  );
}

function CancelLeave({ leave, onClose }: { leave: Leave; onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const cancel = useAction(leaveApi.cancel);
  const { id, version, student, fromDay, toDay, state } = leave;
  return (
    <AskDialog
      title={t`Cancel the leave of ${student}?`}
      confirm={<Trans>Cancel leave</Trans>}
      cancel={<Trans>Keep leave</Trans>}
      isBad
      problem={cancel.problem}
      onClose={onClose}
      onConfirm={async (close) => {
        if (!(await cancel.run({ id, version }))) return;
        close();
        toast({ kind: 'success', title: t`The leave was cancelled.`, of: student ?? undefined });
      }}
    >
      {t`${showDate(fromDay)} to ${showDate(toDay)}.`}{' '}
      {state === 'Granted' && <Trans>The student is absent on these days in registers that are not locked.</Trans>}
    </AskDialog>
  );
}
