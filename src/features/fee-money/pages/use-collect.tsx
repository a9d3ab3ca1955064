import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showMoney } from '#kit/contract/money.ts';
import { chequeApi } from '../contract/cheque.ts';
import { paymentApi } from '../contract/payment.ts';
import type { ReceiptPaper } from '../contract/receipt.ts';
import { type CounterMode, isChequeKind } from './counter-modes.ts';
import type { PaymentParts } from './use-payment-parts.ts';

export type FamilyDues = OutputOf<typeof paymentApi.dues>;

/** What the cashier enters beside the amount. */
export interface PaymentDetails {
  mode: CounterMode;
  reference: string;
  cheque: { number: string; bank: string; datedOn: string };
  /** A guardian; '' is another person. */
  payerId: string;
  other: { name: string; mobile: string };
  /** Why the payment has an earlier date. */
  backReason: string;
}

export const payerOf = ({ payers }: FamilyDues, { payerId }: PaymentDetails) =>
  payers.find(({ guardianId }) => String(guardianId) === payerId);

/** Takes the money of a family, in its mode. */
export function useCollect(
  found: FamilyDues,
  { amount, parts, unreadable }: PaymentParts,
  details: PaymentDetails,
  onTaken: (papers: readonly ReceiptPaper[]) => void,
) {
  const { t } = useLingui();
  const toast = useToast();
  const openedAt = useRef(performance.now());
  const payment = useAction(paymentApi.take);
  const takingCheque = useAction(chequeApi.takeAtCounter);
  const { mode, reference, cheque, other, backReason } = details;
  const action = isChequeKind(mode) ? takingCheque : payment;
  const payer = payerOf(found, details);

  const collect = async () => {
    // The Enter that found the family may still be held.
    if (performance.now() - openedAt.current < 400 || action.isBusy) return;
    const shared = {
      payerGuardianId: payer?.guardianId ?? null,
      payerName: payer ? '' : other.name,
      payerMobile: payer ? '' : other.mobile,
      // What can't be read is refused with an example of an amount.
      amount: (unreadable ?? amount) as number,
      children: childrenPaid(found, parts),
    };
    const answer = isChequeKind(mode)
      ? await takingCheque.run({ ...shared, ...cheque, kind: mode })
      : await payment.run({ ...shared, mode, reference, paidOn: found.on, backReason, remark: '' });
    if (!answer) return;
    toast({
      kind: 'success',
      title: t`${showMoney(amount)} collected. ${answer.papers.map((one) => one.receiptNo).join(', ')}`,
    });
    onTaken(answer.papers);
  };
  return { collect, isBusy: action.isBusy, problem: action.problem };
}

/** The children with their paid lines; all of them where nothing is paid but an advance. */
const childrenPaid = ({ children }: FamilyDues, parts: ReadonlyMap<string, number>) =>
  children
    .filter(({ isElsewhere }) => !isElsewhere)
    .map(({ studentId, version, lastReceiptId, lines }) => ({
      studentId,
      version,
      lastReceiptId,
      lines: lines.flatMap(({ key }) => {
        const part = parts.get(key) ?? 0;
        return part > 0 ? [{ key, amount: part }] : [];
      }),
    }))
    .filter(({ lines }, _, all) => lines.length > 0 || all.every((one) => one.lines.length === 0));
