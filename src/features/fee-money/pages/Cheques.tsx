import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import type { ListActProps } from '#kit/browser/feature.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import { AddedListActs } from '#kit/browser/record/added.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import { Row as Line } from '#kit/browser/ui/Layout.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { showMoney } from '#kit/contract/money.ts';
import {
  bounceFields,
  type ChequeState,
  chequeApi,
  chequeFields,
  chequeList,
  chequeSeriesFields,
  depositFields,
  returnFields,
} from '../contract/cheque.ts';

type Row = RowOf<typeof chequeList>;
type Open = { what: 'take' } | { what: 'series' } | { what: 'deposit' | 'bounce' | 'giveBack'; row: Row };

const kinds: Record<ChequeState, ChipKind> = {
  Held: 'plain',
  Received: 'info',
  Deposited: 'accent',
  Cleared: 'good',
  Bounced: 'bad',
  Returned: 'plain',
};

/** The register of cheques: what to deposit today, and what became of each. */
export function Cheques() {
  const { t } = useLingui();
  const [open, setOpen] = useState<Open>();
  const clearing = useAction(chequeApi.clear);
  const mayTake = useMay(chequeApi.take);
  const add = mayTake ? () => setOpen({ what: 'take' }) : undefined;
  const onClose = () => setOpen(undefined);
  const clear = ({ id, version }: Row) => void clearing.run({ id, version });
  return (
    <>
      {clearing.problem}
      {mayTake && (
        <Line justify="end">
          <Button onClick={() => setOpen({ what: 'series' })}>
            <Trans>Take a series…</Trans>
          </Button>
        </Line>
      )}
      <RecordList
        list={chequeList}
        open={() => undefined}
        cells={{
          kind: ({ kind }) => translateOption(kind),
          status: ({ status }) => <Status kind={kinds[status as ChequeState]}>{translateOption(status)}</Status>,
        }}
        onAdd={add}
        bulk={(selection, clear, number) => (
          <>
            <AddedListActs list="fee_cheque" selection={selection} number={number} clear={clear} />
            {mayTake && <GiveBackAct selection={selection} number={number} clear={clear} />}
          </>
        )}
        actions={(row, from) => (
          <>
            {row.may.deposit && (
              <Menu.Item onClick={from(() => setOpen({ what: 'deposit', row }))}>
                <Trans>Deposit…</Trans>
              </Menu.Item>
            )}
            {row.may.clear && (
              <Menu.Item onClick={from(() => clear(row))}>
                <Trans>Cleared</Trans>
              </Menu.Item>
            )}
            {row.may.bounce && (
              <Menu.Item onClick={from(() => setOpen({ what: 'bounce', row }))}>
                <Trans>Bounced…</Trans>
              </Menu.Item>
            )}
            {row.may.giveBack && (
              <Menu.Item onClick={from(() => setOpen({ what: 'giveBack', row }))}>
                <Trans>Give back…</Trans>
              </Menu.Item>
            )}
          </>
        )}
        empty={{
          message: <Trans>No cheque is in the register.</Trans>,
          children: add && <Button onClick={add}>{t`Take a cheque`}</Button>,
        }}
      />
      {open?.what === 'take' && <TakeCheque onClose={onClose} />}
      {open?.what === 'series' && <TakeSeries onClose={onClose} />}
      {open && open.what !== 'take' && open.what !== 'series' && (
        <Act what={open.what} row={open.row} onClose={onClose} />
      )}
    </>
  );
}

/** Cheques of later days that a family brings together. */
function TakeSeries({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Take a series of cheques`}
      about={t`One cheque a month, with consecutive numbers. Each is held until its date and is not a payment before.`}
      endpoint={chequeApi.takeSeries}
      initial={emptyValuesOf(chequeSeriesFields)}
      saved={(_, { ids, total }) => t`${ids.length} cheques held: ${showMoney(total)}`}
      onClose={onClose}
    >
      <FieldControls fields={chequeSeriesFields} />
    </RecordForm>
  );
}

/** Gives the selected held cheques back, such as those of a child who leaves. */
function GiveBackAct({ selection, clear }: ListActProps) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Give back…</Trans>
      </Button>
      {isOpen && (
        <RecordForm
          title={t`Give the held cheques back`}
          about={t`All selected cheques are returned, or none. No payment is cancelled and nothing is charged.`}
          endpoint={chequeApi.giveBackMany}
          initial={emptyValuesOf(returnFields)}
          hiddenValues={{ selection }}
          words={t`Give back`}
          saved={(_, { cheques, amount }) => t`${cheques} cheques given back: ${showMoney(amount)}`}
          onClose={() => setOpen(false)}
          onDone={clear}
        >
          <FieldControls fields={returnFields} />
        </RecordForm>
      )}
    </>
  );
}

function TakeCheque({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <RecordForm
      title={t`Take a cheque`}
      about={t`It pays what the student owes, the oldest first. One with a later date is held until then.`}
      endpoint={chequeApi.take}
      initial={{ ...emptyValuesOf(chequeFields), kind: 'Cheque', datedOn: today() }}
      saved={({ number }) => t`Cheque ${String(number)} received.`}
      onClose={onClose}
    >
      <FieldControls fields={chequeFields} />
    </RecordForm>
  );
}

function Act({ what, row, onClose }: { what: 'deposit' | 'bounce' | 'giveBack'; row: Row; onClose: () => void }) {
  const { t } = useLingui();
  const about = [row.number, row.bank, row.student, showMoney(row.amount ?? 0)].join(' · ');
  const hiddenValues = { id: row.id, version: row.version };
  if (what === 'deposit')
    return (
      <RecordForm
        title={t`Deposit the cheque`}
        about={about}
        endpoint={chequeApi.deposit}
        initial={emptyValuesOf(depositFields)}
        hiddenValues={hiddenValues}
        words={t`Deposit`}
        saved={t`Cheque ${row.number} deposited.`}
        onClose={onClose}
      >
        <FieldControls fields={depositFields} />
      </RecordForm>
    );
  if (what === 'bounce')
    return (
      <RecordForm
        title={t`The cheque bounced`}
        about={`${about}. ${t`Its receipts are cancelled, and the dues they paid are open again, with fines from the original day.`}`}
        endpoint={chequeApi.bounce}
        initial={{ ...emptyValuesOf(bounceFields), charge: '300' }}
        hiddenValues={hiddenValues}
        words={t`Mark as bounced`}
        saved={t`Cheque ${row.number} bounced.`}
        onClose={onClose}
      >
        <FieldControls fields={bounceFields} />
      </RecordForm>
    );
  return (
    <RecordForm
      title={t`Give the cheque back`}
      about={about}
      endpoint={chequeApi.giveBack}
      initial={emptyValuesOf(returnFields)}
      hiddenValues={hiddenValues}
      words={t`Give back`}
      saved={t`Cheque ${row.number} returned.`}
      onClose={onClose}
    >
      <FieldControls fields={returnFields} />
    </RecordForm>
  );
}
