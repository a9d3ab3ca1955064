import { Trans, useLingui } from '@lingui/react/macro';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Facts } from '#kit/browser/record/Facts.tsx';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type ProcessRecord, processApi } from '../../contract/process.ts';

/** Receipts of the fee, each as a PDF. */
const ReceiptLinks = ({ of }: { of: readonly { id: number; receiptNo: string }[] }) => (
  <>
    {of.map(({ id, receiptNo }, at) => (
      <span key={id}>
        {at > 0 && ', '}
        <a href={`/api/fee/receipt/${id}/file`}>{receiptNo}</a>
      </span>
    ))}
  </>
);

/** The admission fee: what is due, and the payments that were recorded. */
export function FeeCard({ record: { id, version, may, due, seat, payments, waiver } }: { record: ProcessRecord }) {
  const { t } = useLingui();
  const toast = useToast();
  return (
    <RecordCard title={<Trans>Admission fee</Trans>}>
      {payments.length === 0 && (
        <p>
          {due > 0
            ? t`${showMoney(due)} confirms the seat.`
            : seat && !waiver
              ? t`This seat has no admission fee.`
              : ''}
        </p>
      )}
      {payments.map((payment) => (
        <Facts
          key={payment.id}
          facts={[
            { label: payment.isReversed ? t`Reversed` : t`Paid`, value: showMoney(payment.amount) },
            {
              label: t`Receipt`,
              value: payment.receipts.length === 0 ? payment.slipNo : <ReceiptLinks of={payment.receipts} />,
            },
            { label: t`Mode`, value: [translateOption(payment.mode), payment.reference].filter(Boolean).join(', ') },
            { label: t`Paid on`, value: showDate(payment.paidOn) },
            { label: t`Recorded by`, value: payment.takenBy },
            { label: t`Reason`, value: payment.reverseReason },
          ]}
        />
      ))}
      {waiver && (
        <Facts
          facts={[
            { label: t`Waiver`, value: translateOption(waiver.status) },
            { label: t`Reason`, value: waiver.reason },
            { label: t`Decided by`, value: waiver.by },
          ]}
        />
      )}
      {may.askWaiver && (
        <CardButtons>
          <FormOpener kind="plain" title={t`Ask to waive the fee`} label={<Trans>Ask to waive…</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`Ask to waive the fee`}
                about={t`The principal or a finance approver decides. The offer is open until then.`}
                endpoint={processApi.askWaiver}
                initial={{ reason: '' }}
                hiddenValues={{ id, version }}
                words={<Trans>Ask</Trans>}
                saved={t`Sent for approval.`}
                onClose={onClose}
              >
                <TextField name="reason" />
              </RecordForm>
            )}
          </FormOpener>
        </CardButtons>
      )}
      {may.reverse && payments.some(({ isReversed }) => !isReversed) && (
        <CardButtons>
          <FormOpener kind="plain" title={t`Reverse the payment`} label={<Trans>Reverse…</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`Reverse the payment`}
                about={t`The seat is offered again, at least until tomorrow. A second person decides on a payment of an earlier day.`}
                endpoint={processApi.reversePayment}
                initial={{ reason: '' }}
                hiddenValues={{ id, version }}
                words={<Trans>Reverse</Trans>}
                saved={null}
                onDone={({ isAsked }) =>
                  toast({ kind: 'success', title: isAsked ? t`Approval is requested.` : t`Reversed.` })
                }
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
