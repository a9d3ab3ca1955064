import { Trans, useLingui } from '@lingui/react/macro';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import type { StudentHead } from '../contract/record.ts';
import { studentSectionApi } from '../contract/student-section.ts';

/** Gives a student another roll number in the section. */
export function ChangeRoll({ head, onClose }: { head: StudentHead; onClose: () => void }) {
  const { t } = useLingui();
  const { id, name, section, rollNo } = head;
  return (
    <RecordForm
      title={t`Roll number of ${name}`}
      about={rollNo === null ? t`Has no roll number in ${section}.` : t`Roll ${rollNo} in ${section}.`}
      endpoint={studentSectionApi.roll}
      initial={{ rollNo: rollNo === null ? '' : String(rollNo) }}
      hiddenValues={{ id }}
      saved={t`The roll number was saved.`}
      words={<Trans>Save</Trans>}
      onClose={onClose}
    >
      <TextField name="rollNo" inputMode="numeric" width="short" />
    </RecordForm>
  );
}
