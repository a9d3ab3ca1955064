import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useId, useState } from 'react';
import { familyApi } from '#features/family/contract/family.ts';
import '#features/family/ui/more-texts.ts';
import { Block } from '#features/family/ui/Block.tsx';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { get } from '#kit/browser/data/get.ts';
import { useLanguage } from '#kit/browser/language.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { useConfirmed } from '#kit/browser/ui/confirmed.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { showDay } from '#kit/contract/format.ts';
import { showMoney } from '#kit/contract/money.ts';
import { type FamilyPay, payApi } from '../contract/family.ts';
import { Code, PaidForm } from './FamilyPay.tsx';
import styles from './PayPart.module.css';

interface Props {
  own: FamilyPay;
  today: string;
}

/** Pays what a child owes today by UPI, one receipt series after the other, and enters what was paid. */
export function Body({ own: before, today }: Props) {
  const [readAgain, setReadAgain] = useState<FamilyPay>();
  const own = readAgain?.studentId === before.studentId ? readAgain : before;
  // The page itself is read once. Where the line is down, what was entered is saved all the same.
  const read = async () => {
    const page = await get(familyApi.read, {}).catch(() => undefined);
    const parts = page?.parts['online-payment'] as readonly FamilyPay[] | undefined;
    setReadAgain(parts?.find(({ studentId }) => studentId === before.studentId));
  };
  const atCounter = showMoney(own.atCounter);
  return (
    <Block title={<Trans>Payments</Trans>}>
      {own.series.length + own.ahead.length === 0 && (
        <p className={styles.soft}>
          <Trans>Fees are paid at the school’s counter.</Trans>
        </p>
      )}
      {own.series.map((series) => (
        <Series key={series.id} studentId={own.studentId} series={series} today={today} onEntered={read} />
      ))}
      {own.series.length + own.ahead.length > 0 && own.atCounter > 0 && (
        <p className={styles.soft}>
          <Trans>Pay {atCounter} at the school’s counter.</Trans>
        </p>
      )}
      {own.ahead.map(({ id, name, upiId, payee }) => (
        <details key={id} className={styles.fold}>
          <summary>
            <Trans>I have paid ahead: {name}</Trans>
          </summary>
          <p className={styles.to}>
            <Trans>
              To {payee}: <b translate="no">{upiId}</b>
            </Trans>
          </p>
          <PaidForm studentId={own.studentId} seriesId={id} amount={0} today={today} onEntered={read} />
        </details>
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
      {own.receipts.length > 0 && (
        <details className={styles.fold}>
          <summary>
            <Trans>Receipts</Trans>
          </summary>
          <ul className={styles.entered}>
            {own.receipts.map((receipt) => (
              <Receipt key={receipt.id} receipt={receipt} today={today} />
            ))}
          </ul>
        </details>
      )}
      <Papers studentId={own.studentId} />
    </Block>
  );
}

/** Statements and certificates, which a proven phone is shown. */
function Papers({ studentId }: { studentId: number }) {
  const confirmed = useConfirmed();
  const { attempt, isBusy, problem } = useAttempt();
  const download = useDownload();
  const certify = useAction(payApi.certify);
  const [papers, setPapers] = useState<OutputOf<typeof payApi.papers>>();
  const read = () => attempt(async () => setPapers(await confirmed(() => get(payApi.papers, { id: studentId }))));
  if (!papers)
    return (
      <>
        <button type="button" className={styles.more} aria-disabled={isBusy} onClick={() => void read()}>
          <Trans>Statements and certificates</Trans>
        </button>
        {problem}
      </>
    );
  const { statements, certificates } = papers;
  return (
    <>
      <h3 className={styles.head} tabIndex={-1} ref={takeFocus}>
        <Trans>Statements and certificates</Trans>
      </h3>
      <ul className={styles.entered}>
        {statements.map(({ yearId, name }) => (
          <Paper
            key={yearId}
            words={<Trans>Statement {name}</Trans>}
            isBusy={isBusy}
            onOpen={() => attempt(() => download(payApi.statement, { id: studentId, yearId }, `${fileName(name)}.pdf`))}
          />
        ))}
        {certificates.map(({ year, startsIn, seriesId, series, amount }) => (
          <Paper
            key={`${startsIn} ${seriesId}`}
            words={<Trans>Certificate for income tax {year}</Trans>}
            about={`${series} · ${showMoney(amount)}`}
            isBusy={isBusy || certify.isBusy}
            onOpen={async () => {
              const made = await certify.run({ studentId, startsIn, seriesId });
              if (made)
                await attempt(() =>
                  download(payApi.certificate, { id: made.id }, `${fileName(made.certificateNo)}.pdf`),
                );
            }}
          />
        ))}
      </ul>
      {certify.problem}
      {problem}
      <p className={styles.soft}>
        <Trans>Ask the school for a paper that is not listed here.</Trans>
      </p>
    </>
  );
}

interface PaperProps {
  words: ReactNode;
  about?: string;
  isBusy: boolean;
  onOpen: () => unknown;
}

/** The button that opened the list is gone. */
const takeFocus = (head: HTMLElement | null) => head?.focus({ preventScroll: true });
const fileName = (words: string) => words.replaceAll('/', '-');

function Paper({ words, about, isBusy, onOpen }: PaperProps) {
  const id = useId();
  return (
    <li>
      <span id={`${id}-words`}>{words}</span>
      <span className={styles.state}>
        <button
          type="button"
          id={`${id}-open`}
          className={styles.pdf}
          aria-labelledby={`${id}-open ${id}-words`}
          aria-disabled={isBusy}
          onClick={onOpen}
        >
          <Trans>PDF</Trans>
        </button>
      </span>
      {about && <small>{about}</small>}
    </li>
  );
}

interface SeriesProps {
  studentId: number;
  series: FamilyPay['series'][number];
  today: string;
  onEntered: () => Promise<void>;
}

function Series({ studentId, series, today, onEntered }: SeriesProps) {
  const { id, name, upiId, payee, changedOn, amount, address } = series;
  const money = showMoney(amount);
  const day = showDay(changedOn || today, useLanguage(), today);
  return (
    <div className={styles.series}>
      <h3 className={styles.head}>{name}</h3>
      {address && (
        <a className={styles.pay} href={address}>
          <Trans>Pay {money} by UPI</Trans>
        </a>
      )}
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
      {address && (
        <details className={styles.fold}>
          <summary>
            <Trans>Code for another phone</Trans>
          </summary>
          <Code address={address} amount={amount} />
        </details>
      )}
      <details className={styles.fold}>
        <summary>
          <Trans>I have paid</Trans>
        </summary>
        <PaidForm studentId={studentId} seriesId={id} amount={amount} today={today} onEntered={onEntered} />
      </details>
      <p className={styles.soft}>
        <Trans>The receipt comes when the school has seen the money in its bank.</Trans>
      </p>
    </div>
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

/** A receipt; its PDF is opened on a proven phone. */
function Receipt({ receipt, today }: { receipt: FamilyPay['receipts'][number]; today: string }) {
  const { t } = useLingui();
  const { id, receiptNo, day, amount, mode, ended, hasFile } = receipt;
  const download = useDownload();
  const { attempt, isBusy, problem } = useAttempt();
  const open = () => attempt(() => download(payApi.receipt, { id }, `${fileName(receiptNo)}.pdf`));
  return (
    <li>
      <span>{showMoney(amount)}</span>
      <span className={styles.state}>
        {ended === 'Cancelled' && <Trans>Cancelled</Trans>}
        {ended === 'Bounced' && <Trans>Cheque returned</Trans>}
        {hasFile && (
          <button
            type="button"
            className={styles.pdf}
            aria-label={t`PDF of receipt ${receiptNo}`}
            aria-disabled={isBusy}
            onClick={() => void open()}
          >
            <Trans>PDF</Trans>
          </button>
        )}
      </span>
      <small>
        {showDay(day, useLanguage(), today)} · {translateOption(mode)} · <span translate="no">{receiptNo}</span>
      </small>
      {problem}
    </li>
  );
}
