import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ChoiceRow } from '#kit/browser/form/choices.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { Questions, useQuestion } from '#kit/browser/form/question.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showMoney } from '#kit/contract/money.ts';
import { moveApi, type WhereMoney } from '../contract/move.ts';
import { paymentApi } from '../contract/payment.ts';
import { MoveForm, type PaymentAct } from './MovePayment.tsx';

type Payment = OutputOf<typeof moveApi.read>;

/** A payment with its mistake: it was for another child, or it is cancelled with where its money is. */
export function CancelPayment(props: PaymentAct) {
  const { t } = useLingui();
  const { payment, onClose } = props;
  const found = useRead(moveApi.read, { id: payment.id });
  const [isMoving, setMoving] = useState(false);
  if (!found.data)
    return (
      <SideDialog title={t`Cancel ${payment.what}?`} onClose={onClose}>
        {() => <QueryBoundary query={found}>{() => null}</QueryBoundary>}
      </SideDialog>
    );
  return isMoving ? (
    <MoveForm {...props} found={found.data} />
  ) : (
    <CancelForm {...props} found={found.data} onMove={() => setMoving(true)} />
  );
}

function CancelForm({ payment, found, onClose, onDone, onMove }: PaymentAct & { found: Payment; onMove: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const { mode, amount, paidOn, payer, receipts, isAlone, isUnplaced } = found;
  return (
    <RecordForm
      title={t`Cancel ${payment.what}?`}
      about={[receipts, translateOption(mode), showMoney(amount), payer, showDate(paidOn)].join(' · ')}
      endpoint={paymentApi.cancel}
      initial={{ money: '', reason: '' }}
      hiddenValues={{ id: payment.id, version: payment.version }}
      words={isAlone ? t`Cancel this payment` : t`Ask to cancel`}
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
      {!isUnplaced && (
        <p>
          <Trans>Was the money for another child?</Trans>{' '}
          <Button kind="link" onClick={onMove}>
            <Trans>Move it instead</Trans>
          </Button>
        </p>
      )}
      <WhereMoneyField payment={found} />
      <TextField name="reason" />
      <p>
        {isAlone ? (
          <Trans>The receipts are cancelled and keep their numbers. The payer gets a message.</Trans>
        ) : (
          <Trans>
            A second person decides. Then the receipts are cancelled and keep their numbers, and the payer gets a
            message.
          </Trans>
        )}
      </p>
    </RecordForm>
  );
}

/** Where the money is, with what each answer does to the drawer, the dues and the day. */
function WhereMoneyField({ payment: { mode, answers, isOwnDrawer } }: { payment: Payment }) {
  const parts = useQuestion({ name: 'money' });
  const isCash = mode === 'Cash';
  const effects: Record<WhereMoney, ReactNode> = {
    'Given back now': (
      <Trans>Take the cash out of your drawer: it holds that much less. The dues are open again.</Trans>
    ),
    'It never came': !isCash ? (
      <Trans>The dues are open again. No drawer and no closed day changes.</Trans>
    ) : isOwnDrawer ? (
      <Trans>Your drawer should hold that much less. The dues are open again.</Trans>
    ) : (
      <Trans>The dues are open again. Drawers and closed days are as they were counted.</Trans>
    ),
    'The school still has it': (
      <Trans>
        The dues are open again. The money gets a receipt of its own under Bank, Unplaced, until it is placed or paid
        back by cheque or transfer. No drawer changes.
      </Trans>
    ),
  };
  return (
    <Questions parts={parts}>
      {answers.map((answer, index) => (
        <ChoiceRow
          key={answer}
          type="radio"
          id={index === 0 ? 'money' : `money-${index}`}
          name="money"
          value={answer}
          label={translateOption(answer)}
          hint={effects[answer]}
          checked={parts.value === answer}
          onChange={() => parts.change('money', answer)}
        />
      ))}
    </Questions>
  );
}
