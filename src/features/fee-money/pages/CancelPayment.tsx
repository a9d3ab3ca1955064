import { Trans, useLingui } from '@lingui/react/macro';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { paymentApi } from '../contract/payment.ts';

interface Props {
  payment: { id: number; version: number; what: string };
  onClose: () => void;
  /** The button that asked is gone by then. */
  onDone: () => void;
}

/** Cancels a payment with a reason, or asks for it where it is not the cashier's own of today. */
export function CancelPayment({ payment, onClose, onDone }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  return (
    <RecordForm
      title={t`Cancel ${payment.what}?`}
      endpoint={paymentApi.cancel}
      initial={{ reason: '' }}
      hiddenValues={{ id: payment.id, version: payment.version }}
      words={t`Cancel this payment`}
      saved={null}
      onClose={onClose}
      onDone={({ isAsked }) => {
        toast({
          kind: 'success',
          title: isAsked ? t`A second person decides on it.` : t`The payment is cancelled.`,
          of: payment.what,
        });
        onDone();
      }}
    >
      <p>
        <Trans>
          All receipts of the payment are cancelled and keep their numbers. On a later day, or for another cashier, a
          second person decides.
        </Trans>
      </p>
      <TextField name="reason" takesFocus />
    </RecordForm>
  );
}
