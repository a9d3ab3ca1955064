import { Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Grid, Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { useMedia } from '#kit/browser/ui/use-media.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { ReceiptPaper } from '../contract/receipt.ts';
import styles from './Counter.module.css';
import { counterModes, isChequeKind } from './counter-modes.ts';
import { DueLines } from './DueLines.tsx';
import {
  AmountField,
  CashGiven,
  ChequeFields,
  ModeField,
  PaidOnFields,
  PayerFields,
  ReferenceField,
  Step,
} from './PaymentFields.tsx';
import { type FamilyDues, type PaymentDetails, useCollect } from './use-collect.tsx';
import { type PaymentParts, usePaymentParts } from './use-payment-parts.ts';

/** Where the sheet lets the button that collects stand at the foot of the window. */
const phone = '(max-width: 639px)';

interface Props {
  found: FamilyDues;
  onDay: (day: string) => void;
  onLeave: () => void;
  onTaken: (papers: readonly ReceiptPaper[]) => void;
}

/** A family's dues, and the form that takes its money. Enter anywhere in it collects and prints. */
export function TakePayment({ found, onDay, onLeave, onTaken }: Props) {
  const { t } = useLingui();
  const { today, children } = found;
  const parts = usePaymentParts(children.flatMap((child) => child.lines));
  const [details, setDetails] = useState(() => detailsAtFirst(found));
  const change = (part: Partial<PaymentDetails>) => setDetails((before) => ({ ...before, ...part }));
  const { collect, isBusy, problem } = useCollect(found, parts, details, onTaken);
  const id = useId();
  const [given, setGiven] = useState('');
  const givenBox = useRef<HTMLInputElement>(null);
  const amountBox = useRef<HTMLInputElement>(null);
  const isPhone = useMedia(phone);
  const { amount, advance } = parts;
  const { mode, cheque } = details;
  const isCheque = isChequeKind(mode);
  const owed = children.flatMap(({ lines }) => lines).reduce((sum, line) => sum + (line.isDue ? line.owed : 0), 0);
  const left = Math.max(0, owed - amount);
  const press = (event: KeyboardEvent) => {
    const byNumber = event.altKey && counterModes[Number(event.key) - 1];
    if (byNumber) change({ mode: byNumber });
    else if (event.key === 'F8') parts.changeParts();
    else if (event.key === 'F9' && mode === 'Cash') givenBox.current?.focus();
    else if (event.key === 'Escape') onLeave();
    else return;
    event.preventDefault();
  };
  return (
    <Grid
      as="form"
      align="start"
      className={styles.family}
      aria-label={t`Payment of a family`}
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault();
        void collect();
      }}
    >
      <DuesOfFamily found={found} parts={parts} />
      <Stack as="section" gap={10} className={styles.collect} aria-label={t`Collect`}>
        <AmountField id={id} box={amountBox} isPhone={isPhone} parts={parts} />
        {advance > 0 && (
          <p>
            <Trans>{showMoney(advance)} of it is paid in advance.</Trans>
          </p>
        )}
        <ModeField mode={mode} onMode={(one) => change({ mode: one })} />
        {mode === 'Cash' && <CashGiven amount={amount} given={given} box={givenBox} onGiven={setGiven} />}
        {isCheque && (
          <ChequeFields id={id} today={today} cheque={cheque} onChange={(next) => change({ cheque: next })} />
        )}
        {mode !== 'Cash' && !isCheque && <ReferenceField details={details} onChange={change} />}
        <PayerFields found={found} details={details} onChange={change} />
        {!isCheque && <PaidOnFields id={id} found={found} details={details} onChange={change} onDay={onDay} />}
        {problem}
        <div className={styles.bar}>
          {isPhone && (
            <Row gap={12} align="center" justify="between" mb={8}>
              <span>
                <Text as="span" block tone="soft" size={13}>
                  {[translateOption(mode), left > 0 && t`${showMoney(left)} left`].filter(Boolean).join(' · ')}
                </Text>
                <b className={styles.sum}>{showMoney(amount)}</b>
              </span>
              <Button className={styles.change} onClick={() => amountBox.current?.select()}>
                <Trans>Change</Trans>
              </Button>
            </Row>
          )}
          <Button kind="main" type="submit" isBusy={isBusy}>
            <Step at={4} />
            <Trans>Collect {showMoney(amount)} and print</Trans>
          </Button>
        </div>
      </Stack>
    </Grid>
  );
}

const detailsAtFirst = ({ today, payers, lastBank }: FamilyDues): PaymentDetails => ({
  mode: 'Cash',
  reference: '',
  cheque: { number: '', bank: lastBank, datedOn: today },
  payerId: String(payers.find(({ isPrimary }) => isPrimary)?.guardianId ?? ''),
  other: { name: '', mobile: '' },
  backReason: '',
});

/** What the family owes, and how to reach it. */
function DuesOfFamily({ found: { on, children, payers }, parts }: { found: FamilyDues; parts: PaymentParts }) {
  const { t } = useLingui();
  const [net, paid] = [
    children.reduce((sum, one) => sum + one.net, 0),
    children.reduce((sum, one) => sum + one.paid, 0),
  ];
  const { dues, chosen, toggle, typedParts, typePart, changeParts } = parts;
  return (
    <section ref={dues} aria-label={t`Dues`}>
      <h2>{children.map(({ name }) => name).join(', ')}</h2>
      <p className={styles.about}>
        {payers.map(({ guardianId, name, relation, mobile }, index) => (
          <span key={guardianId}>
            {index > 0 && ' · '}
            {[name, relation].filter(Boolean).join(', ')} <PhoneLink mobile={mobile} />
          </span>
        ))}
        {net > 0 && (
          <Text as="span" block>
            <Trans>
              This year {showMoney(net)}, paid {showMoney(paid)}
            </Trans>
          </Text>
        )}
      </p>
      <DueLines
        family={children}
        on={on}
        parts={parts.parts}
        chosen={chosen}
        onChoose={toggle}
        typed={typedParts}
        onType={typePart}
      />
      <Button
        kind="quiet"
        edge="start"
        aria-pressed={typedParts !== undefined}
        aria-keyshortcuts="F8"
        onClick={changeParts}
      >
        {typedParts ? (
          <Trans>Pay the oldest first</Trans>
        ) : (
          <>
            <Trans>Change what it pays</Trans> <kbd data-key="F8" />
          </>
        )}
      </Button>
    </section>
  );
}
