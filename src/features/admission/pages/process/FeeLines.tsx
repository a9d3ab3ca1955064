import { Trans } from '@lingui/react/macro';
import { translateOption } from '#kit/browser/text.ts';
import { Text } from '#kit/browser/ui/Layout.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showRupees } from '#kit/contract/money.ts';
import type { ProcessRecord } from '../../contract/process.ts';

type Payment = ProcessRecord['payments'][number];

/** Receipts of the fee, each as a PDF. */
const ReceiptLinks = ({ of }: { of: Payment['receipts'] }) => (
  <>
    {of.map(({ id, receiptNo }, at) => (
      <span key={id}>
        {at > 0 && ', '}
        <a href={`/api/fee/receipt/${id}/file`}>{receiptNo}</a>
      </span>
    ))}
  </>
);

/** The payments of the admission fee that were recorded, and the last request to waive it. */
export const FeeLines = ({ payments, waiver }: Pick<ProcessRecord, 'payments' | 'waiver'>) => (
  <>
    {payments.map((payment) => (
      <PaymentLine key={payment.id} payment={payment} />
    ))}
    {waiver && (
      <p>
        <Trans>Waiver: {translateOption(waiver.status)}</Trans>{' '}
        <span className="soft">{[waiver.reason, waiver.by].filter(Boolean).join(' · ')}</span>
      </p>
    )}
  </>
);

function PaymentLine({ payment }: { payment: Payment }) {
  const { amount, mode, reference, paidOn, takenBy, isReversed, reverseReason, receipts, slipNo } = payment;
  const [money, day] = [showRupees(amount), showDate(paidOn)];
  return (
    <>
      <p>
        {isReversed ? (
          <Trans>
            {money} of {day} reversed
          </Trans>
        ) : (
          <Trans>
            {money} paid on {day}
          </Trans>
        )}
        , {receipts.length === 0 ? slipNo : <ReceiptLinks of={receipts} />}
      </p>
      <Text tone="soft" size={13}>
        {[translateOption(mode), reference, takenBy, reverseReason].filter(Boolean).join(' · ')}
      </Text>
    </>
  );
}
