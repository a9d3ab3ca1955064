import { Trans, useLingui } from '@lingui/react/macro';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type ProcessRecord, processApi } from '../../contract/process.ts';

/** The admission fee: what is due, and the payments that were recorded. */
export function FeeCard({ record: { id, version, may, due, seat, payments } }: { record: ProcessRecord }) {
  const { t } = useLingui();
  return (
    <RecordCard title={<Trans>Admission fee</Trans>}>
      {payments.length === 0 && (
        <p>{due > 0 ? t`${showMoney(due)} confirms the seat.` : seat ? t`This seat has no admission fee.` : ''}</p>
      )}
      {payments.map((payment) => (
        <Facts
          key={payment.id}
          facts={[
            { label: payment.isReversed ? t`Reversed` : t`Paid`, value: showMoney(payment.amount) },
            { label: t`Slip`, value: payment.slipNo },
            { label: t`Mode`, value: [translateOption(payment.mode), payment.reference].filter(Boolean).join(', ') },
            { label: t`Paid on`, value: showDate(payment.paidOn) },
            { label: t`Recorded by`, value: payment.takenBy },
            { label: t`Reason`, value: payment.reverseReason },
          ]}
        />
      ))}
      {may.reverse && payments.some(({ isReversed }) => !isReversed) && (
        <CardButtons>
          <FormOpener kind="plain" title={t`Reverse the payment`} label={<Trans>Reverse…</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`Reverse the payment`}
                about={t`The seat is offered again, at least until tomorrow.`}
                endpoint={processApi.reversePayment}
                initial={{ reason: '' }}
                hiddenValues={{ id, version }}
                words={<Trans>Reverse</Trans>}
                saved={t`Reversed.`}
                onClose={onClose}
              >
                <TextField name="reason" />
              </RecordForm>
            )}
          </FormOpener>
        </CardButtons>
      )}
    </RecordCard>
  );
}
