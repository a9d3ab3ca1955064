import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { StaffPicker } from '#features/staff/ui/StaffPicker.tsx';
import { useAction } from '#kit/browser/data/action.ts';
import { useReadList } from '#kit/browser/data/read.ts';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { holdReasonMaster, type Priority, priorities } from '../contract/masters.ts';
import { type TicketRecord, ticketApi } from '../contract/ticket.ts';
import { CannedReply } from './CannedReply.tsx';

export const formWords = [
  'hold',
  'resolve',
  'priority',
  'transfer',
  'confirm',
  'reopen',
  'cancel',
  'confidential',
] as const;
export type FormWord = (typeof formWords)[number];

interface Props {
  record: TicketRecord;
  /** What the message of an act offers where it can be undone. */
  undo: ReturnType<typeof useUndo>['actions'];
  onClose: () => void;
}

/** What the ticket says since the form was opened: somebody else was faster, and nothing typed is lost. */
function useNewer(record: TicketRecord): { onStale: () => void; notice: ReactNode } {
  const [seen] = useState(record.talk.length);
  const [isStale, setStale] = useState(false);
  const said = record.talk.slice(seen);
  return {
    onStale: () => setStale(true),
    notice: isStale && (
      <Notice role="status" as="div">
        <p>
          <Trans>The ticket has changed since you opened this form. Read it, then send again.</Trans>
        </p>
        {said.map(({ key, by, at, body }) => (
          <p key={key}>
            <strong>{by}</strong> <span className="soft">{showMoment(at)}</span> {body}
          </p>
        ))}
      </Notice>
    ),
  };
}

/** Undoes an act as long as its message is shown. */
export function useUndo() {
  const { t } = useLingui();
  const undo = useAction(ticketApi.undo);
  return {
    problem: undo.problem,
    actions: (done: { id: number; version: number }) => [{ label: t`Undo`, act: () => void undo.run(done) }],
  };
}

function HoldForm({ record, undo, onClose }: Props) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Put on hold`}
      about={t`The solution clock stops until the ticket is resumed.`}
      endpoint={ticketApi.hold}
      initial={{ reasonId: '', note: '' }}
      hiddenValues={{ id: record.id, version: record.version }}
      words={<Trans>Put on hold</Trans>}
      saved={t`On hold.`}
      actions={undo}
      {...useNewer(record)}
      onClose={onClose}
    >
      <OptionField name="reasonId" options={holdReasonMaster.api.options} />
      <TextField name="note" />
    </RecordForm>
  );
}

function ResolveForm({ record, onClose }: Props) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Resolve`}
      endpoint={ticketApi.resolve}
      initial={{ text: '' }}
      hiddenValues={{ id: record.id, version: record.version }}
      words={<Trans>Resolve</Trans>}
      saved={null}
      {...useNewer(record)}
      onClose={onClose}
    >
      <TextField name="text" long takesFocus />
      <CannedReply name="text" />
    </RecordForm>
  );
}

function NewDue({ id, priority }: { id: number; priority: string }) {
  const { data } = useReadList(ticketApi.dueAt, { id, priority: priority as Priority });
  if (!data) return null;
  const { resolutionDueAt, isOverdue } = data;
  if (resolutionDueAt === null) return null;
  return (
    <p className="soft" role="status">
      <Trans>To solve by {showMoment(resolutionDueAt)}.</Trans>{' '}
      {isOverdue && <Trans>The ticket would be overdue at once.</Trans>}
    </p>
  );
}

function PriorityForm({ record, onClose }: Props) {
  const { t } = useLingui();
  const [priority, setPriority] = useState('');
  return (
    <RecordForm
      title={t`Change the priority`}
      endpoint={ticketApi.setPriority}
      initial={{ priority: '', reason: '' }}
      hiddenValues={{ id: record.id, version: record.version }}
      saved={null}
      status={priority !== '' && <NewDue id={record.id} priority={priority} />}
      {...useNewer(record)}
      onClose={onClose}
    >
      <RadioField
        name="priority"
        options={priorities.filter((word) => word !== record.priority)}
        onChange={setPriority}
      />
      <TextField name="reason" />
    </RecordForm>
  );
}

function TransferForm({ record, undo, onClose }: Props) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Transfer`}
      about={t`The ticket’s due times don’t change.`}
      endpoint={ticketApi.transfer}
      initial={{ staffId: '', departmentId: '', reason: '' }}
      hiddenValues={{ id: record.id, version: record.version }}
      words={<Trans>Transfer</Trans>}
      saved={t`Transferred.`}
      actions={undo}
      {...useNewer(record)}
      onClose={onClose}
    >
      <StaffPicker name="staffId" />
      {!record.isConfidential && <OptionField name="departmentId" options={ticketApi.departments} />}
      <TextField name="reason" />
    </RecordForm>
  );
}

function ConfirmForm({ record: { id }, onClose }: Props) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Confirm the solution`}
      endpoint={ticketApi.confirm}
      initial={{ rating: '' }}
      hiddenValues={{ id }}
      words={<Trans>Confirm and close</Trans>}
      saved={null}
      onClose={onClose}
    >
      <SelectField
        name="rating"
        options={[5, 4, 3, 2, 1].map((stars) => ({ value: String(stars), label: t`${stars} of 5 stars` }))}
      />
    </RecordForm>
  );
}

function ReopenForm({ record: { id }, onClose }: Props) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Reopen`}
      endpoint={ticketApi.reopen}
      initial={{ reason: '' }}
      hiddenValues={{ id }}
      words={<Trans>Reopen</Trans>}
      saved={null}
      onClose={onClose}
    >
      <TextField name="reason" takesFocus />
    </RecordForm>
  );
}

function CancelForm({ record, onClose }: Props) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Cancel the ticket`}
      about={t`This can’t be undone.`}
      endpoint={ticketApi.cancel}
      initial={{ reason: '' }}
      hiddenValues={{ id: record.id, version: record.version }}
      words={<Trans>Cancel the ticket</Trans>}
      saved={null}
      {...useNewer(record)}
      onClose={onClose}
    >
      <TextField name="reason" takesFocus />
    </RecordForm>
  );
}

function ConfidentialForm({ record, onClose }: Props) {
  const { t } = useLingui();
  const { isConfidential } = record;
  return (
    <RecordForm
      title={isConfidential ? t`End the confidentiality` : t`Make confidential`}
      about={
        isConfidential
          ? t`The department and the principal can read the ticket then.`
          : t`Then only the person who raised it, the assignee and added readers can read it.`
      }
      endpoint={ticketApi.setConfidential}
      initial={{}}
      hiddenValues={{ id: record.id, version: record.version, isConfidential: !isConfidential }}
      words={isConfidential ? <Trans>End the confidentiality</Trans> : <Trans>Make confidential</Trans>}
      saved={null}
      {...useNewer(record)}
      onClose={onClose}
    >
      {null}
    </RecordForm>
  );
}

/** The form of an act on a ticket, in a panel. */
export function ActForm({ word, ...props }: Props & { word: FormWord }) {
  switch (word) {
    case 'hold':
      return <HoldForm {...props} />;
    case 'resolve':
      return <ResolveForm {...props} />;
    case 'priority':
      return <PriorityForm {...props} />;
    case 'transfer':
      return <TransferForm {...props} />;
    case 'confirm':
      return <ConfirmForm {...props} />;
    case 'reopen':
      return <ReopenForm {...props} />;
    case 'cancel':
      return <CancelForm {...props} />;
    case 'confidential':
      return <ConfidentialForm {...props} />;
  }
}

/** The words of the buttons. */
export function ActWords({ word, record }: { word: FormWord; record: TicketRecord }) {
  switch (word) {
    case 'hold':
      return <Trans>Hold…</Trans>;
    case 'resolve':
      return <Trans>Resolve…</Trans>;
    case 'priority':
      return <Trans>Priority…</Trans>;
    case 'transfer':
      return <Trans>Transfer…</Trans>;
    case 'confirm':
      return <Trans>Confirm and close…</Trans>;
    case 'reopen':
      return <Trans>Reopen…</Trans>;
    case 'cancel':
      return <Trans>Cancel the ticket…</Trans>;
    case 'confidential':
      return record.isConfidential ? <Trans>End the confidentiality…</Trans> : <Trans>Make confidential…</Trans>;
  }
}
