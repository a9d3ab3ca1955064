import { Trans, useLingui } from '@lingui/react/macro';
import type { StudentHead } from '#features/student/contract/record.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { languageKeys, languages } from '#kit/contract/languages.ts';
import { type LinkOfChild, linkApi } from '../contract/link.ts';
import { HandOver } from './HandOver.tsx';
import { LinkStatus } from './LinkStatus.tsx';

/** Who sees this child on the family page, and the links to it. */
export function FamilyLinkCard({ record }: { record: StudentHead }) {
  const { t } = useLingui();
  const links = useRead(linkApi.ofStudent, { id: record.id });
  return (
    <RecordCard isWide title={<Trans>Family page</Trans>}>
      <QueryBoundary query={links}>
        {({ guardians }) =>
          guardians.length === 0 ? (
            <EmptyState message={<Trans>No guardian yet.</Trans>} />
          ) : (
            <ListRows
              caption={t`Family page`}
              heads={[t`Name`, t`Sees`, t`Link`, t`Last opened`, t`Reads`]}
              rows={guardians.map((guardian) => ({
                key: guardian.id,
                cells: [
                  `${guardian.name}, ${guardian.relation}`,
                  <Sees key="sees" sees={guardian.sees} />,
                  <State key="state" {...guardian} />,
                  guardian.openedOn && showDate(guardian.openedOn),
                  guardian.language ? languages[guardian.language].name : '–',
                ],
                actions: isReader(guardian) ? <Acts studentId={record.id} guardian={guardian} /> : undefined,
              }))}
            />
          )
        }
      </QueryBoundary>
    </RecordCard>
  );
}

const isReader = ({ sees }: LinkOfChild) => sees === 'All' || sees === 'School matters';

function Sees({ sees }: Pick<LinkOfChild, 'sees'>) {
  const { t } = useLingui();
  const words: Record<LinkOfChild['sees'], string> = {
    All: t`Everything`,
    'School matters': t`School matters, without fees and bus`,
    Contact: t`Nothing: only a contact`,
    Barred: t`Nothing: barred from contact`,
    Deceased: t`Nothing: deceased`,
    'Not here': t`Nothing: the child is not here today`,
  };
  return words[sees];
}

function State({ state, until, revokedReason }: LinkOfChild) {
  const day = until && showDate(until);
  return (
    <>
      <LinkStatus state={state} />
      {state === 'Works' && (
        <div className="soft">
          <Trans>until {day}</Trans>
        </div>
      )}
      {state === 'Revoked' && <div className="soft">{revokedReason}</div>}
    </>
  );
}

/** Lets a guardian see less or everything of this child. */
function Reach({ studentId, guardian: { id, name, sees } }: { studentId: number; guardian: LinkOfChild }) {
  const { t } = useLingui();
  const setReach = useAction(linkApi.setReach);
  const isAll = sees === 'All';
  return (
    <>
      {setReach.problem}
      <ConfirmButton
        name={isAll ? t`Limit what ${name} sees` : t`Show everything to ${name}`}
        label={isAll ? <Trans>Limit…</Trans> : <Trans>Show everything…</Trans>}
        question={
          isAll ? (
            <Trans>Show {name} neither fees nor bus of this child?</Trans>
          ) : (
            <Trans>Show {name} fees and bus of this child too?</Trans>
          )
        }
        confirm={<Trans>Save</Trans>}
        onConfirm={() => void setReach.run({ id: studentId, guardianId: id, reach: isAll ? 'School matters' : 'All' })}
      />
    </>
  );
}

/** Sets the language in which a guardian is written to. */
function MessageLanguage({ guardian: { id, name, language, languageVersion } }: { guardian: LinkOfChild }) {
  const { t } = useLingui();
  const title = t`Language of messages to ${name}`;
  return (
    <FormOpener title={title} label={<Trans>Language…</Trans>}>
      {(onClose) => (
        <RecordForm
          title={title}
          endpoint={linkApi.setLanguage}
          initial={{ language }}
          hiddenValues={{ id, version: languageVersion }}
          onClose={onClose}
        >
          <SelectField
            name="language"
            options={languageKeys.map((value) => ({ value, label: languages[value].name }))}
          />
        </RecordForm>
      )}
    </FormOpener>
  );
}

function Acts({ studentId, guardian }: { studentId: number; guardian: LinkOfChild }) {
  const { t } = useLingui();
  const { id, name, state, hasContact } = guardian;
  const toast = useToast();
  const send = useAction(linkApi.send);
  const renew = useAction(linkApi.renew);
  const told = (done: unknown) => {
    if (done) toast({ kind: 'success', title: t`Sent.` });
  };
  return (
    <>
      {send.problem}
      {renew.problem}
      {hasContact ? (
        <Button kind="quiet" isBusy={send.isBusy} onClick={() => void send.run({ id, channel: 'SMS' }).then(told)}>
          <Trans>Send link</Trans>
        </Button>
      ) : (
        <span className="soft">
          <Trans>No email address and no mobile number</Trans>
        </span>
      )}
      <HandOver id={id} name={name} />
      <Reach studentId={studentId} guardian={guardian} />
      <MessageLanguage guardian={guardian} />
      {state === 'Works' && (
        <>
          <ConfirmButton
            name={t`New link for ${name}`}
            label={<Trans>New link</Trans>}
            question={<Trans>Send {name} a new link? The earlier one ends at once.</Trans>}
            confirm={<Trans>Send</Trans>}
            onConfirm={() => void renew.run({ id, channel: 'SMS' }).then(told)}
          />
          <FormOpener title={t`Revoke the link of ${name}`} label={<Trans>Revoke…</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`Revoke the link of ${name}`}
                words={<Trans>Revoke</Trans>}
                endpoint={linkApi.revoke}
                initial={{ reason: '' }}
                hiddenValues={{ id }}
                saved={t`Revoked.`}
                onClose={onClose}
              >
                <TextField name="reason" />
              </RecordForm>
            )}
          </FormOpener>
        </>
      )}
    </>
  );
}
