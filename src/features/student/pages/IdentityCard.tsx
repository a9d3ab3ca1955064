import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { factsOf } from '#kit/browser/record/facts-of.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { aadhaarFields, identityFields, type StudentHead, studentRecordApi } from '../contract/record.ts';
import { CorrectGrNumber } from './CorrectGrNumber.tsx';
import { Reveal } from './Reveal.tsx';

/** The numbers by which the school and the state know a student. */
export function IdentityCard({ head }: { head: StudentHead }) {
  const { t } = useLingui();
  const identity = useRead(studentRecordApi.identity, { id: head.id });
  const { id, may } = head;
  const fields = { ...identityFields, ...aadhaarFields };
  const edit = may.change && identity.data && (
    <FormOpener title={t`Edit the identity`} label={<Trans>Edit</Trans>}>
      {(onClose) => (
        <RecordForm
          title={t`Edit the identity`}
          endpoint={studentRecordApi.saveIdentity}
          initial={typedOf(fields, identity.data.saved)}
          hiddenValues={{ id, version: identity.data.version }}
          fields={fields}
          onClose={onClose}
        >
          <FieldControls fields={fields} />
        </RecordForm>
      )}
    </FormOpener>
  );
  return (
    <RecordCard title={<Trans>Identity</Trans>} actions={edit}>
      <QueryBoundary query={identity}>
        {({ grNo, saved, may: mayRead }) => (
          <Facts
            facts={[
              {
                label: t`GR number`,
                value: may.correctGr ? (
                  <>
                    {grNo} <CorrectGrNumber head={head} />
                  </>
                ) : (
                  grNo
                ),
              },
              ...factsOf(identityFields, saved),
              {
                label: t`Aadhaar number`,
                value: mayRead.reveal ? <Aadhaar key={saved.aadhaar} id={id} masked={saved.aadhaar} /> : saved.aadhaar,
              },
            ]}
          />
        )}
      </QueryBoundary>
    </RecordCard>
  );
}

/** The masked number, and the whole one after a reason. */
function Aadhaar({ id, masked }: { id: number; masked: string }) {
  const { t } = useLingui();
  const [whole, setWhole] = useState('');
  return (
    <>
      {whole || masked}{' '}
      {whole ? (
        <Button kind="quiet" onClick={() => setWhole('')}>
          <Trans>Hide</Trans>
        </Button>
      ) : (
        <Reveal
          title={t`Show the whole Aadhaar number`}
          endpoint={studentRecordApi.revealAadhaar}
          id={id}
          onDone={({ aadhaar }) => setWhole(aadhaar)}
        />
      )}
    </>
  );
}
