import { Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { isRealDate } from '#kit/contract/fields.ts';
import { readMoney, showMoney, typedMoney } from '#kit/contract/money.ts';
import { type Mode, modes, paymentApi } from '../../contract/money/payment.ts';
import type { ReceiptPaper } from '../../contract/money/receipt.ts';
import { spread } from '../../contract/money/spread.ts';
import styles from './Counter.module.css';
import { DueLines } from './DueLines.tsx';

interface Props {
  found: OutputOf<typeof paymentApi.dues>;
  onDay: (day: string) => void;
  onLeave: () => void;
  onTaken: (papers: readonly ReceiptPaper[]) => void;
}

/** A family's dues, and the form that takes its money. Enter anywhere in it collects and prints. */
export function TakePayment({ found, onDay, onLeave, onTaken }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const { on, today, children, payers } = found;
  const lines = children.flatMap((child) => child.lines);
  const [chosen, setChosen] = useState(() => new Set(lines.filter(({ isDue }) => isDue).map(({ key }) => key)));
  const [typedAmount, setTypedAmount] = useState<string>();
  const [typedParts, setTypedParts] = useState<Record<string, string>>();
  const [mode, setMode] = useState<Mode>('Cash');
  const [reference, setReference] = useState('');
  const [payerId, setPayerId] = useState(String(payers.find(({ isPrimary }) => isPrimary)?.guardianId ?? ''));
  const [other, setOther] = useState({ name: '', mobile: '' });
  const [backReason, setBackReason] = useState('');
  const amountBox = useRef<HTMLInputElement>(null);
  const amountId = useId();
  const openedAt = useRef(performance.now());
  const action = useAction(paymentApi.take);
  useEffect(() => amountBox.current?.select(), []);

  const payable = lines.filter(({ key }) => chosen.has(key));
  const dueNow = payable.reduce((sum, { owed }) => sum + owed, 0);
  const partsTyped =
    typedParts && new Map(Object.entries(typedParts).map(([key, words]) => [key, words ? (readMoney(words) ?? 0) : 0]));
  const sumOf = (parts: ReadonlyMap<string, number>) => [...parts.values()].reduce((sum, part) => sum + part, 0);
  const amount = typedAmount === undefined ? (partsTyped ? sumOf(partsTyped) : dueNow) : (readMoney(typedAmount) ?? 0);
  const parts = partsTyped ?? spread(amount, payable).parts;
  const advance = Math.max(0, amount - sumOf(parts));
  const payer = payers.find(({ guardianId }) => String(guardianId) === payerId);

  const collect = async () => {
    // The Enter that found the family may still be held.
    if (performance.now() - openedAt.current < 400 || action.isBusy) return;
    const answer = await action.run({
      payerGuardianId: payer?.guardianId ?? null,
      payerName: payer ? '' : other.name,
      payerMobile: payer ? '' : other.mobile,
      mode,
      amount,
      reference,
      paidOn: on,
      backReason,
      remark: '',
      children: children
        .filter(({ isElsewhere }) => !isElsewhere)
        .map(({ studentId, version, lines: own }) => ({
          studentId,
          version,
          lines: own.flatMap(({ key }) => {
            const part = parts.get(key) ?? 0;
            return part > 0 ? [{ key, amount: part }] : [];
          }),
        }))
        .filter(({ lines: own }, _, all) => own.length > 0 || all.every((one) => one.lines.length === 0)),
    });
    if (!answer) return;
    toast({
      kind: 'success',
      title: t`${showMoney(amount)} collected. ${answer.papers.map((one) => one.receiptNo).join(', ')}`,
    });
    onTaken(answer.papers);
  };
  const press = (event: KeyboardEvent) => {
    const byNumber = event.altKey && modes[Number(event.key) - 1];
    if (byNumber) setMode(byNumber);
    else if (event.key === 'F8')
      setTypedParts((before) =>
        before ? undefined : Object.fromEntries([...parts].map(([key, part]) => [key, typedMoney(part)])),
      );
    else if (event.key === 'Escape') onLeave();
    else return;
    event.preventDefault();
  };
  const toggle = (key: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });

  return (
    <form
      className={styles.family}
      aria-label={t`Payment of a family`}
      onKeyDown={press}
      onSubmit={(event) => {
        event.preventDefault();
        void collect();
      }}
    >
      <section aria-label={t`Dues`}>
        <h2>{children.map(({ name }) => name).join(', ')}</h2>
        <p className={styles.about}>
          {payers.map(({ name, relation, mobile }) => [name, relation, mobile].filter(Boolean).join(', ')).join(' · ')}
        </p>
        <DueLines
          family={children}
          on={on}
          parts={parts}
          chosen={chosen}
          onChoose={toggle}
          typed={typedParts}
          onType={(key, words) => setTypedParts((before) => ({ ...before, [key]: words }))}
        />
        <Button
          kind="quiet"
          edge="start"
          aria-pressed={typedParts !== undefined}
          aria-keyshortcuts="F8"
          onClick={() =>
            setTypedParts(
              typedParts ? undefined : Object.fromEntries([...parts].map(([key, part]) => [key, typedMoney(part)])),
            )
          }
        >
          {typedParts ? <Trans>Pay the oldest first</Trans> : <Trans>Change what it pays (F8)</Trans>}
        </Button>
      </section>
      <section className={styles.collect} aria-label={t`Collect`}>
        <label htmlFor={amountId}>
          <Trans>Amount (₹)</Trans>
        </label>
        <input
          id={amountId}
          ref={amountBox}
          className={`box ${styles.amount}`}
          inputMode="decimal"
          autoComplete="off"
          // biome-ignore lint/a11y/noAutofocus: the next key at the counter is an amount or Enter.
          autoFocus
          value={typedAmount ?? typedMoney(amount)}
          onChange={(event) => setTypedAmount(event.currentTarget.value)}
        />
        {advance > 0 && (
          <p>
            <Trans>{showMoney(advance)} of it is paid in advance.</Trans>
          </p>
        )}
        <fieldset className={styles.modes}>
          <legend>
            <Trans>Mode (Alt 1–{modes.length})</Trans>
          </legend>
          {modes.map((one, index) => (
            <button
              key={one}
              type="button"
              aria-pressed={mode === one}
              aria-keyshortcuts={`Alt+${index + 1}`}
              onClick={() => setMode(one)}
            >
              {translateOption(one)} <i aria-hidden>{index + 1}</i>
            </button>
          ))}
        </fieldset>
        {mode !== 'Cash' && (
          <label className={styles.field}>
            <Trans>Reference</Trans>
            <input
              className="box"
              // biome-ignore lint/a11y/noAutofocus: a transfer has a number to type.
              autoFocus
              autoComplete="off"
              maxLength={60}
              value={reference}
              onChange={(event) => setReference(event.currentTarget.value)}
            />
          </label>
        )}
        <label className={styles.field}>
          <Trans>Received from</Trans>
          <select className="box" value={payerId} onChange={(event) => setPayerId(event.currentTarget.value)}>
            {payers.map(({ guardianId, name, relation }) => (
              <option key={guardianId} value={guardianId}>
                {relation ? t`${name} (${relation})` : name}
              </option>
            ))}
            <option value="">{t`Another person`}</option>
          </select>
        </label>
        {!payer && (
          <>
            <label className={styles.field}>
              <Trans>Name</Trans>
              <input
                className="box"
                maxLength={120}
                value={other.name}
                onChange={(event) => setOther({ ...other, name: event.currentTarget.value })}
              />
            </label>
            <label className={styles.field}>
              <Trans>Mobile</Trans>
              <input
                className="box"
                type="tel"
                value={other.mobile}
                onChange={(event) => setOther({ ...other, mobile: event.currentTarget.value })}
              />
            </label>
          </>
        )}
        <div className={styles.field}>
          <label htmlFor={`${amountId}-day`}>
            <Trans>Date</Trans>
          </label>
          <DateInput
            id={`${amountId}-day`}
            value={on}
            toward="past"
            max={today}
            onChange={(day) => isRealDate(day) && onDay(day)}
          />
        </div>
        {on !== today && (
          <label className={styles.field}>
            <Trans>Reason for the earlier date</Trans>
            <input
              className="box"
              maxLength={200}
              value={backReason}
              onChange={(event) => setBackReason(event.currentTarget.value)}
            />
          </label>
        )}
        {action.problem}
        <div className={styles.bar}>
          <Button kind="main" type="submit" isBusy={action.isBusy}>
            <Trans>Collect {showMoney(amount)} and print</Trans>
          </Button>
        </div>
      </section>
    </form>
  );
}
