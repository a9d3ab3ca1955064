import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Grid, Row } from '#kit/browser/ui/Layout.tsx';
import { showTime } from '#kit/browser/ui/show.ts';
import { showMoney } from '#kit/contract/money.ts';
import { paymentApi, type TakenPayment } from '../contract/payment.ts';
import type { ReceiptPaper } from '../contract/receipt.ts';
import { CancelPayment } from './CancelPayment.tsx';
import styles from './Counter.module.css';

interface Props {
  onPrint: (papers: readonly ReceiptPaper[]) => void;
  onCancelled: () => void;
}

/** What the cashier took today, with the ways back from a mistake. */
export function LastPayments({ onPrint, onCancelled }: Props) {
  const { t } = useLingui();
  const day = useRead(paymentApi.today, {});
  const print = useAction(paymentApi.print);
  const [cancelled, setCancelled] = useState<TakenPayment>();
  return (
    <section aria-label={t`Your payments today`}>
      <h2>
        <Trans>Your payments today</Trans>
      </h2>
      <QueryBoundary query={day}>
        {({ payments }) => (
          <>
            <ol className={styles.last}>
              {payments.map((payment) => (
                <Grid as="li" gap="2 12" key={payment.id} data-ended={payment.endedAs || undefined}>
                  <span>
                    {showTime(payment.at)} {payment.names} <small>{translateOption(payment.mode)}</small>
                  </span>
                  <b>{showMoney(payment.amount)}</b>
                  <Row as="span" wrap className={styles.acts}>
                    <small>{payment.paymentNo}</small>
                    <Button
                      kind="link"
                      aria-label={t`Print again: ${payment.paymentNo}`}
                      onClick={async () => {
                        const answer = await print.run({ id: payment.id });
                        if (answer) onPrint(answer.papers);
                      }}
                    >
                      <Trans>Print again</Trans>
                    </Button>
                    {payment.endedAs === '' ? (
                      <Button
                        kind="link"
                        aria-label={t`Cancel this payment: ${payment.paymentNo}`}
                        onClick={() => setCancelled(payment)}
                      >
                        <Trans>Cancel this payment</Trans>
                      </Button>
                    ) : (
                      <small>{translateOption(payment.endedAs)}</small>
                    )}
                  </Row>
                </Grid>
              ))}
            </ol>
            {print.problem}
          </>
        )}
      </QueryBoundary>
      {cancelled && (
        <CancelPayment
          payment={{ ...cancelled, what: `${cancelled.paymentNo}, ${showMoney(cancelled.amount)}` }}
          onClose={() => setCancelled(undefined)}
          onDone={onCancelled}
        />
      )}
    </section>
  );
}
