import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense, useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { useUndoAdding } from '#kit/browser/record/removal.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { PersonRow, PersonRows } from '#kit/browser/ui/PersonRow.tsx';
import { useMedia } from '#kit/browser/ui/use-media.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import {
  adultFields,
  type Guardian,
  guardianApi,
  linkFields,
  localAdultFields,
  mainAdultFields,
} from '../contract/guardian.ts';
import type { StudentHead } from '../contract/record.ts';
import { LocalNames } from './LocalNames.tsx';

// What opens later is loaded by itself.
const AlikeGuardians = lazy(async () => ({ default: (await import('./AlikeGuardians.tsx')).AlikeGuardians }));
const FamilyActs = lazy(async () => ({ default: (await import('./FamilyActs.tsx')).FamilyActs }));

const allFields = { ...adultFields, ...linkFields };

/** The adults of a student: who they are, whom to call first, and who may not come near the child. */
export function FamilyCard({ head }: { head: StudentHead }) {
  const { t } = useLingui();
  const [linked, setLinked] = useState<{ name: string; kept: string }>();
  const undo = useUndoAdding(guardianApi.remove);
  const family = useRead(guardianApi.family, { id: head.id });
  const { id, may } = head;
  // The card of the school names them elsewhere.
  const siblings = useMedia('(max-width: 767px)') ? (head.family?.siblings ?? []) : [];
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
            contactOrder: String((family.data?.guardians.length ?? 0) + 1),
          }}
          hiddenValues={{ id }}
          saved={t`Added.`}
          actions={({ id: guardian, known }) =>
            known ? [] : [undo({ id, guardian, version: 1, nextId: null, isMistake: true })]
          }
          onDone={({ known, kept }) =>
            setLinked(known ? { name: known, kept: kept.map(translate).join(', ') } : undefined)
          }
          onClose={onClose}
        >
          <FieldControls
            fields={mainAdultFields}
            after={{
              mobile: (
                <Suspense fallback={null}>
                  <AlikeGuardians />
                </Suspense>
              ),
            }}
          />
          <FieldControls fields={linkFields} />
          <LocalNames fields={localAdultFields} language={family.data?.localLanguage ?? 'Gujarati'} />
        </RecordForm>
      )}
    </FormOpener>
  );
  return (
    <RecordCard title={<Trans>Family</Trans>} actions={add}>
      {linked && (
        <Notice role="status">
          <Trans>{linked.name} was already on record and is now linked.</Trans>{' '}
          {linked.kept && <Trans>Kept as stored: {linked.kept}. Edit the guardian to change it.</Trans>}
        </Notice>
      )}
      <QueryBoundary query={family}>
        {({ guardians, localLanguage }) =>
          guardians.length + siblings.length === 0 ? (
            <EmptyState message={<Trans>No guardian yet.</Trans>} />
          ) : (
            <PersonRows>
              {guardians.map((guardian) => (
                <Adult
                  key={guardian.id}
                  id={id}
                  guardian={withoutSiblings(guardian, head)}
                  all={guardians}
                  localLanguage={localLanguage}
                  mayChange={may.change}
                />
              ))}
              {siblings.map(({ id, name, section }) => (
                <PersonRow
                  key={`${id} ${name}`}
                  name={name}
                  to={id === null ? undefined : `/school-erp/student/student-list/${id}`}
                  relation={<Trans>brother or sister</Trans>}
                  detail={section}
                />
              ))}
            </PersonRows>
          )
        }
      </QueryBoundary>
    </RecordCard>
  );
}

/** The record names brothers and sisters beside the family. */
const withoutSiblings = (guardian: Guardian, { family }: StudentHead): Guardian => ({
  ...guardian,
  alsoOf: guardian.alsoOf.filter((child) => !family?.siblings.some(({ name }) => name === child)),
});

interface AdultProps {
  id: number;
  guardian: Guardian;
  all: readonly Guardian[];
  localLanguage: string;
  mayChange: boolean;
}

/** One row: who it is and what they may, the number, the ways to reach them, and all acts in a menu. */
function Adult({ id, guardian, all, localLanguage, mayChange }: AdultProps) {
  const { name, relation, isPrimary, worksHere, saved } = guardian;
  const about = useAbout(guardian);
  return (
    <PersonRow
      name={name}
      relation={relation}
      mobile={saved.mobile}
      isReached={!saved.isDeceased}
      chips={
        <>
          {saved.isBarred && (
            <Chip kind="bad">
              <Trans>Barred from contact</Trans>
            </Chip>
          )}{' '}
          {saved.isDeceased && (
            <Chip>
              <Trans>Deceased</Trans>
            </Chip>
          )}{' '}
          {guardian.mayBeTwice && (
            <Chip kind="warn">
              <Trans>May be entered twice</Trans>
            </Chip>
          )}{' '}
          {worksHere && (
            <Chip kind="info">
              <Trans>Works here</Trans>
            </Chip>
          )}
        </>
      }
      about={
        (isPrimary || about || saved.restriction) && (
          <>
            {isPrimary && (
              <strong>
                <Trans>Call first</Trans>
              </strong>
            )}
            {isPrimary && about && ' · '}
            {about}
            {saved.restriction && <Text size={13}>{saved.restriction}</Text>}
          </>
        )
      }
      acts={
        mayChange && (
          <Suspense fallback={null}>
            <FamilyActs id={id} guardian={guardian} all={all} localLanguage={localLanguage} />
          </Suspense>
        )
      }
    />
  );
}

/** What an adult may, does, and of whom they are an adult too. */
function useAbout({ saved, work, alsoOf }: Guardian) {
  const { t } = useLingui();
  const children = alsoOf.join(', ');
  return [
    saved.role !== 'Parent' && translateOption(saved.role),
    saved.mayCollect && t`May collect`,
    saved.receivesMessages && t`Receives messages`,
    work,
    children && t`Also of ${children}`,
  ]
    .filter(Boolean)
    .join(' · ');
}
