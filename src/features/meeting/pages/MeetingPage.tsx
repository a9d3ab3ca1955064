import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons, FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { type Meeting, meetingApi, meetingList, planFields } from '../contract/meeting.ts';
import { Hosts } from './Hosts.tsx';
import { stateKinds } from './state-kinds.ts';

/** /school-erp/meeting/meeting-list/{meetingID}: the teachers of a meeting, their times and who booked them. */
export function MeetingPage() {
  const { meetingID } = useParams({ strict: false }) as { meetingID: string };
  const { t } = useLingui();
  const meeting = useRead(meetingApi.read, { id: meetingID });
  return (
    <>
      {meeting.error && !meeting.data && <PageHead title={t`Meeting`} />}
      <QueryBoundary query={meeting}>{(found) => <Record key={found.id} meeting={found} />}</QueryBoundary>
    </>
  );
}

function Record({ meeting }: { meeting: Meeting }) {
  const { t } = useLingui();
  const { id, name, day, sections, state, reason } = meeting;
  return (
    <RecordPage
      title={name}
      of={{ list: meetingList, id, page: '/school-erp/meeting/meeting-list', title: t`Meetings` }}
      about={[showDate(day), sections].join(' · ')}
      chips={<Status kind={stateKinds[state]}>{reason || translateOption(state)}</Status>}
      actions={<Acts meeting={meeting} />}
      parts={[
        {
          key: 'teachers',
          title: t`Teachers`,
          cards: [<Hosts key="hosts" meeting={meeting} />, <Plan key="plan" meeting={meeting} />],
        },
      ]}
    />
  );
}

function Plan({ meeting }: { meeting: Meeting }) {
  const { t } = useLingui();
  const { minutes, gap, walk, booksUntil, isApart, branch } = meeting;
  return (
    <RecordCard title={t`Plan`}>
      <Facts
        facts={[
          { label: t`Branch`, value: branch },
          { label: t`Booking until`, value: showDate(booksUntil) },
          { label: t`Minutes for each talk`, value: String(minutes) },
          { label: t`Minutes between talks`, value: String(gap) },
          { label: t`Minutes to the next teacher`, value: String(walk) },
          { label: t`Each parent apart`, value: isApart ? t`Yes` : t`No` },
        ]}
      />
    </RecordCard>
  );
}

function Acts({ meeting }: { meeting: Meeting }) {
  const { t } = useLingui();
  const toast = useToast();
  const download = useDownload();
  const paper = useAttempt();
  const open = usePreview(meetingApi.open);
  const { id, version, name, day, state, may, minutes, gap, walk, booksUntil, isApart } = meeting;
  const shown = open.shown?.answer;
  return (
    <>
      {may.print && (
        <Button
          isBusy={paper.isBusy}
          onClick={() => void paper.attempt(() => download(meetingApi.sheet, { id }, `meeting-${day}.pdf`))}
        >
          <Trans>Print times</Trans>
        </Button>
      )}
      {paper.problem}
      {may.change && state === 'Draft' && (
        <FormOpener title={t`Change ${name}`} label={<Trans>Change</Trans>} kind="plain">
          {(onClose) => (
            <RecordForm
              title={t`Change meeting`}
              endpoint={meetingApi.update}
              initial={{
                name,
                booksUntil,
                minutes: String(minutes),
                gap: String(gap),
                walk: String(walk),
                isApart,
              }}
              hiddenValues={{ id, version }}
              onClose={onClose}
            >
              <FieldControls fields={planFields} />
            </RecordForm>
          )}
        </FormOpener>
      )}
      {may.cancel && <Cancel meeting={meeting} />}
      {may.open && (
        <Button kind="main" isBusy={open.isBusy} onClick={() => void open.show({ id, version })}>
          <Trans>Open for booking…</Trans>
        </Button>
      )}
      {!open.shown && open.problem}
      <PreviewDialog
        preview={open}
        title={t`Open ${name} for booking?`}
        confirm={<Trans>Open</Trans>}
        details={
          shown &&
          shown.unreached > 0 && (
            <Plural
              value={shown.unreached}
              one="# guardian has no way to be reached; the office can book for the family."
              other="# guardians have no way to be reached; the office can book for these families."
            />
          )
        }
        onApplied={() => toast({ kind: 'success', title: t`Open. The families get a message.` })}
      >
        {shown && (
          <Trans>
            {shown.times} times for {shown.children} children. {shown.guardians} guardians get a message.
          </Trans>
        )}
      </PreviewDialog>
    </>
  );
}

function Cancel({ meeting: { id, version, name } }: { meeting: Meeting }) {
  const { t } = useLingui();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const cancel = usePreview(meetingApi.cancel);
  const shown = cancel.shown?.answer;
  const title = t`Cancel ${name}`;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Cancel the meeting…</Trans>
      </Button>
      {isOpen && (
        <SideDialog title={title} onClose={() => setOpen(false)}>
          {(close) => (
            <ApiForm
              endpoint={meetingApi.cancel}
              label={title}
              initial={{ reason: '' }}
              hiddenValues={{ id, version }}
              onDone={(answer, input) => cancel.take(input, answer)}
              buttons={(isSending) => (
                <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />
              )}
            >
              <TextField name="reason" />
            </ApiForm>
          )}
        </SideDialog>
      )}
      <PreviewDialog
        preview={cancel}
        title={title}
        confirm={<Trans>Cancel the meeting</Trans>}
        onApplied={() => {
          setOpen(false);
          toast({ kind: 'success', title: t`Cancelled. The families get a message.` });
        }}
      >
        {shown && (
          <Trans>
            {shown.booked} booked times end. {shown.guardians} guardians get a message.
          </Trans>
        )}
      </PreviewDialog>
    </>
  );
}
