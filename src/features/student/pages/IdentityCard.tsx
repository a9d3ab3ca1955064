import { Trans, useLingui } from '@lingui/react/macro';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { factsOf } from '#kit/browser/record/facts-of.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { identityFields, type StudentHead, studentRecordApi } from '../contract/record.ts';

/** The numbers by which the school and the state know a student. */
export function IdentityCard({ head }: { head: StudentHead }) {
  const { t } = useLingui();
  const identity = useRead(studentRecordApi.identity, { id: head.id });
  const { id, may } = head;
  const edit = may.change && identity.data && (
    <FormOpener title={t`Edit the identity`} label={<Trans>Edit</Trans>}>
      {(onClose) => (
        <RecordForm
          title={t`Edit the identity`}
          endpoint={studentRecordApi.saveIdentity}
          initial={typedOf(identityFields, identity.data.saved)}
          hiddenValues={{ id, version: identity.data.version }}
          fields={identityFields}
          onClose={onClose}
        >
          <FieldControls fields={identityFields} />
        </RecordForm>
      )}
    </FormOpener>
  );
  return (
    <RecordCard title={<Trans>Identity</Trans>} actions={edit}>
      <QueryBoundary query={identity}>
        {({ grNo, saved }) => (
          <Facts facts={[{ label: t`GR number`, value: grNo }, ...factsOf(identityFields, saved)]} />
        )}
      </QueryBoundary>
    </RecordCard>
  );
}
