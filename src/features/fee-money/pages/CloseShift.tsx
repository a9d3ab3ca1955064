import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm, type Values } from '#kit/browser/form/form-context.ts';
import { translateOption } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Grid, Row, Stack, Table, Text } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { readMoney, showMoney } from '#kit/contract/money.ts';
import { type CashierDay, dayApi, dayMessages } from '../contract/day.ts';
import styles from './day.module.css';

interface Props {
  day: CashierDay;
  /** The form that closed the shift is replaced by what was counted, which then takes the focus. */
  isClosedNow: RefObject<boolean>;
}

/** The notes of a drawer, and ₹1 for all coins together. */
const counted = [500, 200, 100, 50, 20, 10, 1] as const;
const countOf = (typed: string) => (/^[0-9]{1,6}$/.test(typed.trim()) ? Number(typed) : 0);

interface TypedCount {
  note: number;
  pieces: string;
}

/** A shift in three columns: what came in, the cash count, and the close, which asks with the sums. */
export function CloseShift({ day, isClosedNow }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  return (
    <ApiForm
      endpoint={dayApi.close}
      label={t`Close the shift`}
      initial={{
        counts: counted.map((note): TypedCount => ({ note, pieces: '' })),
        reason: '',
        banked: '',
        slipNo: '',
      }}
      hiddenValues={{ id: day.id, version: day.version }}
      validate={(values) => {
        const { counted: sum, banked } = countedOf(values);
        const isDifferent = sum !== day.expected && String(values.reason).trim() === '';
        return {
          ...(isDifferent && { reason: dayMessages.reason }),
          ...(day.isOther && String(values.reason).trim() === '' && { reason: dayMessages.otherReason }),
          ...(banked > sum && { banked: dayMessages.banked }),
        };
      }}
      ask={(send, onClose) => <AskClose day={day} send={send} onClose={onClose} />}
      onDone={() => {
        isClosedNow.current = true;
        toast({ kind: 'success', title: t`The shift is closed.` });
      }}
      buttons={() => null}
    >
      <Grid gap="24 32" align="start" className={styles.three}>
        <CameIn day={day} />
        <CountCash />
        <Closing day={day} />
      </Grid>
    </ApiForm>
  );
}

/** A closed shift, or one that the reader does not close. */
export function ClosedShift({ day, isClosedNow }: Props) {
  const closed = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isClosedNow.current) closed.current?.focus();
    isClosedNow.current = false;
  }, [isClosedNow]);
  const { counts, isClosed, reason, banked, slipNo, closedBy, closedAt, difference } = day;
  return (
    <Grid gap="24 32" align="start" className={styles.three}>
      <CameIn day={day} />
      {isClosed && (
        <>
          <Column order={2} title={<Trans>Cash counted</Trans>}>
            <Table className={styles.table}>
              <tbody>
                {counts.map(({ note, pieces }) => (
                  <tr key={note}>
                    <th scope="row" data-kind="number">
                      {note} ×
                    </th>
                    <td data-kind="number">{pieces}</td>
                    <td data-kind="money">{showMoney(note * 100 * pieces)}</td>
                  </tr>
                ))}
              </tbody>
              <Banking counted={day.counted} banked={banked} slipNo={slipNo} />
            </Table>
          </Column>
          <Column order={3} title={<Trans>Closed</Trans>}>
            <p ref={closed} tabIndex={-1}>
              <Trans>
                Closed by {closedBy}, {showMoment(closedAt)}
              </Trans>
            </p>
            <Sums day={day} counted={day.counted} />
            {(difference !== 0 || reason !== '') && (
              <Notice>
                {difference !== 0 && <Difference difference={difference} />}
                {reason}
              </Notice>
            )}
          </Column>
        </>
      )}
    </Grid>
  );
}

const Column = ({ order, title, children }: { order: number; title: ReactNode; children: ReactNode }) => (
  <Stack as="section" gap={10}>
    <Row as="h2" gap={8} align="center" className={styles.title}>
      <span aria-hidden className={styles.order}>
        {order}
      </span>
      {title}
    </Row>
    {children}
  </Stack>
);

/** What came in by mode, and whether a number of the receipts is missing. */
function CameIn({ day: { modes, cancelled, series } }: { day: CashierDay }) {
  const { t } = useLingui();
  const sum = modes.reduce((total, { amount }) => total + amount, 0) - cancelled.amount;
  const receipts = modes.reduce((count, one) => count + one.receipts, 0) - cancelled.receipts;
  const missing = series.reduce((count, one) => count + one.missing, 0);
  const lines = [
    ...modes.map((one) => ({ ...one, key: one.mode, name: translateOption(one.mode) })),
    ...(cancelled.receipts > 0
      ? [{ key: '', name: t`Cancelled today`, receipts: -cancelled.receipts, amount: -cancelled.amount }]
      : []),
  ];
  return (
    <Column order={1} title={<Trans>Check what came in</Trans>}>
      <Table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">
              <Trans>Mode</Trans>
            </th>
            <th scope="col" data-kind="number">
              <Trans>Receipts</Trans>
            </th>
            <th scope="col" data-kind="money">
              <Trans>Amount</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ key, name, receipts: count, amount }) => (
            <tr key={key}>
              <td>{name}</td>
              <td data-kind="number">{count}</td>
              <td data-kind="money">{showMoney(amount)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">
              <Trans>Total</Trans>
            </th>
            <td data-kind="number">{receipts}</td>
            <td data-kind="money">{showMoney(sum)}</td>
          </tr>
        </tfoot>
      </Table>
      {series.length > 0 && (
        <Notice as="div" kind={missing === 0 ? 'good' : undefined}>
          {missing === 0 ? (
            <Trans>No receipt number is missing.</Trans>
          ) : (
            <Plural value={missing} one="# receipt number is missing." other="# receipt numbers are missing." />
          )}
          {series.map(({ id, name, first, last }) => (
            <Text key={`${id} ${first}`} size={13} tone="soft">
              {name}: <span className={styles.number}>{first}</span>
              {first !== last && (
                <>
                  {' – '}
                  <span className={styles.number}>{last}</span>
                </>
              )}
            </Text>
          ))}
        </Notice>
      )}
    </Column>
  );
}

const useCount = () => countedOf(useApiForm().values);

function countedOf(values: Values) {
  const counts = values.counts as TypedCount[];
  return {
    counts,
    isCounted: counts.some(({ pieces }) => pieces.trim() !== ''),
    counted: counts.reduce((sum, { note, pieces }) => sum + note * 100 * countOf(pieces), 0),
    banked: readMoney(String(values.banked)) ?? 0,
    slipNo: String(values.slipNo).trim(),
  };
}

/** What was counted, what of it goes to the bank, and what is kept for the next shift. */
function Banking({ counted: sum, banked, slipNo }: { counted: number; banked: number; slipNo: string }) {
  return (
    <tfoot>
      <tr>
        <th scope="row" data-kind="number">
          <Trans>Counted</Trans>
        </th>
        <td />
        <td data-kind="money">{showMoney(sum)}</td>
      </tr>
      <tr>
        <th scope="row" data-kind="number">
          <Trans>To the bank</Trans>
        </th>
        <td>{slipNo && <Trans>slip {slipNo}</Trans>}</td>
        <td data-kind="money">{showMoney(banked)}</td>
      </tr>
      <tr>
        <th scope="row" data-kind="number">
          <Trans>Kept</Trans>
        </th>
        <td />
        <td data-kind="money">{showMoney(Math.max(0, sum - banked))}</td>
      </tr>
    </tfoot>
  );
}

function CountCash() {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const { counts, counted: sum, banked } = useCount();
  return (
    <Column order={2} title={<Trans>Count the cash</Trans>}>
      <Table className={styles.table}>
        <thead>
          <tr>
            <th scope="col" data-kind="number">
              <Trans>Note</Trans>
            </th>
            <th scope="col" data-kind="number">
              <Trans>Pieces</Trans>
            </th>
            <th scope="col" data-kind="money">
              <Trans>Amount</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {counts.map(({ note, pieces }, place) => (
            <tr key={note}>
              <th scope="row" data-kind="number">
                {note === 1 ? t`Coins, ₹` : `${note} ×`}
              </th>
              <td data-kind="number">
                <input
                  className={`box ${styles.pieces}`}
                  inputMode="numeric"
                  maxLength={6}
                  aria-label={note === 1 ? t`Coins, ₹` : t`Pieces of ₹${note}`}
                  value={pieces}
                  onChange={(event) =>
                    change(
                      'counts',
                      counts.map((one, at) => (at === place ? { ...one, pieces: event.currentTarget.value } : one)),
                    )
                  }
                />
              </td>
              <td data-kind="money">{countOf(pieces) > 0 && showMoney(note * 100 * countOf(pieces))}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" data-kind="number">
              <Trans>Counted</Trans>
            </th>
            <td />
            <td data-kind="money">{showMoney(sum)}</td>
          </tr>
        </tfoot>
      </Table>
      <Grid columns={2} gap={12}>
        <TextField name="banked" inputMode="decimal" />
        <TextField name="slipNo" required={String(values.banked).trim() !== ''} />
      </Grid>
      <dl className={styles.sums}>
        <Line name={<Trans>Kept for the next shift</Trans>} amount={Math.max(0, sum - banked)} />
      </dl>
    </Column>
  );
}

/** The cash that should be in the drawer, and what was counted. */
function Sums({ day, counted: sum }: { day: CashierDay; counted: number | undefined }) {
  const { openingCash, carried, openingReason, cashReceived, cashCancelled, expected } = day;
  return (
    <dl className={styles.sums}>
      {openingCash !== carried && (
        <>
          <Line name={<Trans>Left by the last shift</Trans>} amount={carried} />
          <Line name={<Trans>Difference of the opening: {openingReason}</Trans>} amount={openingCash - carried} />
        </>
      )}
      <Line name={<Trans>Opening cash</Trans>} amount={openingCash} />
      <Line name={<Trans>Cash received</Trans>} amount={cashReceived} />
      {cashCancelled > 0 && <Line name={<Trans>Cancelled</Trans>} amount={-cashCancelled} />}
      <Line name={<Trans>Expected</Trans>} amount={expected} isSum />
      {sum !== undefined && <Line name={<Trans>Counted</Trans>} amount={sum} />}
    </dl>
  );
}

const Line = ({ name, amount, isSum }: { name: ReactNode; amount: number; isSum?: boolean }) => (
  <Row gap={12} justify="between" data-sum={isSum || undefined}>
    <dt>{name}</dt>
    <dd>{showMoney(amount)}</dd>
  </Row>
);

/** Short or over in words. */
function useDifferenceWords() {
  const { t } = useLingui();
  return (difference: number) => {
    const amount = showMoney(Math.abs(difference));
    if (difference === 0) return t`no difference`;
    return difference < 0 ? t`${amount} short` : t`${amount} over`;
  };
}

const Difference = ({ difference }: { difference: number }) => (
  <strong className={styles.difference}>{useDifferenceWords()(difference)}</strong>
);

function Closing({ day }: { day: CashierDay }) {
  const { isSending } = useApiForm();
  const { counted: sum, isCounted } = useCount();
  const difference = sum - day.expected;
  // An empty drawer needs no count.
  const isReady = isCounted || day.expected === 0;
  return (
    <Column order={3} title={<Trans>Close</Trans>}>
      <Sums day={day} counted={isCounted ? sum : undefined} />
      {isCounted && difference !== 0 && (
        <Notice>
          <Difference difference={difference} />
          <Trans>Count again, or say why.</Trans>
        </Notice>
      )}
      <TextField name="reason" required={(isCounted && difference !== 0) || day.isOther} />
      <Button kind="main" type="submit" isBusy={isSending} disabled={!isReady}>
        {isReady ? <Trans>Close shift… (Ctrl Enter)</Trans> : <Trans>Count the cash first</Trans>}
      </Button>
      <p className="soft">
        <Trans>A closed shift can’t be opened again. Money taken later today goes into another shift.</Trans>
      </p>
    </Column>
  );
}

/** Asks with the sums before a shift is closed for good. */
function AskClose({ day, send, onClose }: { day: CashierDay; send: () => Promise<void>; onClose: () => void }) {
  const { t } = useLingui();
  const wordsOf = useDifferenceWords();
  const { counted: sum, banked, slipNo } = useCount();
  const difference = sum - day.expected;
  const { modes, cancelled } = day;
  const receipts = modes.reduce((count, one) => count + one.receipts, 0) - cancelled.receipts;
  const amount = modes.reduce((total, one) => total + one.amount, 0) - cancelled.amount;
  const words = wordsOf(difference);
  const shown = showDate(day.day);
  return (
    <AskDialog
      title={day.shift > 1 ? t`Close shift ${day.shift} of ${shown}?` : t`Close the drawer of ${shown}?`}
      details={
        <dl className={styles.sums}>
          <Line name={<Plural value={receipts} one="# receipt" other="# receipts" />} amount={amount} />
          <Line name={<Trans>Counted</Trans>} amount={sum} />
          {banked > 0 && <Line name={<Trans>To the bank, slip {slipNo}</Trans>} amount={banked} />}
          <Line name={<Trans>Kept for the next shift</Trans>} amount={sum - banked} />
          {difference !== 0 && (
            <Line
              name={difference < 0 ? <Trans>Short</Trans> : <Trans>Over</Trans>}
              amount={Math.abs(difference)}
              isSum
            />
          )}
        </dl>
      }
      cancel={<Trans>Count again</Trans>}
      confirm={<Trans>Close, {words}</Trans>}
      onConfirm={async (close) => {
        await send();
        close();
      }}
      onClose={onClose}
    >
      <Trans>A closed shift can’t be opened again.</Trans>
    </AskDialog>
  );
}
