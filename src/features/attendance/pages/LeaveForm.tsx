import { Trans, useLingui } from '@lingui/react/macro';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { leaveApi, leaveHalves, leaveKinds } from '../contract/leave.ts';

interface Props {
  /** The student, where it is chosen already. */
  student?: { studentId: number; name: string };
  day?: string;
  onClose: () => void;
}

/** Notes a leave of a child, which is granted at once where the user may grant it. */
export function LeaveForm({ student, day = '', onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const tell = ({ name, state, locked }: OutputOf<typeof leaveApi.note>) => {
    const granted = state === 'Granted';
    toast({
      kind: locked > 0 ? 'warning' : 'success',
      title: granted ? t`Leave of ${name} was granted.` : t`Leave of ${name} is waiting for approval.`,
      ...(locked > 0 && { text: t`Days that are locked as absent: ${locked}. Request a correction.` }),
    });
  };
  return (
    <RecordForm
      title={t`Add leave`}
      about={student?.name}
      endpoint={leaveApi.note}
      initial={{ number: '', fromDay: day, toDay: day, half: 'Whole day', kind: '', reason: '' }}
      hiddenValues={student ? { studentId: student.studentId } : {}}
      words={<Trans>Add</Trans>}
      saved={null}
      onDone={tell}
      onClose={onClose}
    >
      {!student && <TextField name="number" required hint={t`Such as 5B 17.`} />}
      <DateField name="fromDay" hasQuickDays />
      <DateField name="toDay" follows="fromDay" />
      <RadioField name="half" options={leaveHalves} />
      <SelectField name="kind" options={leaveKinds} />
      <TextField name="reason" long />
    </RecordForm>
  );
}
