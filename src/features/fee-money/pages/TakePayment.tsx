import { Trans, useLingui } from '@lingui/react/macro';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { Grid, Row, Stack } from '#kit/browser/ui/Layout.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { isRealDate } from '#kit/contract/fields.ts';
import { readMoney, showMoney, typedMoney } from '#kit/contract/money.ts';
import { chequeApi, chequeKinds } from '../contract/cheque.ts';
import { type Mode, modes, paymentApi } from '../contract/payment.ts';
import type { ReceiptPaper } from '../contract/receipt.ts';
import { spread } from '../contract/spread.ts';
import styles from './Counter.module.css';
import { DueLines } from './DueLines.tsx';

type ChequeKind = (typeof chequeKinds)[number];
type CounterMode = Mode | ChequeKind;
/** The modes of the counter in the order of their keys. */
export const counterModes: readonly CounterMode[] = [...modes, ...chequeKinds];
const isChequeKind = (mode: CounterMode): mode is ChequeKind => chequeKinds.some((kind) => kind === mode);

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
  const [mode, setMode] = useState<CounterMode>('Cash');
  const [cheque, setCheque] = useState({ number: '', bank: '', datedOn: today });
  const isCheque = isChequeKind(mode);
  const [reference, setReference] = useState('');
  const [payerId, setPayerId] = useState(String(payers.find(({ isPrimary }) => isPrimary)?.guardianId ?? ''));
  const [other, setOther] = useState({ name: '', mobile: '' });
  const [backReason, setBackReason] = useState('');
  const amountBox = useRef<HTMLInputElement>(null);
  const dues = useRef<HTMLElement>(null);
  const isChanging = useRef(false);
  const amountId = useId();
  const openedAt = useRef(performance.now());
  const payment = useAction(paymentApi.take);
  const takingCheque = useAction(chequeApi.takeAtCounter);
  const action = isCheque ? takingCheque : payment;
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
    const shared = {
      payerGuardianId: payer?.guardianId ?? null,
      payerName: payer ? '' : other.name,
      payerMobile: payer ? '' : other.mobile,
      amount,
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
    };
    const answer = isChequeKind(mode)
      ? await takingCheque.run({ ...shared, ...cheque, kind: mode })
      : await payment.run({ ...shared, mode, reference, paidOn: on, backReason, remark: '' });
    if (!answer) return;
    toast({
      kind: 'success',
      title: t`${showMoney(amount)} collected. ${answer.papers.map((one) => one.receiptNo).join(', ')}`,
    });
    onTaken(answer.papers);
  };
  /** Lets the cashier type what each line gets, beginning at the oldest, or pays the oldest first again. */
  const changeParts = () => {
    setTypedParts(
      typedParts ? undefined : Object.fromEntries([...parts].map(([key, part]) => [key, typedMoney(part)])),
    );
    isChanging.current = !typedParts;
  };
  useEffect(() => {
    if (!isChanging.current) return;
    isChanging.current = false;
    const first = dues.current?.querySelector<HTMLInputElement>('td input.box');
    first?.focus();
    first?.select();
  });
  const press = (event: KeyboardEvent) => {
    const byNumber = event.altKey && counterModes[Number(event.key) - 1];
    if (byNumber) setMode(byNumber);
    else if (event.key === 'F8') changeParts();
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
      <section ref={dues} aria-label={t`Dues`}>
        <h2>{children.map(({ name }) => name).join(', ')}</h2>
        <p className={styles.about}>
          {payers.map(({ guardianId, name, relation, mobile }, index) => (
            <span key={guardianId}>
              {index > 0 && ' · '}
              {[name, relation].filter(Boolean).join(', ')} <PhoneLink mobile={mobile} />
            </span>
          ))}
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
          onClick={changeParts}
        >
          {typedParts ? <Trans>Pay the oldest first</Trans> : <Trans>Change what it pays (F8)</Trans>}
        </Button>
      </section>
      <Stack as="section" gap={10} className={styles.collect} aria-label={t`Collect`}>
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
        <Grid as="fieldset" gap={6} className={styles.modes}>
          <legend>
            <Trans>Mode (Alt 1–{counterModes.length})</Trans>
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
              onClick={() => setMode(one)}
            >
              {translateOption(one)} <i aria-hidden>{index + 1}</i>
            </Row>
          ))}
        </Grid>
        {isCheque && <ChequeFields id={amountId} today={today} cheque={cheque} onChange={setCheque} />}
        {mode !== 'Cash' && !isCheque && (
          <Stack as="label" gap={2} className={styles.field}>
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
          </Stack>
        )}
        <Stack as="label" gap={2} className={styles.field}>
          <Trans>Received from</Trans>
          <select className="box" value={payerId} onChange={(event) => setPayerId(event.currentTarget.value)}>
            {payers.map(({ guardianId, name, relation }) => (
              <option key={guardianId} value={guardianId}>
                {relation ? t`${name} (${relation})` : name}
              </option>
            ))}
            <option value="">{t`Another person`}</option>
          </select>
        </Stack>
        {!payer && (
          <>
            <Stack as="label" gap={2} className={styles.field}>
              <Trans>Name</Trans>
              <input
                className="box"
                maxLength={120}
                value={other.name}
                onChange={(event) => setOther({ ...other, name: event.currentTarget.value })}
              />
            </Stack>
            <Stack as="label" gap={2} className={styles.field}>
              <Trans>Mobile</Trans>
              <input
                className="box"
                type="tel"
                value={other.mobile}
                onChange={(event) => setOther({ ...other, mobile: event.currentTarget.value })}
              />
            </Stack>
          </>
        )}
        {!isCheque && (
          <Stack gap={2} className={styles.field}>
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
          </Stack>
        )}
        {on !== today && !isCheque && (
          <Stack as="label" gap={2} className={styles.field}>
            <Trans>Reason for the earlier date</Trans>
            <input
              className="box"
              maxLength={200}
              value={backReason}
              onChange={(event) => setBackReason(event.currentTarget.value)}
            />
          </Stack>
        )}
        {action.problem}
        <div className={styles.bar}>
          <Button kind="main" type="submit" isBusy={action.isBusy}>
            <Trans>Collect {showMoney(amount)} and print</Trans>
          </Button>
        </div>
      </Stack>
    </Grid>
  );
}

interface ChequeProps {
  id: string;
  /** The last day a cheque may have that is paid in today. */
  today: string;
  cheque: { number: string; bank: string; datedOn: string };
  onChange: (cheque: ChequeProps['cheque']) => void;
}

/** What stands on a cheque or demand draft; it counts from today, subject to the bank. */
function ChequeFields({ id, today, cheque, onChange }: ChequeProps) {
  return (
    <>
      <Stack as="label" gap={2} className={styles.field}>
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
      </Stack>
      <Stack as="label" gap={2} className={styles.field}>
        <Trans>Bank</Trans>
        <input
          className="box"
          maxLength={80}
          value={cheque.bank}
          onChange={(event) => onChange({ ...cheque, bank: event.currentTarget.value })}
        />
      </Stack>
      <Stack gap={2} className={styles.field}>
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
      </Stack>
    </>
  );
}
