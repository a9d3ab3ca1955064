import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { translate, translateOption } from '#kit/browser/text.ts';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { Grid, Row } from '#kit/browser/ui/Layout.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { ReceiptPaper } from '../contract/receipt.ts';
import styles from './PrintReceipts.module.css';

/** The paper of this device's printer. */
export type PaperSize = 'A4' | '80 mm';
export const paperSizes = ['A4', '80 mm'] as const;

interface Props {
  papers: readonly ReceiptPaper[];
  size: PaperSize;
  onDone: () => void;
}

/** Prints receipts at once: on A4 two copies each, on 80 mm one, and a slip for all of one payment. Only they are on the paper. */
export function PrintReceipts({ papers, size, onDone }: Props) {
  const done = useRef(onDone);
  done.current = onDone;
  useEffect(() => {
    // A browser draws the receipts first.
    const timer = setTimeout(() => {
      window.print();
      done.current();
    });
    return () => clearTimeout(timer);
  }, []);
  return createPortal(
    <div className={classNames(styles.papers, size === 'A4' ? styles.a4 : styles.narrow)} data-print-receipts>
      {papers.map((paper) => (
        <article key={paper.id} className={styles.sheet}>
          <Receipt paper={paper} whose="family" />
          {size === 'A4' && <Receipt paper={paper} whose="school" />}
        </article>
      ))}
      {papers.length > 1 && (
        <article className={styles.sheet}>
          <FamilySlip papers={papers} />
        </article>
      )}
    </div>,
    document.body,
  );
}

interface HeadProps {
  paper: Pick<ReceiptPaper, 'school' | 'heading' | 'isCancelled'>;
  title: React.ReactNode;
  children?: React.ReactNode;
}

/** The school at the left; the kind of paper at the right, stamped once its payment has ended. */
const PaperHead = ({ paper: { school, heading, isCancelled }, title, children }: HeadProps) => (
  <Row as="header" gap={16} justify="between" className={styles.head}>
    <div>
      <p className={styles.school}>{school.name}</p>
      {[...school.lines, heading].filter(Boolean).map((line) => (
        <p key={line}>{line}</p>
      ))}
    </div>
    <div className={styles.kind}>
      <p className={styles.title}>{title}</p>
      {children}
      {isCancelled && (
        <p className={styles.ended}>
          <Trans>CANCELLED</Trans>
        </p>
      )}
    </div>
  </Row>
);

/** A family's receipts of one payment on one slip, with their total. */
function FamilySlip({ papers }: { papers: readonly ReceiptPaper[] }) {
  const [first] = papers;
  if (!first) return null;
  const total = papers.reduce((sum, paper) => sum + paper.total, 0);
  return (
    <section className={styles.receipt}>
      <PaperHead paper={{ ...first, heading: '' }} title={<Trans>Payment slip</Trans>} />
      <Grid as="dl" gap="2 24" className={styles.facts}>
        <Fact name={<Trans>Payment no</Trans>} value={first.paymentNo} />
        <Fact name={<Trans>Date</Trans>} value={showDate(first.date)} />
        <PaidBy paper={first} />
      </Grid>
      <table className={styles.slip}>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Student</Trans>
            </th>
            <th scope="col">
              <Trans>Receipt no</Trans>
            </th>
            <th scope="col">
              <Trans>Amount</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {papers.map((paper) => (
            <tr key={paper.id}>
              <td>{[paper.student, paper.place].filter(Boolean).join(', ')}</td>
              <td>{paper.receiptNo}</td>
              <td>{showMoney(paper.total)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={2}>
              <Trans>Total</Trans>
            </th>
            <td>{showMoney(total)}</td>
          </tr>
        </tfoot>
      </table>
      <Row as="footer" gap={16} justify="between" className={styles.foot}>
        <p>{translate(first.copy)}</p>
        <p className={styles.sign}>
          <Trans>for {first.school.name}</Trans>
        </p>
      </Row>
    </section>
  );
}

/** One receipt, as it is printed and as the page of a receipt shows it. */
export function Receipt({ paper, whose }: { paper: ReceiptPaper; whose: 'family' | 'school' }) {
  const { school, lines } = paper;
  return (
    <section className={styles.receipt}>
      <PaperHead paper={paper} title={<Trans>Fee receipt</Trans>}>
        <p>{whose === 'family' ? <Trans>Family’s copy</Trans> : <Trans>School’s copy</Trans>}</p>
      </PaperHead>
      <Grid as="dl" gap="2 24" className={styles.facts}>
        <Fact name={<Trans>Receipt no</Trans>} value={paper.receiptNo} />
        <Fact name={<Trans>Date</Trans>} value={showDate(paper.date)} />
        <Fact name={<Trans>Student</Trans>} value={paper.student} />
        <Fact name={<Trans>GR no</Trans>} value={paper.grNo} />
        <Fact name={<Trans>Application no</Trans>} value={paper.applicationNo ?? ''} />
        <Fact name={<Trans>Class</Trans>} value={paper.place} />
        <Fact name={<Trans>Roll no</Trans>} value={paper.rollNo} />
        <PaidBy paper={paper} />
      </Grid>
      <table className={styles.lines}>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Fee</Trans>
            </th>
            <th scope="col">
              <Trans>Due on</Trans>
            </th>
            <th scope="col">
              <Trans>Due</Trans>
            </th>
            <th scope="col">
              <Trans>Paid now</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={`${line.head} ${line.label} ${line.dueOn}`}>
              <td>{[line.head, line.label].filter(Boolean).join(', ')}</td>
              <td>{line.dueOn && showDate(line.dueOn)}</td>
              <td>{line.due > 0 && showMoney(line.due)}</td>
              <td>{showMoney(line.paid)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={3}>
              <Trans>Total</Trans>
            </th>
            <td>{showMoney(paper.total)}</td>
          </tr>
        </tfoot>
      </table>
      <p>{translate(paper.inWords)}</p>
      <Row as="footer" gap={16} justify="between" className={styles.foot}>
        <div>
          {paper.notes.map((note) => (
            <p key={translate(note)}>{translate(note)}</p>
          ))}
          <p>{translate(paper.copy)}</p>
        </div>
        <p className={styles.sign}>
          <Trans>for {school.name}</Trans>
        </p>
      </Row>
    </section>
  );
}

const PaidBy = ({ paper: { receivedFrom, mode, reference } }: { paper: ReceiptPaper }) => (
  <>
    <Fact name={<Trans>Received from</Trans>} value={receivedFrom} />
    <Fact name={<Trans>Mode</Trans>} value={[translateOption(mode), reference].filter(Boolean).join(', ')} />
  </>
);

const Fact = ({ name, value }: { name: React.ReactNode; value: string }) =>
  value === '' ? null : (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
