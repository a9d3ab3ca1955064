import { useLingui } from '@lingui/react/macro';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { followUpChannels, inquiryApi } from '../contract/inquiry.ts';

interface Props {
  id: number;
  onClose: () => void;
}

/** A call or other contact with the family, and when the next one is due. */
export function FollowUpForm({ id, onClose }: Props) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Log follow-up`}
      endpoint={inquiryApi.logFollowUp}
      initial={{ channel: 'Call', note: '', nextOn: '' }}
      hiddenValues={{ id }}
      onClose={onClose}
    >
      <RadioField name="channel" options={followUpChannels} />
      <TextField name="note" long />
      <DateField name="nextOn" toward="future" hasQuickDays />
    </RecordForm>
  );
}
