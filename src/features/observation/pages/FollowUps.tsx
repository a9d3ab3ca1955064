import { Trans, useLingui } from '@lingui/react/macro';
import { useRead } from '#kit/browser/data/read.ts';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { CardTable } from '#kit/browser/ui/CardTable.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Overdue } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { noteApi, type ShownNote } from '../contract/note.ts';
import { followUpStates } from '../contract/words.ts';

type FollowUp = ShownNote['followUps'][number];
type Revealed = OutputOf<typeof noteApi.reveal>;

/** What follows a note: the action, its owner and its day. */
export function FollowUps({ note, revealed }: { note: ShownNote; revealed: Revealed | undefined }) {
  const { t } = useLingui();
  const followUps = note.followUps.map((one) => ({
    ...one,
    remark: one.remark ?? revealed?.followUps.find(({ id }) => id === one.id)?.remark ?? null,
  }));
  return (
    <RecordCard
      isWide
      title={<Trans>Follow-ups</Trans>}
      actions={
        note.may.followUp && (
          <FormOpener title={t`Add a follow-up`} label={<Trans>Add</Trans>}>
            {(onClose) => <AddFollowUp note={note} onClose={onClose} />}
          </FormOpener>
        )
      }
    >
      {followUps.length === 0 ? (
        <EmptyState message={<Trans>No follow-up.</Trans>} />
      ) : (
        <CardTable
          caption={t`Follow-ups`}
          heads={[t`Action`, t`Owner`, t`Due on`, t`State`, t`Remark`]}
          rows={followUps.map((one) => ({
            key: one.id,
            cells: [
              one.action,
              one.owner,
              <Due key="due" followUp={one} />,
              translateOption(one.state),
              one.remark ?? t`Restricted`,
            ],
            actions: one.mayChange && (
              <FormOpener title={t`Change the follow-up ${one.action}`} label={<Trans>Change</Trans>}>
                {(onClose) => <ChangeFollowUp note={note} followUp={one} onClose={onClose} />}
              </FormOpener>
            ),
          }))}
        />
      )}
    </RecordCard>
  );
}

const Due = ({ followUp: { dueOn, isOverdue } }: { followUp: FollowUp }) =>
  isOverdue ? <Overdue>{showDate(dueOn)}</Overdue> : showDate(dueOn);

/** The people a follow-up of this note may belong to. */
function useOwners({ studentId, reach }: ShownNote) {
  const { data } = useRead(noteApi.reader, { students: String(studentId), reach });
  return (data?.owners ?? []).map(({ id, name }) => ({ value: String(id), label: name }));
}

function AddFollowUp({ note, onClose }: { note: ShownNote; onClose: () => void }) {
  const { t } = useLingui();
  const owners = useOwners(note);
  const { data } = useRead(noteApi.offer, {});
  if (!data) return null;
  return (
    <RecordForm
      title={t`Add a follow-up`}
      endpoint={noteApi.addFollowUp}
      initial={{ actionId: '', ownerId: '', dueOn: data.dueOn }}
      hiddenValues={{ id: note.id }}
      onClose={onClose}
    >
      <SelectField name="actionId" options={data.actions.map(({ id, name }) => ({ value: String(id), label: name }))} />
      <SelectField name="ownerId" options={owners} />
      <DateField name="dueOn" toward="future" />
    </RecordForm>
  );
}

function ChangeFollowUp({ note, followUp, onClose }: { note: ShownNote; followUp: FollowUp; onClose: () => void }) {
  const { t } = useLingui();
  const owners = useOwners(note);
  const { id, version, owner, ownerId } = followUp;
  const own = { value: String(ownerId), label: owner };
  return (
    <RecordForm
      title={t`Change the follow-up`}
      about={followUp.action}
      endpoint={noteApi.changeFollowUp}
      initial={{
        state: followUp.state,
        ownerId: String(ownerId),
        dueOn: followUp.dueOn,
        remark: followUp.remark ?? '',
      }}
      hiddenValues={{ id, version }}
      onClose={onClose}
    >
      <SelectField name="state" options={followUpStates} />
      <SelectField
        name="ownerId"
        options={owners.some(({ value }) => value === own.value) ? owners : [own, ...owners]}
      />
      <DateField name="dueOn" toward="future" />
      <TextField name="remark" long />
    </RecordForm>
  );
}
