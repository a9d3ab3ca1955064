import { Trans, useLingui } from '@lingui/react/macro';
import { RadioField } from '#kit/browser/form/choices.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showRupees } from '#kit/contract/money.ts';
import { type ProcessRecord, paymentModes, processApi } from '../../contract/process.ts';

interface Props {
  record: ProcessRecord;
  onClose: () => void;
}

/** The admission fee as it was paid: the exact amount that is due. */
export function PaymentForm({ record: { id, version, child, due }, onClose }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  return (
    <RecordForm
      title={t`Record the admission fee of ${child}`}
      about={t`Amount: ${showRupees(due)}`}
      endpoint={processApi.pay}
      initial={{ mode: '', reference: '', paidOn: today() }}
      hiddenValues={{ id, version }}
      words={<Trans>Record</Trans>}
      saved={null}
      onDone={({ slipNo }) => toast({ kind: 'success', title: t`Seat confirmed. Receipt ${slipNo}.`, of: child })}
      onClose={onClose}
    >
      <RadioField name="mode" options={paymentModes} />
      <TextField name="reference" hint={<Trans>UPI or bank reference, or the cheque number. None for cash.</Trans>} />
      <DateField name="paidOn" toward="past" />
    </RecordForm>
  );
}
