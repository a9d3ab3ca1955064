import { Trans, useLingui } from '@lingui/react/macro';
import { useEffect, useRef, useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { keepChoice, readChoice } from '#kit/browser/ui/device-choice.ts';
import { Grid, Row, Stack } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { showTime } from '#kit/browser/ui/show.ts';
import { paymentApi } from '../contract/payment.ts';
import type { ReceiptPaper } from '../contract/receipt.ts';
import styles from './Counter.module.css';
import { counterModes } from './counter-modes.ts';
import { FindFamily } from './FindFamily.tsx';
import { LastPayments } from './LastPayments.tsx';
import { OpenShift } from './OpenShift.tsx';
import { type PaperSize, PrintReceipts, paperSizes } from './PrintReceipts.tsx';
import { TakePayment } from './TakePayment.tsx';

const sizeName = 'receipt-paper';

/** A child, with the adult whose children pay together. */
interface Chosen {
  studentId: string;
  guardianId: string;
}

/** The counter: one field finds a family, Enter takes what it owes today and prints, and the next family follows. */
export function Counter({ studentId }: { studentId?: string }) {
  const { t } = useLingui();
  const box = useRef<HTMLInputElement>(null);
  const [words, setWords] = useState('');
  const [chosen, setChosen] = useState<Chosen | undefined>(studentId ? { studentId, guardianId: '' } : undefined);
  const [papers, setPapers] = useState<readonly ReceiptPaper[]>([]);
  const [size, setSize] = useState<PaperSize>(readChoice(sizeName) === '80 mm' ? '80 mm' : 'A4');
  const startAgain = () => {
    setWords('');
    setChosen(undefined);
    box.current?.focus();
  };
  useEffect(() => {
    if (!studentId) box.current?.focus();
  }, [studentId]);
  return (
    <>
      <ClosedDrawer onOpen={() => box.current?.focus()} />
      <Grid align="start" className={styles.counter}>
        <FindFamily
          box={box}
          words={words}
          onWords={(typed) => {
            setWords(typed);
            setChosen(undefined);
          }}
          onChoose={({ children: [first], guardianId }) => {
            setWords('');
            setChosen(first && { studentId: String(first.studentId), guardianId: String(guardianId ?? '') });
          }}
        />
        {chosen && (
          <Family
            key={`${chosen.studentId} ${chosen.guardianId}`}
            chosen={chosen}
            onLeave={startAgain}
            onTaken={(taken) => {
              setPapers(taken);
              startAgain();
            }}
          />
        )}
        <aside className={styles.aside}>
          <LastPayments onPrint={setPapers} onCancelled={() => box.current?.focus()} />
          <Stack as="label" gap={2}>
            <Trans>Paper</Trans>
            <select
              className="box"
              value={size}
              onChange={(event) => {
                const next = event.currentTarget.value as PaperSize;
                keepChoice(sizeName, next);
                setSize(next);
              }}
            >
              {paperSizes.map((one) => (
                <option key={one} value={one}>
                  {one === 'A4' ? t`A4, two copies on a sheet` : t`80 mm`}
                </option>
              ))}
            </select>
          </Stack>
        </aside>
        <Row as="p" gap="4 20" wrap tone="soft" line="above" className={styles.keys}>
          <Key name={t`Enter`} does={chosen ? t`collect and print` : t`find`} />
          {chosen && <Key name={`Alt 1–${counterModes.length}`} does={t`mode`} />}
          {chosen && <Key name="F8" does={t`change what it pays`} />}
          {chosen && <Key name="F9" does={t`cash given`} />}
          {chosen ? <Key name="Esc" does={t`start again`} /> : <Key name="↓" does={t`next family`} />}
        </Row>
        {papers.length > 0 && (
          <PrintReceipts
            key={papers.map(({ receiptNo }) => receiptNo).join()}
            papers={papers}
            size={size}
            onDone={() => {
              setPapers([]);
              box.current?.focus();
            }}
          />
        )}
      </Grid>
    </>
  );
}

/** Says before the search that the drawer is closed, and opens another shift. */
function ClosedDrawer({ onOpen }: { onOpen: () => void }) {
  const { data: day } = useRead(paymentApi.today, {});
  if (!day?.isClosed) return null;
  return (
    <Notice as="div" role="status" className={styles.closed}>
      <Row gap="8 16" align="center" wrap>
        <span>
          <b>
            <Trans>Your drawer is closed since {showTime(day.closedAt)}.</Trans>
          </b>{' '}
          {day.mayOpenShift ? (
            <Trans>Money that you take today goes into another shift.</Trans>
          ) : (
            <Trans>Another cashier can take the money today, or you tomorrow.</Trans>
          )}
        </span>
        {day.mayOpenShift && <OpenShift shift={day.nextShift} onDone={onOpen} />}
      </Row>
    </Notice>
  );
}

const Key = ({ name, does }: { name: string; does: string }) => (
  <span>
    <kbd>{name}</kbd> {does}
  </span>
);

interface FamilyProps {
  chosen: Chosen;
  onLeave: () => void;
  onTaken: (papers: readonly ReceiptPaper[]) => void;
}

function Family({ chosen, ...acts }: FamilyProps) {
  const [on, setOn] = useState('');
  const dues = useRead(paymentApi.dues, { ...chosen, on });
  return (
    <QueryBoundary query={dues}>
      {(found) => <TakePayment key={found.on} found={found} onDay={setOn} {...acts} />}
    </QueryBoundary>
  );
}
