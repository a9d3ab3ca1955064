import { useLingui } from '@lingui/react/macro';
import { LastName } from '#features/school/ui/LastName.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { typedOf } from '#kit/browser/record/versions.ts';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { type Fields, namesOf, omit, pick } from '#kit/contract/field.ts';
import { isEntry } from '../contract/correction.ts';
import { localFields, personalForm, type StudentHead, studentRecordApi } from '../contract/record.ts';
import { Age } from './Age.tsx';
import { LocalNames } from './LocalNames.tsx';

interface Props {
  head: StudentHead;
  personal: OutputOf<typeof studentRecordApi.personal>;
  onClose: () => void;
}

/** Changes the personal data; closed entries change only by a correction, but for empty ones. */
export function EditPersonal({ head: { id, name, gradeId }, personal, onClose }: Props) {
  const { t } = useLingui();
  const { saved, closedOn, version, localLanguage } = personal;
  const closed = namesOf(personalForm).filter((name) => closedOn && isEntry(name, saved[name]));
  const open = omit(personalForm as Fields, ...closed, ...namesOf(localFields));
  const typed = typedOf(personalForm, saved);
  const since = closedOn && showDate(closedOn);
  return (
    <RecordForm
      title={t`Edit ${name}`}
      endpoint={studentRecordApi.savePersonal}
      initial={{ ...typed, hasOneName: typed.lastName === '' }}
      hiddenValues={{ id, version, ...pick(typed as object, ...(closed as never[])) }}
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
      <LocalNames fields={omit(localFields as Fields, ...closed)} language={localLanguage} />
    </RecordForm>
  );
}
