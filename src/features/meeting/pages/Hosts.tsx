import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons, FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { Alert } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { omit } from '#kit/contract/field.ts';
import { hostFields, type Meeting, type MeetingHost, meetingApi, whereFields } from '../contract/meeting.ts';
import { Slots } from './Slots.tsx';

/** The teachers of a meeting, each with room, times and how many are booked. */
export function Hosts({ meeting }: { meeting: Meeting }) {
  const { t } = useLingui();
  const { id, hosts, may, state } = meeting;
  const [shown, setShown] = useState<MeetingHost>();
  const [changed, setChanged] = useState<MeetingHost>();
  const [closed, setClosed] = useState<MeetingHost>();
  const remove = useAction(meetingApi.removeHost);
  const first = hosts[0];
  return (
    <RecordCard
      title={t`Teachers`}
      isWide
      actions={
        may.change && (
          <FormOpener title={t`Add a teacher`} label={<Trans>Add teacher</Trans>} kind="plain">
            {(onClose) => (
              <RecordForm
                title={t`Add a teacher`}
                endpoint={meetingApi.addHost}
                initial={{ staffId: '', from: first?.from ?? '09:00', to: first?.to ?? '12:00', roomId: '', place: '' }}
                hiddenValues={{ id }}
                onClose={onClose}
              >
                <FieldControls fields={hostFields} />
              </RecordForm>
            )}
          </FormOpener>
        )
      }
    >
      {remove.problem}
      {hosts.length === 0 ? (
        <EmptyState message={<Trans>No teachers yet. These sections have none on that day; add them.</Trans>} />
      ) : (
        <CardTable
          caption={t`Teachers`}
          heads={[t`Teacher`, t`Teaches`, t`Room`, t`Times`, t`Booked`, '']}
          rows={hosts.map((host) => ({
            key: host.id,
            cells: [
              state === 'Draft' ? (
                host.teacher
              ) : (
                <Button key="name" kind="quiet" onClick={() => setShown(host)}>
                  {host.teacher}
                </Button>
              ),
              [host.isClassTeacher && t`Class teacher`, host.subjects].filter(Boolean).join(' · '),
              host.isClosed ? (
                <Alert key="closed" kind="warn">
                  {host.reason}
                </Alert>
              ) : (
                host.place
              ),
              `${host.from}–${host.to}`,
              state === 'Draft' ? '' : t`${host.booked} of ${host.times}`,
              may.change && !host.isClosed && (
                <RowMenu key="menu" name={host.teacher}>
                  {(from) => (
                    <>
                      <Menu.Item onClick={from(() => setChanged(host))}>
                        {state === 'Draft' ? <Trans>Change times or room…</Trans> : <Trans>Change room…</Trans>}
                      </Menu.Item>
                      {state === 'Open' && (
                        <Menu.Item onClick={from(() => setClosed(host))}>
                          <Trans>Cancel the times…</Trans>
                        </Menu.Item>
                      )}
                      {host.booked === 0 && (
                        <Menu.Item onClick={() => void remove.run({ id: host.id })}>
                          <Trans>Remove</Trans>
                        </Menu.Item>
                      )}
                    </>
                  )}
                </RowMenu>
              ),
            ],
          }))}
        />
      )}
      {shown && <Slots host={shown} mayBook={may.book} onClose={() => setShown(undefined)} />}
      {changed && (
        <RecordForm
          title={t`Change ${changed.teacher}`}
          endpoint={meetingApi.changeHost}
          initial={{
            from: changed.from,
            to: changed.to,
            roomId: changed.roomId === null ? '' : String(changed.roomId),
            place: changed.roomId === null ? changed.place : '',
          }}
          hiddenValues={{ id: changed.id }}
          onClose={() => setChanged(undefined)}
        >
          <FieldControls fields={state === 'Draft' ? omit(hostFields, 'staffId') : whereFields} />
        </RecordForm>
      )}
      {closed && <CloseTimes host={closed} onClose={() => setClosed(undefined)} />}
    </RecordCard>
  );
}

function CloseTimes({ host: { id, teacher }, onClose }: { host: MeetingHost; onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(meetingApi.closeHost);
  const shown = preview.shown?.answer;
  const title = t`Cancel the times of ${teacher}`;
  return (
    <>
      <SideDialog title={title} onClose={onClose}>
        {(close) => (
          <ApiForm
            endpoint={meetingApi.closeHost}
            label={title}
            initial={{ reason: '' }}
            hiddenValues={{ id }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <TextField name="reason" />
          </ApiForm>
        )}
      </SideDialog>
      <PreviewDialog
        preview={preview}
        title={title}
        confirm={<Trans>Cancel the times</Trans>}
        onApplied={() => {
          onClose();
          toast({ kind: 'success', title: t`Cancelled. The families get a message.`, of: teacher });
        }}
      >
        {shown && (
          <Trans>
            {shown.booked} booked times end. {shown.guardians} guardians get a message and may book again.
          </Trans>
        )}
      </PreviewDialog>
    </>
  );
}
