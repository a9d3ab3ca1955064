import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, Suspense } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FormOpener } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { factsOf } from '#kit/browser/record/facts-of.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { omit } from '#kit/contract/field.ts';
import { personalForm, type StudentHead, studentRecordApi } from '../contract/record.ts';

const EditPersonal = lazy(async () => ({ default: (await import('./EditPersonal.tsx')).EditPersonal }));

/** The head shows the rest. */
const shown = omit(personalForm, 'firstName', 'middleName', 'lastName', 'alert', 'alertLevel', 'houseId');

/** Birth, blood group and community of a student. */
export function PersonalCard({ head }: { head: StudentHead }) {
  const { t } = useLingui();
  const personal = useRead(studentRecordApi.personal, { id: head.id });
  const { data } = personal;
  const edit = head.may.change && data && (
    <FormOpener title={t`Edit ${head.name}`} label={<Trans>Edit</Trans>}>
      {(onClose) => (
        <Suspense fallback={null}>
          <EditPersonal head={head} personal={data} onClose={onClose} />
        </Suspense>
      )}
    </FormOpener>
  );
  return (
    <RecordCard title={<Trans>Personal data</Trans>} actions={edit}>
      <QueryBoundary query={personal}>
        {({ saved, names }) => <Facts facts={factsOf(shown, saved, { names })} />}
      </QueryBoundary>
    </RecordCard>
  );
}
