import { Trans, useLingui } from '@lingui/react/macro';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { ApiForm, useApiForm } from '#kit/browser/form/ApiForm.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { Cards, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { DateInput } from '#kit/browser/ui/DateInput.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { showMoment, today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showMoney, typedMoney } from '#kit/contract/money.ts';
import { type CashierDay, dayApi, notes } from '../contract/day.ts';
import styles from './day.module.css';

/** A cashier's day: the receipts, the cash count by note and coin, and the close. */
export function DayTab() {
  const { t } = useLingui();
  const [asked, setAsked] = useState({ day: '', staffId: '', shift: '' });
  const read = useRead(dayApi.read, asked);
  const isClosedNow = useRef(false);
  return (
    <QueryBoundary query={read}>
      {(found) => (
        <>
          <Row gap="8 12" align="center" wrap mb={16} className={styles.line}>
            <DateInput
              key={found.day}
              aria-label={t`Day`}
              value={found.day}
              max={today()}
              onChange={() => undefined}
              onLeave={(day) => day && day !== found.day && setAsked({ ...asked, day, shift: '' })}
            />
            <select
              className="box"
              aria-label={t`Cashier`}
              value={String(found.staffId)}
              onChange={(event) => setAsked({ day: found.day, staffId: event.currentTarget.value, shift: '' })}
            >
              {found.cashiers.map(({ id, name }) => (
                <option key={id} value={String(id)}>
                  {name}
                </option>
              ))}
            </select>
            <Chip kind={found.isClosed ? 'good' : found.id === null ? 'plain' : 'info'}>
              {found.isClosed ? t`Closed` : found.id === null ? t`Nothing received` : t`Open`}
            </Chip>
          </Row>
          {found.open.length > 0 && (
            <Notice as="div">
              <Trans>Not closed yet:</Trans>{' '}
              {found.open.map(({ day, staffId, cashier, shift }) => (
                <Button
                  key={`${day} ${staffId} ${shift}`}
                  kind="quiet"
                  onClick={() => setAsked({ day, staffId: String(staffId), shift: String(shift) })}
                >
                  {cashier}, {showDate(day)}
                </Button>
              ))}
            </Notice>
          )}
          <Day key={`${found.id} ${found.version}`} day={found} isClosedNow={isClosedNow} />
        </>
      )}
    </QueryBoundary>
  );
}

interface DayProps {
  day: CashierDay;
  /** The form that closed the day is replaced by what was counted, which then takes the focus. */
  isClosedNow: RefObject<boolean>;
}

function Day({ day, isClosedNow }: DayProps) {
  const { t } = useLingui();
  const toast = useToast();
  const { modes, cancelled, series, may } = day;
  const sum = modes.reduce((total, { amount }) => total + amount, 0) - cancelled.amount;
  const lines = [
    ...modes.map(({ mode, receipts, amount }) => ({ key: mode, name: translateOption(mode), receipts, amount })),
    ...(cancelled.receipts > 0
      ? [{ key: 'cancelled', name: t`Cancelled today`, receipts: -cancelled.receipts, amount: -cancelled.amount }]
      : []),
    {
      key: 'total',
      name: t`Total`,
      receipts: modes.reduce((count, { receipts }) => count + receipts, 0) - cancelled.receipts,
      amount: sum,
    },
  ];
  return (
    <Cards>
      <RecordCard title={t`Collected`}>
        <AmountTable
          caption={<Trans>Collected by mode</Trans>}
          heads={[t`Mode`, t`Receipts`, t`Amount`]}
          amounts={[t`Receipts`, t`Amount`]}
          rows={lines.map(({ key, name, receipts, amount }) => ({
            key,
            cells: [key === 'total' ? <strong key="name">{name}</strong> : name, receipts, showMoney(amount)],
          }))}
        />
        {series.length > 0 && (
          <AmountTable
            caption={<Trans>Receipts by series</Trans>}
            heads={[t`Receipt series`, t`Numbers`, t`Amount`]}
            amounts={[t`Amount`]}
            rows={series.map(({ id, name, first, last, missing, amount }) => ({
              key: `${id} ${first}`,
              cells: [
                name,
                <div key="numbers">
                  {first === last ? first : `${first} – ${last}`}
                  <div className="soft">
                    {missing === 0 ? <Trans>No number is missing</Trans> : <Trans>{missing} numbers are missing</Trans>}
                  </div>
                </div>,
                showMoney(amount),
              ],
            }))}
          />
        )}
      </RecordCard>
      {may.count && !day.isCounted && (
        <RecordCard title={t`Opening cash`}>
          <ApiForm
            endpoint={dayApi.open}
            label={t`Opening cash`}
            initial={{ openingCash: typedMoney(day.openingCash), reason: '' }}
            isShort
            onDone={() => toast({ kind: 'success', title: t`Saved.`, of: t`Opening cash` })}
            buttons={(isSending) => (
              <Button type="submit" disabled={isSending}>
                <Trans>Save opening cash</Trans>
              </Button>
            )}
          >
            <TextField name="openingCash" inputMode="decimal" />
            <TextField name="reason" />
          </ApiForm>
        </RecordCard>
      )}
      {may.close ? (
        <Close day={day} isClosedNow={isClosedNow} />
      ) : (
        day.isClosed && <Closed day={day} isClosedNow={isClosedNow} />
      )}
    </Cards>
  );
}

const Cash = ({ day, counted }: { day: CashierDay; counted: number }) => {
  const { t } = useLingui();
  return (
    <AmountTable
      caption={<Trans>Cash of the day</Trans>}
      heads={[t`Cash`, t`Amount`]}
      amounts={[t`Amount`]}
      rows={[
        { key: 'opening', cells: [t`Opening cash`, showMoney(day.openingCash)] },
        { key: 'received', cells: [t`Cash received`, showMoney(day.cashReceived)] },
        { key: 'cancelled', cells: [t`Cancelled today`, showMoney(-day.cashCancelled)] },
        { key: 'expected', cells: [<strong key="name">{t`Expected`}</strong>, showMoney(day.expected)] },
        { key: 'counted', cells: [<strong key="name">{t`Counted`}</strong>, showMoney(counted)] },
      ]}
    />
  );
};

const countOf = (typed: string) => (/^[0-9]{1,6}$/.test(typed.trim()) ? Number(typed) : 0);

interface TypedCount {
  note: number;
  pieces: string;
}

function Close({ day, isClosedNow }: DayProps) {
  const { t } = useLingui();
  const toast = useToast();
  return (
    <ApiForm
      endpoint={dayApi.close}
      label={t`Close the day`}
      className={styles.close}
      initial={{ counts: notes.map((note): TypedCount => ({ note, pieces: '' })), reason: '', banked: '', slipNo: '' }}
      hiddenValues={{ id: day.id, version: day.version }}
      onDone={() => {
        isClosedNow.current = true;
        toast({ kind: 'success', title: t`The day is closed.` });
      }}
      buttons={(isSending) => <CloseButton day={day} isSending={isSending} />}
    >
      <Counting day={day} />
    </ApiForm>
  );
}

const useCounted = () => {
  const { values } = useApiForm();
  const counts = values.counts as TypedCount[];
  return counts.reduce((sum, { note, pieces }) => sum + note * 100 * countOf(pieces), 0);
};

/** Short or over in words; the same words on the button that closes the day. */
function useDifference(day: CashierDay) {
  const { t } = useLingui();
  const difference = useCounted() - day.expected;
  const amount = showMoney(Math.abs(difference));
  return {
    difference,
    words: difference === 0 ? t`no difference` : difference < 0 ? t`${amount} short` : t`${amount} over`,
  };
}

function CloseButton({ day, isSending }: { day: CashierDay; isSending: boolean }) {
  const { words } = useDifference(day);
  const { values } = useApiForm();
  const counted = showMoney(useCounted());
  const expected = showMoney(day.expected);
  const banked = String(values.banked).trim();
  const [isAsking, setAsking] = useState(false);
  const sure = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (isAsking) sure.current?.focus();
  }, [isAsking]);
  return (
    <>
      {isAsking ? (
        <Notice as="div">
          <Trans>
            Counted {counted}, expected {expected}.
          </Trans>{' '}
          {banked && <Trans>₹{banked} goes to the bank.</Trans>}
          <Row gap={8} wrap>
            <Button ref={sure} kind="main" type="submit" disabled={isSending}>
              <Trans>Close day, {words}</Trans>
            </Button>
            <Button onClick={() => setAsking(false)}>
              <Trans>Count again</Trans>
            </Button>
          </Row>
        </Notice>
      ) : (
        <Button kind="main" onClick={() => setAsking(true)}>
          <Trans>Close day, {words}</Trans>
        </Button>
      )}
      <p className="soft">
        <Trans>A closed day can’t be opened again. Later corrections carry a later date.</Trans>
      </p>
    </>
  );
}

function Counting({ day }: { day: CashierDay }) {
  const { t } = useLingui();
  const { values, change } = useApiForm();
  const counts = values.counts as TypedCount[];
  const counted = useCounted();
  const { difference, words } = useDifference(day);
  return (
    <>
      <RecordCard title={t`Count the cash`}>
        <AmountTable
          caption={<Trans>Notes and coins</Trans>}
          heads={[t`Note or coin`, t`Pieces`, t`Amount`]}
          amounts={[t`Amount`]}
          rows={counts.map(({ note, pieces }, place) => ({
            key: note,
            cells: [
              `₹${note} ×`,
              <input
                key="pieces"
                className={`box ${styles.pieces}`}
                inputMode="numeric"
                maxLength={6}
                aria-label={t`Pieces of ₹${note}`}
                value={pieces}
                onChange={(event) =>
                  change(
                    'counts',
                    counts.map((one, at) => (at === place ? { ...one, pieces: event.currentTarget.value } : one)),
                  )
                }
              />,
              countOf(pieces) === 0 ? '–' : showMoney(note * 100 * countOf(pieces)),
            ],
          }))}
        />
      </RecordCard>
      <RecordCard title={t`Cash of the day`}>
        <Cash day={day} counted={counted} />
        {difference !== 0 && <Notice>{words}</Notice>}
        <TextField name="reason" required={difference !== 0 || day.isOther} />
        <TextField name="banked" inputMode="decimal" />
        <TextField name="slipNo" required={String(values.banked).trim() !== ''} />
      </RecordCard>
    </>
  );
}

function Closed({ day, isClosedNow }: DayProps) {
  const { t } = useLingui();
  const closed = useRef<HTMLParagraphElement>(null);
  useEffect(() => {
    if (isClosedNow.current) closed.current?.focus();
    isClosedNow.current = false;
  }, [isClosedNow]);
  const { counts, counted, difference, reason, banked, slipNo, closedBy, closedAt } = day;
  const amount = showMoney(Math.abs(difference));
  return (
    <RecordCard title={t`Cash of the day`}>
      <p ref={closed} tabIndex={-1}>
        <Trans>
          Closed by {closedBy}, {showMoment(closedAt)}
        </Trans>
      </p>
      <Cash day={day} counted={counted} />
      {difference !== 0 && (
        <Notice>
          {difference < 0 ? t`${amount} short` : t`${amount} over`}: {reason}
        </Notice>
      )}
      {banked > 0 && (
        <p>
          <Trans>
            To the bank: {showMoney(banked)}, slip {slipNo}
          </Trans>
        </p>
      )}
      <p className="soft">{counts.map(({ note, pieces }) => `₹${note} × ${pieces}`).join(', ')}</p>
    </RecordCard>
  );
}
