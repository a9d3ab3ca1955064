import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { Block } from '#features/family/ui/Block.tsx';
import type { FamilyPartView } from '#features/family/ui/part.ts';
import { useLanguage, withWords } from '#kit/browser/language.tsx';
import { later, useLoaded } from '#kit/browser/ui/use-loaded.ts';
import { showDay } from '#kit/contract/format.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { FamilyPay } from '../contract/family.ts';
import styles from './PayPart.module.css';

interface Props {
  value: readonly FamilyPay[];
  childId: number;
  today: string;
}

/** The code and the form, which the first view does without. */
const more = later(() => withWords(import('./FamilyPay.tsx')));

/** Pays what a child owes today by UPI, one receipt series after the other, and enters what was paid. */
function OfChild({ value, childId, today }: Props) {
  const own = value.find(({ studentId }) => studentId === childId);
  if (!own || own.series.length + own.entered.length === 0) return null;
  return (
    <Block title={<Trans>Pay from home</Trans>}>
      {own.series.map((series) => (
        <Series key={series.id} studentId={childId} series={series} today={today} isOnly={own.series.length === 1} />
      ))}
      {own.entered.length > 0 && (
        <>
          <h3 className={styles.head}>
            <Trans>Your payments</Trans>
          </h3>
          <ul className={styles.entered}>
            {own.entered.map((entered) => (
              <Entered key={entered.id} entered={entered} today={today} />
            ))}
          </ul>
        </>
      )}
    </Block>
  );
}

interface SeriesProps {
  studentId: number;
  series: FamilyPay['series'][number];
  today: string;
  isOnly: boolean;
}

function Series({ studentId, series, today, isOnly }: SeriesProps) {
  const { name, upiId, payee, changedOn, amount, address } = series;
  const money = showMoney(amount);
  const day = showDay(changedOn || today, useLanguage(), today);
  return (
    <div className={styles.series}>
      {!isOnly && <h3 className={styles.head}>{name}</h3>}
      <a className={styles.pay} href={address}>
        <Trans>Pay {money} by UPI</Trans>
      </a>
      <p className={styles.to}>
        <Trans>
          To {payee}: <b translate="no">{upiId}</b>
        </Trans>
      </p>
      {changedOn && (
        <p className={styles.changed}>
          <Trans>This address is new since {day}. Your UPI app shows the name of the account before you pay.</Trans>
        </p>
      )}
      <More studentId={studentId} series={series} today={today} />
      <p className={styles.soft}>
        <Trans>The receipt comes when the school has seen the money in its bank.</Trans>
      </p>
    </div>
  );
}

/** The code for another phone, and "I have paid", loaded when one of them is opened. */
function More({ studentId, series, today }: Omit<SeriesProps, 'isOnly'>) {
  const [wishes, setWishes] = useState(0);
  const [isAway, setAway] = useState(false);
  const parts = useLoaded(more, wishes, () => setAway(true));
  const { id, amount, address } = series;
  const open = () => {
    setAway(false);
    setWishes((before) => before + 1);
  };
  const waiting = (
    <p role="status">
      {isAway ? <Trans>This can’t be loaded now. Close it and open it again.</Trans> : <Trans>Loading…</Trans>}
    </p>
  );
  return (
    <>
      <details className={styles.fold} onToggle={(event) => event.currentTarget.open && open()}>
        <summary>
          <Trans>Code for another phone</Trans>
        </summary>
        {parts ? <parts.Code address={address} amount={amount} /> : waiting}
      </details>
      <details className={styles.fold} onToggle={(event) => event.currentTarget.open && open()}>
        <summary>
          <Trans>I have paid</Trans>
        </summary>
        {parts ? <parts.PaidForm studentId={studentId} seriesId={id} amount={amount} today={today} /> : waiting}
      </details>
    </>
  );
}

function Entered({ entered, today }: { entered: FamilyPay['entered'][number]; today: string }) {
  const { state, amount, paidOn, reference, receiptNo, note } = entered;
  const day = showDay(paidOn, useLanguage(), today);
  return (
    <li>
      <span>{showMoney(amount)}</span>
      <span className={styles.state}>
        {state === 'Seen' ? (
          <Trans>Seen, receipt {receiptNo}</Trans>
        ) : state === 'Waiting' ? (
          <Trans>The school looks for it</Trans>
        ) : (
          <Trans>Not found in the bank</Trans>
        )}
      </span>
      <small>
        {day} · <span translate="no">{reference}</span>
        {note && ` · ${note}`}
      </small>
    </li>
  );
}

export const familyPart = { key: 'online-payment', place: 4.5, OfChild } satisfies FamilyPartView<readonly FamilyPay[]>;
