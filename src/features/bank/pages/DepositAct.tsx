import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { ListActProps } from '#kit/browser/feature.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { showMoney } from '#kit/contract/money.ts';
import { depositApi, depositFields } from '../contract/deposit.ts';

/** Takes the selected cheques to the bank on one slip. */
export function DepositAct({ selection, number, clear }: ListActProps) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const { count, shown } = number;
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Trans>Deposit on one slip…</Trans>
      </Button>
      {isOpen && (
        <RecordForm
          title={t`${plural(count, { one: `Deposit ${shown} cheque`, other: `Deposit ${shown} cheques` })}`}
          about={t`All selected cheques are deposited, or none. A held or bounced cheque becomes a payment of today. Print the slip under Bank.`}
          endpoint={depositApi.deposit}
          initial={emptyValuesOf(depositFields)}
          hiddenValues={{ selection }}
          words={t`Deposit`}
          saved={(_, { amount }) => t`Deposited: ${showMoney(amount)}`}
          onClose={() => setOpen(false)}
          onDone={clear}
        >
          <FieldControls fields={depositFields} />
        </RecordForm>
      )}
    </>
  );
}
