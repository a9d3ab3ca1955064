import { Trans, useLingui } from '@lingui/react/macro';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { OptionField } from '#kit/browser/form/OptionField.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { showDate } from '#kit/contract/day.ts';
import { correctionApi } from '../contract/correction.ts';
import { codeMaster } from '../contract/masters.ts';
import type { Slot } from '../contract/register.ts';

interface Props {
  section: { id: number; name: string };
  /** The student and the day, where they are chosen already. */
  student?: { studentId: number; name: string };
  day?: string;
  slot?: Slot;
  /** Those to choose from otherwise. */
  students?: readonly { studentId: number; name: string }[];
  days?: readonly string[];
  slots?: readonly Slot[];
  onClose: () => void;
}

/** Asks for another mark in a locked register. */
export function CorrectionForm({ section, student, day, slot, students = [], days = [], slots = [], onClose }: Props) {
  const { t } = useLingui();
  const isHalf = slot !== undefined && slot !== 'Full day';
  return (
    <RecordForm
      title={t`Request correction`}
      about={[student?.name, section.name, day && showDate(day), isHalf && translateOption(slot)]
        .filter(Boolean)
        .join(' · ')}
      endpoint={correctionApi.request}
      initial={{ studentId: '', day: '', slot: slots[0] ?? 'Full day', codeId: null, arrivedAt: '', reason: '' }}
      hiddenValues={{
        sectionId: section.id,
        ...(student && { studentId: student.studentId }),
        ...(day && { day }),
        ...(slot && { slot }),
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
      {slots.length > 1 && <SelectField name="slot" required options={slots} />}
      <OptionField name="codeId" required options={codeMaster.api.options} />
      <TextField name="arrivedAt" width="short" hint={t`Only for a mark with a time, such as 08:12.`} />
      <TextField name="reason" long />
    </RecordForm>
  );
}
