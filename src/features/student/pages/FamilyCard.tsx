import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import type { Values } from '#kit/browser/form/form-context.ts';
import { FormOpener, type Newer, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { differencesOf, type SavedVersion, typedOf } from '#kit/browser/record/versions.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { adultFields, type Guardian, guardianApi, linkFields } from '../contract/guardian.ts';
import type { StudentHead } from '../contract/record.ts';
import { AlikeGuardians } from './AlikeGuardians.tsx';

const allFields = { ...adultFields, ...linkFields };

/** The adults of a student: who they are, whom to call first, and who may not come near the child. */
export function FamilyCard({ head }: { head: StudentHead }) {
  const { t } = useLingui();
  const [linked, setLinked] = useState<{ name: string; kept: string }>();
  const family = useRead(guardianApi.family, { id: head.id });
  const { id, may } = head;
  const add = may.change && (
    <FormOpener title={t`Add guardian`} label={<Trans>Add</Trans>}>
      {(onClose) => (
        <RecordForm
          title={t`Add guardian`}
          words={<Trans>Add</Trans>}
          endpoint={guardianApi.add}
          initial={{
            ...emptyValuesOf(allFields),
            role: 'Parent',
            knownId: null,
            isNewAdult: false,
            contactOrder: String(Math.min((family.data?.guardians.length ?? 0) + 1, 9)),
          }}
          hiddenValues={{ id }}
          saved={t`Added.`}
          onDone={({ known, kept }) =>
            setLinked(known ? { name: known, kept: kept.map(translate).join(', ') } : undefined)
          }
          onClose={onClose}
        >
          <FieldControls fields={adultFields} after={{ mobile: <AlikeGuardians /> }} />
          <FieldControls fields={linkFields} />
        </RecordForm>
      )}
    </FormOpener>
  );
  return (
    <RecordCard isWide title={<Trans>Family</Trans>} actions={add}>
      {linked && (
        <Notice role="status">
          <Trans>{linked.name} was already on record and is now linked.</Trans>{' '}
          {linked.kept && <Trans>Kept as stored: {linked.kept}. Edit the guardian to change it.</Trans>}
        </Notice>
      )}
      <QueryBoundary query={family}>
        {({ guardians }) =>
          guardians.length === 0 ? (
            <EmptyState message={<Trans>No guardian yet.</Trans>} />
          ) : (
            <ListRows
              caption={t`Family`}
              heads={[t`Name`, t`Relation`, t`Mobile number`, t`Work`, t`Rights`]}
              rows={guardians.map((guardian) => ({
                key: guardian.id,
                cells: [
                  <Adult key="name" {...guardian} />,
                  guardian.relation,
                  <PhoneLink key="mobile" mobile={guardian.saved.mobile} />,
                  guardian.work,
                  <Rights key="rights" {...guardian} />,
                ],
                actions: may.change ? <Acts id={id} guardian={guardian} all={guardians} /> : undefined,
              }))}
            />
          )
        }
      </QueryBoundary>
    </RecordCard>
  );
}

function Adult({ name, alsoOf, worksHere, mayBeTwice, saved }: Guardian) {
  const children = alsoOf.join(', ');
  return (
    <>
      {name}
      {mayBeTwice && (
        <>
          {' '}
          <Chip kind="warn">
            <Trans>May be entered twice</Trans>
          </Chip>
        </>
      )}
      {saved.isDeceased && (
        <>
          {' '}
          <Chip>
            <Trans>Deceased</Trans>
          </Chip>
        </>
      )}
      {worksHere && (
        <>
          {' '}
          <Chip kind="info">
            <Trans>Works here</Trans>
          </Chip>
        </>
      )}
      {children && (
        <div className="soft">
          <Trans>Also of {children}</Trans>
        </div>
      )}
    </>
  );
}

function Rights({ isPrimary, saved }: Guardian) {
  const { role, isBarred, mayCollect, receivesMessages, restriction } = saved;
  return (
    <>
      {isPrimary && (
        <Chip kind="good">
          <Trans>Call first</Trans>
        </Chip>
      )}
      {role !== 'Parent' && <Chip>{translateOption(role)}</Chip>}
      {mayCollect && (
        <Chip>
          <Trans>May collect</Trans>
        </Chip>
      )}
      {receivesMessages && (
        <Chip>
          <Trans>Receives messages</Trans>
        </Chip>
      )}
      {isBarred && (
        <Chip kind="bad">
          <Trans>Barred from contact</Trans>
        </Chip>
      )}
      {restriction && <div>{restriction}</div>}
    </>
  );
}

interface NewerGuardian extends SavedVersion {
  adultVersion: number;
}

/** Adult and link have a version each. */
const newerOf = (newer: NewerGuardian, mine: Values): Newer => ({
  values: typedOf(allFields, newer.saved),
  hiddenValues: { version: newer.version, adultVersion: newer.adultVersion },
  differences: differencesOf(allFields, newer, mine, ''),
});

/** Who may be called first. */
const mayBeFirst = ({ saved }: Guardian) => saved.role !== 'Contact' && !saved.isBarred && !saved.isDeceased;

interface ActsProps {
  id: number;
  guardian: Guardian;
  all: readonly Guardian[];
}

function Acts({ id, guardian, all }: ActsProps) {
  const { t } = useLingui();
  const toast = useToast();
  const callFirst = useAction(guardianApi.callFirst);
  const remove = useAction(guardianApi.remove);
  const { name, version, adultVersion, isPrimary, saved, alsoOf } = guardian;
  const next = isPrimary ? all.find((other) => other.id !== guardian.id && mayBeFirst(other)) : undefined;
  const nextName = next?.name;
  const children = alsoOf.join(', ');
  const removeIt = async () => {
    const done = await remove.run({ id, guardian: guardian.id, version, nextId: next?.id ?? null });
    if (done) toast({ kind: 'success', title: t`Removed.`, of: name });
  };
  return (
    <>
      {callFirst.problem}
      {remove.problem}
      <FormOpener title={t`Edit ${name}`} label={<Trans>Edit</Trans>}>
        {(onClose) => (
          <RecordForm
            title={t`Edit ${name}`}
            about={children && t`Changes to this adult also apply to ${children}.`}
            endpoint={guardianApi.save}
            initial={typedOf(allFields, saved)}
            hiddenValues={{ id, guardian: guardian.id, version, adultVersion }}
            newerOf={(data, mine) => newerOf(data as unknown as NewerGuardian, mine)}
            onClose={onClose}
          >
            <FieldControls fields={adultFields} />
            <FieldControls fields={linkFields} />
          </RecordForm>
        )}
      </FormOpener>
      <PageLink
        to="/school-erp/student/student-list/$studentID/guardian/$guardianID/merge"
        params={{ studentID: String(id), guardianID: String(guardian.id) }}
        aria-label={t`${name}: same person as…`}
      >
        <Trans>Same person as…</Trans>
      </PageLink>
      {children && (
        <FormOpener title={t`Another person instead of ${name}`} label={<Trans>Another person…</Trans>}>
          {(onClose) => (
            <RecordForm
              title={t`Another person instead of ${name}`}
              about={t`${name} is still linked to ${children}.`}
              endpoint={guardianApi.instead}
              initial={{
                ...emptyValuesOf(adultFields),
                ...typedOf(linkFields, saved),
              }}
              hiddenValues={{ id, guardian: guardian.id, version }}
              onClose={onClose}
            >
              <FieldControls fields={adultFields} />
              <FieldControls fields={linkFields} />
            </RecordForm>
          )}
        </FormOpener>
      )}
      {!isPrimary && mayBeFirst(guardian) && (
        <Button
          kind="quiet"
          isBusy={callFirst.isBusy}
          onClick={() => void callFirst.run({ id, guardian: guardian.id })}
        >
          <Trans>Call first</Trans>
        </Button>
      )}
      <ConfirmButton
        name={t`Remove ${name}`}
        label={<Trans>Remove</Trans>}
        question={
          nextName ? (
            <Trans>
              Remove {name} from this child? {nextName} will be called first.
            </Trans>
          ) : (
            <Trans>Remove {name} from this child?</Trans>
          )
        }
        confirm={<Trans>Remove</Trans>}
        onConfirm={() => void removeIt()}
      />
    </>
  );
}
