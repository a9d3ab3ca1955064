import { useEffect, useRef, useState } from 'react';
import { readMoney, typedMoney } from '#kit/contract/money.ts';
import type { PayableLine } from '../contract/payment.ts';
import { spread } from '../contract/spread.ts';

export type PaymentParts = ReturnType<typeof usePaymentParts>;

/** The amount of a payment, and what each chosen due gets of it: the oldest first, or as the cashier types it. */
export function usePaymentParts(lines: readonly PayableLine[]) {
  const [chosen, setChosen] = useState(() => new Set(lines.filter(({ isDue }) => isDue).map(({ key }) => key)));
  const [typedAmount, typeAmount] = useState<string>();
  const [typedParts, setTypedParts] = useState<Record<string, string>>();
  const dues = useRef<HTMLElement>(null);
  const isChanging = useRef(false);

  const payable = lines.filter(({ key }) => chosen.has(key));
  const dueNow = payable.reduce((sum, { owed }) => sum + owed, 0);
  const partsTyped =
    typedParts && new Map(Object.entries(typedParts).map(([key, words]) => [key, words ? (readMoney(words) ?? 0) : 0]));
  const sumOf = (parts: ReadonlyMap<string, number>) => [...parts.values()].reduce((sum, part) => sum + part, 0);
  const amount = typedAmount === undefined ? (partsTyped ? sumOf(partsTyped) : dueNow) : (readMoney(typedAmount) ?? 0);
  /** What was typed as the amount, where it is none. */
  const unreadable = typedAmount !== undefined && readMoney(typedAmount) === undefined ? typedAmount : undefined;
  const parts = partsTyped ?? spread(amount, payable).parts;
  const advance = Math.max(0, amount - sumOf(parts));

  const toggle = (key: string) =>
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(key)) after.add(key);
      return after;
    });
  const typePart = (key: string, words: string) => setTypedParts((before) => ({ ...before, [key]: words }));
  /** Lets the cashier type what each line gets, beginning at the oldest, or pays the oldest first again. */
  const changeParts = () => {
    setTypedParts(
      typedParts ? undefined : Object.fromEntries([...parts].map(([key, part]) => [key, typedMoney(part)])),
    );
    isChanging.current = !typedParts;
  };
  useEffect(() => {
    if (!isChanging.current) return;
    // An effect of an earlier render may run before the fields are there.
    const first = dues.current?.querySelector<HTMLInputElement>('td input.box');
    if (!first) return;
    isChanging.current = false;
    first.focus();
    first.select();
  });
  return {
    dues,
    chosen,
    toggle,
    typedAmount,
    typeAmount,
    unreadable,
    amount,
    parts,
    advance,
    typedParts,
    typePart,
    changeParts,
  };
}
