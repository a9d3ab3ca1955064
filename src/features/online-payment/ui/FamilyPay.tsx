import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import '#features/family/ui/more-texts.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { QrCode } from '#kit/browser/ui/QrCode.tsx';
import { showMoney, typedMoney } from '#kit/contract/money.ts';
import { payApi } from '../contract/family.ts';
import styles from './PayPart.module.css';

/** The code that another phone reads, loaded when it is opened. */
export function Code({ address, amount }: { address: string; amount: number }) {
  const { t } = useLingui();
  const money = showMoney(amount);
  return <QrCode text={address} label={t`UPI code for ${money}`} />;
}

interface PaidProps {
  studentId: number;
  seriesId: number;
  /** What is due now, in paise; 0 for money paid ahead. */
  amount: number;
  today: string;
  /** Reads again what the page shows of payments. */
  onEntered: () => Promise<void>;
}

/** Enters a payment that was made: reference, amount and day. */
export function PaidForm({ studentId, seriesId, amount, today, onEntered }: PaidProps) {
  const [reference, setReference] = useState('');
  const [typed, setTyped] = useState(amount > 0 ? typedMoney(amount) : '');
  const [paidOn, setPaidOn] = useState(today);
  const [isSaved, setSaved] = useState(false);
  const { run, isBusy, problem } = useAction(payApi.enter);
  return (
    <form
      className={styles.form}
      onSubmit={async (event) => {
        event.preventDefault();
        setSaved(false);
        if (!(await run({ studentId, seriesId, reference, amount: typed, paidOn }))) return;
        setReference('');
        setSaved(true);
        await onEntered();
      }}
    >
      <label>
        <Trans>Reference (UTR) of the payment, as your UPI app shows it</Trans>
        <input
          type="text"
          required
          maxLength={60}
          autoComplete="off"
          value={reference}
          onChange={(event) => setReference(event.currentTarget.value)}
        />
      </label>
      <label>
        <Trans>Amount (₹)</Trans>
        <input
          type="text"
          required
          inputMode="decimal"
          maxLength={20}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <label>
        <Trans>Paid on</Trans>
        <input
          type="date"
          required
          max={today}
          value={paidOn}
          onChange={(event) => setPaidOn(event.currentTarget.value)}
        />
      </label>
      <button type="submit" aria-disabled={isBusy}>
        <Trans>Send to the school</Trans>
      </button>
      {problem}
      <p role="status">{isSaved && <Trans>Saved. The school looks for it in its bank.</Trans>}</p>
    </form>
  );
}
