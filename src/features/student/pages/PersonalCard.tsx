import { Trans, useLingui } from '@lingui/react/macro';
import { LastName } from '#features/school/ui/LastName.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { factsOf } from '#kit/browser/record/facts-of.tsx';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Fields, namesOf, omit, pick } from '#kit/contract/field.ts';
import { isEntry } from '../contract/correction.ts';
import { personalForm, type StudentHead, studentRecordApi } from '../contract/record.ts';
import { Age } from './Age.tsx';

/** The head shows the rest. */
const shown = omit(personalForm, 'firstName', 'middleName', 'lastName', 'alert', 'alertLevel', 'houseId');

/** Birth, blood group and community of a student. */
export function PersonalCard({ head }: { head: StudentHead }) {
  const { t } = useLingui();
  const personal = useRead(studentRecordApi.personal, { id: head.id });
  const { name, id, may } = head;
  // Settled entries that are filled in change by a correction alone.
  const settled = namesOf(personalForm).filter(
    (name) => personal.data?.settledOn && isEntry(name, personal.data.saved[name]),
  );
  const open = omit(personalForm as Fields, ...settled);
  const [since, typed] = [
    personal.data?.settledOn && showDate(personal.data.settledOn),
    personal.data && typedOf(personalForm, personal.data.saved),
  ];
  const edit = may.change && personal.data && typed && (
    <FormOpener title={t`Edit ${name}`} label={<Trans>Edit</Trans>}>
      {(onClose) => (
        <RecordForm
          title={t`Edit ${name}`}
          endpoint={studentRecordApi.savePersonal}
          initial={{ ...typed, hasOneName: typed.lastName === '' }}
          hiddenValues={{ id, version: personal.data.version, ...pick(typed as object, ...(settled as never[])) }}
          fields={personalForm}
          onClose={onClose}
          {...(since && {
            about: t`Register entries are closed since ${since}. Change them with “Correct a register entry…”.`,
          })}
        >
          <FieldControls
            fields={open}
            instead={open.lastName ? { lastName: <LastName /> } : {}}
            after={open.birthDate ? { birthDate: <Age gradeId={head.gradeId} /> } : {}}
          />
        </RecordForm>
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
