import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { showReaderDay } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { staffLeaveApi, staffLeaveMessages } from '../contract/leave.ts';

interface Leave {
  id: number;
  version: number;
  type: string;
  fromDay: string;
  toDay: string;
}

export const daysOf = ({ fromDay, toDay }: Pick<Leave, 'fromDay' | 'toDay'>) =>
  fromDay === toDay ? showReaderDay(fromDay) : `${showReaderDay(fromDay)} – ${showReaderDay(toDay)}`;

function CancelLeave({ leave, onClose }: { leave: Leave; onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const cancel = useAction(staffLeaveApi.cancel);
  const days = daysOf(leave);
  return (
    <AskDialog
      title={t`Cancel the leave of ${days}?`}
      confirm={<Trans>Cancel leave</Trans>}
      cancel={<Trans>Keep leave</Trans>}
      isBad
      problem={cancel.problem}
      onClose={onClose}
      onConfirm={async (close) => {
        if (!(await cancel.run({ id: leave.id, version: leave.version }))) return;
        close();
        toast({ kind: 'success', title: t`The leave was cancelled.` });
      }}
    >
      {leave.type}
    </AskDialog>
  );
}

function BackEarlier({ leave, onClose }: { leave: Leave; onClose: () => void }) {
  const { t } = useLingui();
  const days = daysOf(leave);
  return (
    <RecordForm
      title={t`Back earlier`}
      about={t`Leave of ${days}`}
      endpoint={staffLeaveApi.shorten}
      initial={{ lastDay: '' }}
      hiddenValues={{ id: leave.id, version: leave.version }}
      onClose={onClose}
    >
      <DateField name="lastDay" hasQuickDays />
    </RecordForm>
  );
}

function AddPaper({ leave, onClose }: { leave: Leave; onClose: () => void }) {
  const { t } = useLingui();
  const days = daysOf(leave);
  return (
    <RecordForm
      title={t`Paper of the leave of ${days}`}
      endpoint={staffLeaveApi.savePaper}
      initial={{}}
      hiddenValues={{ id: leave.id }}
      validate={(_, files): FieldErrors => (files.paper ? {} : { paper: staffLeaveMessages.noPaper })}
      status={<UploadStatus />}
      onClose={onClose}
    >
      <UploadField name="paper" hint={<Trans>PDF, PNG or JPG, at most 2 MB.</Trans>} />
    </RecordForm>
  );
}

/** What is open over a list of leave. */
export type LeaveAct<Of extends Leave = Leave> = { what: 'cancel' | 'back' | 'paper'; leave: Of };

export function OpenAct({ open, onClose }: { open: LeaveAct | undefined; onClose: () => void }) {
  if (open?.what === 'cancel') return <CancelLeave leave={open.leave} onClose={onClose} />;
  if (open?.what === 'back') return <BackEarlier leave={open.leave} onClose={onClose} />;
  if (open?.what === 'paper') return <AddPaper leave={open.leave} onClose={onClose} />;
  return null;
}
