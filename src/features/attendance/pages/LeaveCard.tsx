import { Trans, useLingui } from '@lingui/react/macro';
import type { StudentHead } from '#features/student/contract/record.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { UploadField } from '#kit/browser/form/UploadField.tsx';
import { UploadStatus } from '#kit/browser/form/UploadProgress.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { FieldErrors } from '#kit/contract/errors.ts';
import { type LeaveOfChild, leaveApi, leaveMessages } from '../contract/leave.ts';
import { LeaveForm } from './LeaveForm.tsx';
import { stateKinds } from './leave-states.ts';

/** The leave of a student with its papers. */
export function LeaveCard({ record: { id, name, status } }: { record: StudentHead }) {
  const { t } = useLingui();
  const query = useRead(leaveApi.ofStudent, { id });
  const add = status === 'Active' && (
    <FormOpener title={t`Add leave`} label={<Trans>Add leave</Trans>}>
      {(onClose) => <LeaveForm student={{ studentId: id, name }} onClose={onClose} />}
    </FormOpener>
  );
  return (
    <RecordCard isWide isEmpty={query.data?.leaves.length === 0} title={<Trans>Leave</Trans>} actions={add}>
      <QueryBoundary query={query}>
        {({ leaves }) =>
          leaves.length === 0 ? (
            <EmptyState message={<Trans>No leave yet.</Trans>} />
          ) : (
            <ListRows
              caption={t`Leave`}
              heads={[t`Days`, t`School days`, t`Kind`, t`Reason`, t`State`]}
              rows={leaves.map((leave) => ({
                key: leave.id,
                cells: [
                  daysOf(leave),
                  leave.half === 'Whole day' ? leave.days : `${leave.days}, ${translateOption(leave.half)}`,
                  leave.isByFamily ? t`${translateOption(leave.kind)}, by the family` : translateOption(leave.kind),
                  leave.reason,
                  <Status key="state" kind={stateKinds[leave.state]}>
                    {translateOption(leave.state)}
                  </Status>,
                ],
                actions: <Paper leave={leave} />,
              }))}
            />
          )
        }
      </QueryBoundary>
    </RecordCard>
  );
}

const daysOf = ({ fromDay, toDay }: LeaveOfChild) =>
  fromDay === toDay ? showDate(fromDay) : `${showDate(fromDay)} – ${showDate(toDay)}`;

function Paper({ leave }: { leave: LeaveOfChild }) {
  const { t } = useLingui();
  const download = useDownload();
  const { attempt, isBusy, problem } = useAttempt();
  const { id, hasPaper } = leave;
  const days = daysOf(leave);
  return (
    <>
      {hasPaper && (
        <Button
          kind="link"
          isBusy={isBusy}
          aria-label={t`Paper of the leave of ${days}`}
          onClick={() => attempt(() => download(leaveApi.paper, { id }, t`leave-paper`))}
        >
          <Trans>Paper</Trans>
        </Button>
      )}
      <FormOpener
        title={hasPaper ? t`Replace the paper of the leave of ${days}` : t`Add a paper to the leave of ${days}`}
        label={hasPaper ? <Trans>Replace…</Trans> : <Trans>Add paper…</Trans>}
      >
        {(onClose) => (
          <RecordForm
            title={t`Paper of the leave of ${days}`}
            endpoint={leaveApi.savePaper}
            initial={{}}
            hiddenValues={{ id }}
            validate={(_, files): FieldErrors => (files.paper ? {} : { paper: leaveMessages.noPaper })}
            status={<UploadStatus />}
            onClose={onClose}
          >
            <UploadField name="paper" hint={<Trans>PDF, PNG or JPG, at most 2 MB.</Trans>} />
          </RecordForm>
        )}
      </FormOpener>
      {problem}
    </>
  );
}
