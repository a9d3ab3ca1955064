import { useLingui } from '@lingui/react/macro';
import { LastName } from '#features/school/ui/LastName.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type Fields, namesOf, omit, pick } from '#kit/contract/field.ts';
import { isEntry } from '../contract/correction.ts';
import { personalForm, type StudentHead, studentRecordApi } from '../contract/record.ts';
import { Age } from './Age.tsx';

interface Props {
  head: StudentHead;
  personal: OutputOf<typeof studentRecordApi.personal>;
  onClose: () => void;
}

/** Changes the personal data; settled entries that are filled in change by a correction alone. */
export function EditPersonal({ head: { id, name, gradeId }, personal, onClose }: Props) {
  const { t } = useLingui();
  const { saved, settledOn, version } = personal;
  const settled = namesOf(personalForm).filter((name) => settledOn && isEntry(name, saved[name]));
  const open = omit(personalForm as Fields, ...settled);
  const typed = typedOf(personalForm, saved);
  const since = settledOn && showDate(settledOn);
  return (
    <RecordForm
      title={t`Edit ${name}`}
      endpoint={studentRecordApi.savePersonal}
      initial={{ ...typed, hasOneName: typed.lastName === '' }}
      hiddenValues={{ id, version, ...pick(typed as object, ...(settled as never[])) }}
      fields={personalForm}
      onClose={onClose}
      {...(since && {
        about: t`Register entries are closed since ${since}. Change them with “Correct a register entry…”.`,
      })}
    >
      <FieldControls
        fields={open}
        instead={open.lastName ? { lastName: <LastName /> } : {}}
        after={open.birthDate ? { birthDate: <Age gradeId={gradeId} /> } : {}}
      />
    </RecordForm>
  );
}
