import { Trans } from '@lingui/react/macro';
import { useEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { useConfiguration } from '#features/school/ui/configuration.ts';
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

/**
 * Prints the receipts of a payment at once: one alone, several together on one sheet with their total; on A4 the family’s and
 * the school’s copy, on 80 mm one. Only they are on the paper.
 */
export function PrintReceipts({ papers, size, onDone }: Props) {
  const done = useRef(onDone);
  done.current = onDone;
  const sheet = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A browser draws the receipts and the school's logo first.
    const timer = setTimeout(async () => {
      const pictures = [...(sheet.current?.querySelectorAll('img') ?? [])];
      await Promise.allSettled(pictures.map((picture) => picture.decode()));
      window.print();
      done.current();
    });
    return () => clearTimeout(timer);
  }, []);
  const [first] = papers;
  const copies = size === 'A4' ? (['family', 'school'] as const) : (['family'] as const);
  return createPortal(
    <div
      ref={sheet}
      className={classNames(styles.papers, size === 'A4' ? styles.a4 : styles.narrow)}
      data-print-receipts
    >
      <article className={styles.sheet}>
        {copies.map((whose) =>
          papers.length === 1 && first ? (
            <Receipt key={whose} paper={first} whose={whose} />
          ) : (
            <PaymentReceipts key={whose} papers={papers} whose={whose} />
          ),
        )}
      </article>
    </div>,
    document.body,
  );
}

type Copy = 'family' | 'school';

interface HeadProps {
  paper: Pick<ReceiptPaper, 'school' | 'heading' | 'isCancelled'>;
  title: React.ReactNode;
  whose: Copy;
}

/** The school at the left; the kind of paper at the right, stamped once its payment has ended. */
function PaperHead({ paper: { school, heading, isCancelled }, title, whose }: HeadProps) {
  const { logoPath } = useConfiguration();
  return (
    <Row as="header" gap={16} justify="between" className={styles.head}>
      <Row gap={12}>
        {logoPath && <img src={logoPath} alt="" className={styles.logo} />}
        <div>
          <p className={styles.school}>{school.name}</p>
          {[...school.lines, heading].filter(Boolean).map((line) => (
            <p key={line}>{line}</p>
          ))}
        </div>
      </Row>
      <div className={styles.kind}>
        <p className={styles.title}>{title}</p>
        <p>{whose === 'family' ? <Trans>Family’s copy</Trans> : <Trans>School’s copy</Trans>}</p>
        {isCancelled && (
          <p className={styles.ended}>
            <Trans>CANCELLED</Trans>
          </p>
        )}
      </div>
    </Row>
  );
}

/** All receipts of a payment, each with its number and child, and their total in words. */
function PaymentReceipts({ papers, whose }: { papers: readonly ReceiptPaper[]; whose: Copy }) {
  const [first] = papers;
  if (!first) return null;
  // The other receipts, which a receipt names, are on the same sheet.
  const notesOf = (paper: ReceiptPaper) =>
    paper.notes
      .map((note) => translate(note))
      .filter((note) => papers.every((other) => other === paper || !note.includes(other.receiptNo)));
  const shared = notesOf(first).filter((note) => papers.every((paper) => notesOf(paper).includes(note)));
  return (
    <section className={styles.receipt}>
      <PaperHead paper={{ ...first, heading: '' }} title={<Trans>Fee receipts</Trans>} whose={whose} />
      <Grid as="dl" gap="2 24" className={styles.facts}>
        <Fact name={<Trans>Payment no</Trans>} value={first.paymentNo} />
        <Fact name={<Trans>Date</Trans>} value={showDate(first.date)} />
        <PaidBy paper={first} />
      </Grid>
      <table className={styles.lines}>
        <LineHeads />
        {papers.map((paper) => (
          <tbody key={paper.id}>
            <tr className={styles.of}>
              <th scope="rowgroup" colSpan={3}>
                {paper.receiptNo} · {[paper.student, paper.place, paper.grNo].filter(Boolean).join(', ')}
                {paper.heading && ` · ${paper.heading}`}
              </th>
              <td>{showMoney(paper.total)}</td>
            </tr>
            <Lines paper={paper} />
            {notesOf(paper)
              .filter((note) => !shared.includes(note))
              .map((note) => (
                <tr key={note} className={styles.note}>
                  <td colSpan={4}>{note}</td>
                </tr>
              ))}
          </tbody>
        ))}
        <Total amount={first.payment.amount} />
      </table>
      <p>{translate(first.payment.inWords)}</p>
      <Foot paper={first} notes={shared} />
    </section>
  );
}

const LineHeads = () => (
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
);

const Lines = ({ paper: { lines } }: { paper: ReceiptPaper }) =>
  lines.map((line) => (
    <tr key={`${line.head} ${line.label} ${line.dueOn}`}>
      <td>{[line.head, line.label].filter(Boolean).join(', ')}</td>
      <td>{line.dueOn && showDate(line.dueOn)}</td>
      <td>{line.due > 0 && showMoney(line.due)}</td>
      <td>{showMoney(line.paid)}</td>
    </tr>
  ));

const Total = ({ amount }: { amount: number }) => (
  <tfoot>
    <tr>
      <th scope="row" colSpan={3}>
        <Trans>Total</Trans>
      </th>
      <td>{showMoney(amount)}</td>
    </tr>
  </tfoot>
);

const Foot = ({ paper, notes }: { paper: ReceiptPaper; notes: readonly string[] }) => (
  <Row as="footer" gap={16} justify="between" className={styles.foot}>
    <div>
      {notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <p>{translate(paper.copy)}</p>
    </div>
    <p className={styles.sign}>
      <Trans>for {paper.school.name}</Trans>
    </p>
  </Row>
);

/** One receipt, as it is printed and as the page of a receipt shows it. */
export function Receipt({ paper, whose }: { paper: ReceiptPaper; whose: Copy }) {
  return (
    <section className={styles.receipt}>
      <PaperHead paper={paper} title={<Trans>Fee receipt</Trans>} whose={whose} />
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
        <LineHeads />
        <tbody>
          <Lines paper={paper} />
        </tbody>
        <Total amount={paper.total} />
      </table>
      <p>{translate(paper.inWords)}</p>
      <Foot paper={paper} notes={paper.notes.map((note) => translate(note))} />
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
    <Row gap={12}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </Row>
  );
