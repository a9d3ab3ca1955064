import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import { readChoice } from '#kit/browser/ui/device-choice.ts';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { showMoney } from '#kit/contract/money.ts';
import type { ReceiptPaper } from '../contract/receipt.ts';
import { unplacedApi, unplacedFields, unplacedList, unplacedRefundFields } from '../contract/unplaced.ts';
import { CancelPayment } from './CancelPayment.tsx';
import { PlaceMoney } from './MovePayment.tsx';
import { PrintReceipts } from './PrintReceipts.tsx';

type Sum = RowOf<typeof unplacedList>;

const kinds: Record<string, ChipKind> = {
  Open: 'info',
  'Waits for a decision': 'accent',
  Placed: 'good',
  'Paid back': 'good',
  Cancelled: 'plain',
};

/** Money that the school has and whose child is not known, or that was cancelled. */
export function Unplaced() {
  const { t } = useLingui();
  const [isTaking, setTaking] = useState(false);
  const [open, setOpen] = useState<{ what: 'place' | 'refund' | 'cancel'; row: Sum }>();
  const [papers, setPapers] = useState<readonly ReceiptPaper[]>([]);
  const take = useMay(unplacedApi.take) ? () => setTaking(true) : undefined;
  const onClose = () => setOpen(undefined);
  const act = open && {
    payment: {
      id: open.row.paymentId,
      version: open.row.version,
      what: [open.row.receiptNo, showMoney(open.row.left)].join(', '),
    },
    onClose,
    onDone: onClose,
  };
  return (
    <>
      <h2>
        <Trans>Unplaced money</Trans>
      </h2>
      <RecordList
        list={unplacedList}
        open={() => undefined}
        cells={{
          mode: ({ mode }) => translateOption(mode),
          status: ({ status }) => <Status kind={kinds[status] ?? 'plain'}>{translateOption(status)}</Status>,
        }}
        onAdd={take}
        actions={(row, from) =>
          row.may.place && (
            <>
              <Menu.Item onClick={from(() => setOpen({ what: 'place', row }))}>
                <Trans>Place…</Trans>
              </Menu.Item>
              <Menu.Item onClick={from(() => setOpen({ what: 'refund', row }))}>
                <Trans>Refund…</Trans>
              </Menu.Item>
              <Menu.Item onClick={from(() => setOpen({ what: 'cancel', row }))}>
                <Trans>Cancel…</Trans>
              </Menu.Item>
            </>
          )
        }
        empty={{
          message: <Trans>All money is placed with a child. Money received without a name can be entered here.</Trans>,
          children: take && <Button onClick={take}>{t`Take unplaced money`}</Button>,
        }}
      />
      {isTaking && (
        <RecordForm
          title={t`Take unplaced money`}
          about={t`It gets a receipt today and is in your drawer or in the bank. Place it with a child later.`}
          endpoint={unplacedApi.take}
          initial={{ ...emptyValuesOf(unplacedFields), payerMobile: '', mode: 'UPI' }}
          words={t`Take it and print`}
          saved={({ note }) => t`Taken: ${String(note)}`}
          onClose={() => setTaking(false)}
          onDone={(answer) => setPapers(answer.papers)}
        >
          <FieldControls
            fields={unplacedFields}
            after={{ payerName: <TextField name="payerMobile" type="tel" inputMode="tel" width="medium" /> }}
          />
        </RecordForm>
      )}
      {act && open.what === 'place' && <PlaceMoney {...act} unplaced={{ id: open.row.id, note: open.row.note }} />}
      {act && open.what === 'cancel' && <CancelPayment {...act} />}
      {open?.what === 'refund' && (
        <RecordForm
          title={t`Pay back ${showMoney(open.row.left)}`}
          about={[open.row.note, open.row.payer, showDate(open.row.day)].join(' · ')}
          endpoint={unplacedApi.refund}
          initial={{ ...emptyValuesOf(unplacedRefundFields), mode: 'Bank transfer', payee: open.row.payer }}
          hiddenValues={{ id: open.row.id }}
          words={t`Ask to pay it back`}
          saved={t`Refund requested. Once it is approved, note it as paid under Refunds.`}
          onClose={onClose}
        >
          <FieldControls fields={unplacedRefundFields} />
        </RecordForm>
      )}
      {papers.length > 0 && (
        <PrintReceipts
          papers={papers}
          size={readChoice('receipt-paper') === '80 mm' ? '80 mm' : 'A4'}
          onDone={() => setPapers([])}
        />
      )}
    </>
  );
}
