import { Trans, useLingui } from '@lingui/react/macro';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { showDate } from '#kit/contract/day.ts';
import { correctionApi } from '../contract/correction.ts';
import { codeMaster } from '../contract/masters.ts';

interface Props {
  section: { id: number; name: string };
  /** The student and the day, where they are chosen already. */
  student?: { studentId: number; name: string };
  day?: string;
  /** Those to choose from otherwise. */
  students?: readonly { studentId: number; name: string }[];
  days?: readonly string[];
  onClose: () => void;
}

/** Asks for another mark in a locked register. */
export function CorrectionForm({ section, student, day, students = [], days = [], onClose }: Props) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Request correction`}
      about={[student?.name, section.name, day && showDate(day)].filter(Boolean).join(' · ')}
      endpoint={correctionApi.request}
      initial={{ studentId: '', day: '', codeId: null, arrivedAt: '', reason: '' }}
      hiddenValues={{
        sectionId: section.id,
        ...(student && { studentId: student.studentId }),
        ...(day && { day }),
      }}
      words={<Trans>Request</Trans>}
      saved={t`The correction is waiting for approval.`}
      onClose={onClose}
    >
      {!student && (
        <SelectField
          name="studentId"
          required
          options={students.map(({ studentId, name }) => ({ value: String(studentId), label: name }))}
        />
      )}
      {!day && <SelectField name="day" options={days.map((one) => ({ value: one, label: showDate(one) }))} />}
      <OptionField name="codeId" required options={codeMaster.api.options} />
      <TextField name="arrivedAt" width="short" hint={t`Only for a mark with a time, such as 08:12.`} />
      <TextField name="reason" long />
    </RecordForm>
  );
}
