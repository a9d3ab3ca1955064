import { Trans, useLingui } from '@lingui/react/macro';
import { lazy, type RefObject, Suspense, useEffect } from 'react';
import { translateOption } from '#kit/browser/text.ts';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { Grid, Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { isRealDate } from '#kit/contract/fields.ts';
import { readMoney, showMoney, typedMoney } from '#kit/contract/money.ts';
import { banks } from '../contract/banks.ts';
import styles from './Counter.module.css';
import { type CounterMode, counterModes } from './counter-modes.ts';
import { type FamilyDues, type PaymentDetails, payerOf } from './use-collect.tsx';
import type { PaymentParts } from './use-payment-parts.ts';

// The words of numbers are as much code as the counter.
const AmountWords = lazy(async () => ({ default: (await import('./AmountWords.tsx')).AmountWords }));

/** The place of a step of the counter. */
export const Step = ({ at }: { at: number }) => <i className={styles.step} data-at={at} aria-hidden />;

interface AmountProps {
  id: string;
  box: RefObject<HTMLInputElement | null>;
  /** Whether a phone first shows what the family owes. */
  isPhone: boolean;
  parts: PaymentParts;
}

export function AmountField({ id, box, isPhone, parts: { amount, typedAmount, typeAmount } }: AmountProps) {
  useEffect(() => {
    if (!isPhone) box.current?.select();
  }, [box, isPhone]);
  return (
    <>
      <label htmlFor={id}>
        <Step at={2} />
        <Trans>Amount (₹)</Trans>
      </label>
      <input
        id={id}
        ref={box}
        className={`box ${styles.amount}`}
        inputMode="decimal"
        autoComplete="off"
        // biome-ignore lint/a11y/noAutofocus: the next key at the counter is an amount or Enter.
        autoFocus={!isPhone}
        value={typedAmount ?? typedMoney(amount)}
        onChange={(event) => typeAmount(event.currentTarget.value)}
      />
      <Text tone="soft" size={13} className={styles.words}>
        <Suspense fallback={null}>
          <AmountWords amount={amount} />
        </Suspense>
      </Text>
    </>
  );
}

interface GivenProps {
  amount: number;
  given: string;
  box: RefObject<HTMLInputElement | null>;
  onGiven: (given: string) => void;
}

/** The cash that the payer gives, and what to return; it is not stored. */
export function CashGiven({ amount, given, box, onGiven }: GivenProps) {
  const paise = readMoney(given);
  const difference = paise === undefined ? undefined : paise - amount;
  return (
    <>
      <Row as="label" gap={12} align="center" justify="between" className={styles.given}>
        <span>
          <Trans>Cash given</Trans> <kbd data-key="F9" />
        </span>
        <input
          ref={box}
          className="box"
          inputMode="decimal"
          autoComplete="off"
          aria-keyshortcuts="F9"
          value={given}
          onChange={(event) => onGiven(event.currentTarget.value)}
        />
      </Row>
      <p role="status" className={styles.back}>
        {difference !== undefined &&
          (difference >= 0 ? (
            <Row as="span" gap={12} justify="between">
              <Trans>
                Return <b>{showMoney(difference)}</b>
              </Trans>
            </Row>
          ) : (
            <Trans>{showMoney(-difference)} less than the amount</Trans>
          ))}
      </p>
    </>
  );
}

export function ModeField({ mode, onMode }: { mode: CounterMode; onMode: (mode: CounterMode) => void }) {
  return (
    <Grid as="fieldset" gap={6} className={styles.modes}>
      <legend>
        <Step at={3} />
        <Trans>Mode</Trans> <kbd data-key={`Alt 1–${counterModes.length}`} />
      </legend>
      {counterModes.map((one, index) => (
        <Row
          as="button"
          align="center"
          justify="between"
          key={one}
          type="button"
          aria-pressed={mode === one}
          aria-keyshortcuts={`Alt+${index + 1}`}
          onClick={() => onMode(one)}
        >
          {translateOption(one)} <i aria-hidden>{index + 1}</i>
        </Row>
      ))}
    </Grid>
  );
}

interface DetailProps {
  found: FamilyDues;
  details: PaymentDetails;
  onChange: (part: Partial<PaymentDetails>) => void;
}

/** The number of a transfer. */
export function ReferenceField({ details: { reference }, onChange }: Omit<DetailProps, 'found'>) {
  return (
    <Row as="label" gap={12} align="center" justify="between" className={styles.field}>
      <Trans>Reference</Trans>
      <input
        className="box"
        // biome-ignore lint/a11y/noAutofocus: a transfer has a number to type.
        autoFocus
        autoComplete="off"
        maxLength={60}
        value={reference}
        onChange={(event) => onChange({ reference: event.currentTarget.value })}
      />
    </Row>
  );
}

/** A guardian of the family, or another person with a name and a mobile. */
export function PayerFields({ found, details, onChange }: DetailProps) {
  const { t } = useLingui();
  const { payerId, other } = details;
  return (
    <>
      <Stack as="label" gap={2} className={styles.payer}>
        <Trans>Received from</Trans>
        <select className="box" value={payerId} onChange={(event) => onChange({ payerId: event.currentTarget.value })}>
          {found.payers.map(({ guardianId, name, relation }) => (
            <option key={guardianId} value={guardianId}>
              {relation ? t`${name} (${relation})` : name}
            </option>
          ))}
          <option value="">{t`Another person`}</option>
        </select>
      </Stack>
      {!payerOf(found, details) && (
        <>
          <Row as="label" gap={12} align="center" justify="between" className={styles.field}>
            <Trans>Name</Trans>
            <input
              className="box"
              maxLength={120}
              value={other.name}
              onChange={(event) => onChange({ other: { ...other, name: event.currentTarget.value } })}
            />
          </Row>
          <Row as="label" gap={12} align="center" justify="between" className={styles.field}>
            <Trans>Mobile</Trans>
            <input
              className="box"
              type="tel"
              value={other.mobile}
              onChange={(event) => onChange({ other: { ...other, mobile: event.currentTarget.value } })}
            />
          </Row>
        </>
      )}
    </>
  );
}

interface DayProps extends DetailProps {
  id: string;
  onDay: (day: string) => void;
}

/** The day of the payment, and why it is an earlier one. */
export function PaidOnFields({ id, found: { on, today }, details: { backReason }, onChange, onDay }: DayProps) {
  return (
    <>
      <Row gap={12} align="center" justify="between" className={styles.field}>
        <label htmlFor={`${id}-day`}>
          <Trans>Date</Trans>
        </label>
        <DateInput
          id={`${id}-day`}
          value={on}
          toward="past"
          max={today}
          onChange={(day) => isRealDate(day) && onDay(day)}
        />
      </Row>
      {on !== today && (
        <Row as="label" gap={12} align="center" justify="between" className={styles.field}>
          <Trans>Reason for the earlier date</Trans>
          <input
            className="box"
            maxLength={200}
            value={backReason}
            onChange={(event) => onChange({ backReason: event.currentTarget.value })}
          />
        </Row>
      )}
    </>
  );
}

interface ChequeProps {
  id: string;
  /** The last day a cheque may have that is paid in today. */
  today: string;
  cheque: PaymentDetails['cheque'];
  onChange: (cheque: PaymentDetails['cheque']) => void;
}

/** What stands on a cheque or demand draft; it counts from today, subject to the bank. */
export function ChequeFields({ id, today, cheque, onChange }: ChequeProps) {
  return (
    <>
      <Row as="label" gap={12} align="center" justify="between" className={styles.field}>
        <Trans>Number</Trans>
        <input
          className="box"
          // biome-ignore lint/a11y/noAutofocus: a cheque has a number to type.
          autoFocus
          inputMode="numeric"
          autoComplete="off"
          maxLength={6}
          value={cheque.number}
          onChange={(event) => onChange({ ...cheque, number: event.currentTarget.value })}
        />
      </Row>
      <Row as="label" gap={12} align="center" justify="between" className={styles.field}>
        <Trans>Bank</Trans>
        <input
          className="box"
          list={`${id}-banks`}
          autoComplete="off"
          maxLength={80}
          value={cheque.bank}
          onChange={(event) => onChange({ ...cheque, bank: event.currentTarget.value })}
        />
        <datalist id={`${id}-banks`}>
          {banks.map((bank) => (
            <option key={bank} value={bank} />
          ))}
        </datalist>
      </Row>
      <Row gap={12} align="center" justify="between" className={styles.field}>
        <label htmlFor={`${id}-dated`}>
          <Trans>Dated</Trans>
        </label>
        <DateInput
          id={`${id}-dated`}
          value={cheque.datedOn}
          toward="past"
          max={today}
          onChange={(datedOn) => onChange({ ...cheque, datedOn })}
        />
      </Row>
    </>
  );
}
