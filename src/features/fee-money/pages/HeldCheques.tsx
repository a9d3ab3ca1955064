import { Trans, useLingui } from '@lingui/react/macro';
import { AmountTable } from '#kit/browser/ui/AmountTable.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';

interface Props {
  cheques: readonly { number: string; bank: string; datedOn: string; amount: number }[];
}

/** Cheques of later days, which are in no balance: nothing where there are none. */
export function HeldCheques({ cheques }: Props) {
  const { t } = useLingui();
  if (cheques.length === 0) return null;
  return (
    <>
      <h3>
        <Trans>Cheques held, not paid</Trans>
      </h3>
      <AmountTable
        caption={<Trans>Cheques held, not paid</Trans>}
        heads={[t`Dated`, t`Cheque`, t`Amount`]}
        amounts={[t`Amount`]}
        rows={cheques.map(({ number, bank, datedOn, amount }) => ({
          key: `${number} ${bank}`,
          cells: [showDate(datedOn), `${number}, ${bank}`, showMoney(amount)],
        }))}
      />
    </>
  );
}
