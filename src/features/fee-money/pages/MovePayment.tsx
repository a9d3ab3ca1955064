import { Trans, useLingui } from '@lingui/react/macro';
import { useId, useState } from 'react';
import { requestFields } from '#features/fee-price/contract/concession.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { ErrorText } from '#kit/browser/form/question.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Combobox } from '#kit/browser/ui/Combobox.tsx';
import { Row, Stack } from '#kit/browser/ui/Layout.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { readMoney, showMoney, typedMoney } from '#kit/contract/money.ts';
import { moveApi } from '../contract/move.ts';
import styles from './MovePayment.module.css';

type Payment = OutputOf<typeof moveApi.read>;

export interface PaymentAct {
  payment: { id: number; version: number; what: string };
  onClose: () => void;
  /** The button that asked is gone by then. */
  onDone: () => void;
}

interface Props extends PaymentAct {
  found: Payment;
  /** Of unplaced money: its account, which is placed. */
  unplaced?: { id: number; note: string };
}

/** Unplaced money that is placed with children. */
export function PlaceMoney({ unplaced, ...props }: PaymentAct & { unplaced: { id: number; note: string } }) {
  const { t } = useLingui();
  const found = useRead(moveApi.read, { id: props.payment.id });
  return found.data ? (
    <MoveForm {...props} found={found.data} unplaced={unplaced} />
  ) : (
    <SideDialog title={t`Place ${props.payment.what}`} onClose={props.onClose}>
      {() => <QueryBoundary query={found}>{() => null}</QueryBoundary>}
    </SideDialog>
  );
}

/** The money of a payment by child; what is typed must total it. */
export function MoveForm({ payment, found, unplaced, onClose, onDone }: Props) {
  const { t } = useLingui();
  const toast = useToast();
  const { mode, reference, amount, payer, valueOn, isAlone } = found;
  const done = ({ isAsked }: { isAsked: boolean }) => {
    toast({
      kind: 'success',
      title: isAsked ? t`A second person decides on it.` : t`The payment is moved.`,
      of: payment.what,
    });
    onDone();
  };
  const about = [
    unplaced?.note,
    translateOption(mode),
    reference,
    showMoney(amount),
    payer,
    t`received on ${showDate(valueOn)}`,
  ]
    .filter(Boolean)
    .join(' · ');
  const children = found.children
    .filter((child) => child.amount > 0)
    .map((child) => ({ studentId: child.studentId, amount: typedMoney(child.amount) }));
  const body = (
    <>
      <SharesField payment={found} />
      <TextField name="reason" />
      <p>
        <Trans>
          The present receipts are cancelled and keep their numbers. The receipts in their place have the same mode,
          reference and day: late fines count until that day, and no cash moves.
        </Trans>{' '}
        {isAlone && !unplaced ? (
          <Trans>Within one family you can do this yourself; for another family a second person decides.</Trans>
        ) : (
          <Trans>A second person decides.</Trans>
        )}
      </p>
    </>
  );
  const common = { about, saved: null, onClose, onDone: done, initial: { children, reason: '' } };
  if (unplaced)
    return (
      <RecordForm
        {...common}
        title={t`Place ${payment.what}`}
        endpoint={moveApi.place}
        hiddenValues={{ id: unplaced.id, version: payment.version }}
        words={t`Ask to place it`}
      >
        {body}
      </RecordForm>
    );
  return (
    <RecordForm
      {...common}
      title={t`Move ${payment.what}`}
      endpoint={moveApi.move}
      hiddenValues={{ id: payment.id, version: payment.version }}
      words={isAlone ? t`Move the money` : t`Ask to move it`}
    >
      {body}
    </RecordForm>
  );
}

interface Typed {
  studentId: number;
  amount: string;
}

/** What each child gets: those of the household, and others that are added. */
function SharesField({ payment: { children, amount } }: { payment: Payment }) {
  const { t } = useLingui();
  const id = useId();
  const { values, errors, change } = useApiForm();
  const [added, setAdded] = useState<{ studentId: number; name: string }[]>([]);
  const shares = values.children as readonly Typed[];
  const typedOf = (studentId: number) => shares.find((one) => one.studentId === studentId)?.amount ?? '';
  const type = (studentId: number, typed: string) =>
    change('children', [
      ...shares.filter((one) => one.studentId !== studentId),
      ...(typed.trim() === '' ? [] : [{ studentId, amount: typed }]),
    ]);
  const left = amount - shares.reduce((sum, one) => sum + (readMoney(one.amount) ?? 0), 0);
  const error = errors.children ?? Object.entries(errors).find(([name]) => name.startsWith('children.'))?.[1];
  const rows = [
    ...children.map(({ studentId, name, grNo, place }) => ({
      studentId,
      name,
      detail: [place, grNo].filter(Boolean).join(' · '),
    })),
    ...added.map((child) => ({ ...child, detail: '' })),
  ];
  return (
    <fieldset className={`question${error ? ' question-wrong' : ''}`} aria-describedby={`${id}-left ${id}-error`}>
      <legend>
        <Trans>For whom is the money?</Trans>
      </legend>
      <ErrorText id={`${id}-error`} error={error} />
      <Stack gap={8}>
        {rows.map(({ studentId, name, detail }) => (
          <Row as="label" key={studentId} gap={12} align="center" justify="between">
            <span>
              {name} <small>{detail}</small>
            </span>
            <input
              className={`box ${styles.amount}`}
              name="children"
              inputMode="decimal"
              autoComplete="off"
              aria-label={t`Amount (₹) for ${name}`}
              aria-invalid={Boolean(error)}
              value={typedOf(studentId)}
              onChange={(event) => type(studentId, event.currentTarget.value)}
            />
          </Row>
        ))}
        <Stack gap={2}>
          <label htmlFor={`${id}-add`}>
            <Trans>Another child</Trans>
          </label>
          <Combobox
            key={added.length}
            id={`${id}-add`}
            options={requestFields.studentId.to.options}
            chosen={undefined}
            onChoose={(choice) => {
              const studentId = Number(choice?.value);
              if (!choice || rows.some((row) => row.studentId === studentId)) return;
              setAdded([...added, { studentId, name: choice.label }]);
              if (left > 0) type(studentId, typedMoney(left));
            }}
          />
        </Stack>
      </Stack>
      <p id={`${id}-left`} role="status">
        {left === 0 ? (
          <Trans>All of {showMoney(amount)} is placed with a child.</Trans>
        ) : left > 0 ? (
          <Trans>
            {showMoney(left)} of {showMoney(amount)} is left.
          </Trans>
        ) : (
          <Trans>
            {showMoney(-left)} more than {showMoney(amount)}.
          </Trans>
        )}
      </p>
    </fieldset>
  );
}
