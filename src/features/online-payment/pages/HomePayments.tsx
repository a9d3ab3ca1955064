import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import { translateOption } from '#kit/browser/text.ts';
import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import { showMoney } from '#kit/contract/money.ts';
import { homePaymentApi, homePaymentList, notFoundFields } from '../contract/home-payment.ts';

type HomePayment = RowOf<typeof homePaymentList>;

const kinds: Record<string, ChipKind> = { Waiting: 'info', Seen: 'good', 'Not found': 'bad' };

/** What families say they have paid from home, and the money that the bank shows of it. */
export function HomePayments() {
  const { t } = useLingui();
  const [open, setOpen] = useState<{ what: 'take' | 'notFound'; row: HomePayment }>();
  const looking = useAction(homePaymentApi.lookAgain);
  const onClose = () => setOpen(undefined);
  return (
    <>
      {looking.problem}
      <RecordList
        list={homePaymentList}
        open={() => undefined}
        cells={{
          status: ({ status }) => <Status kind={kinds[status] ?? 'plain'}>{translateOption(status)}</Status>,
        }}
        actions={(row, from) => (
          <>
            {row.may.take && (
              <Menu.Item onClick={from(() => setOpen({ what: 'take', row }))}>
                <Trans>Take the money…</Trans>
              </Menu.Item>
            )}
            {row.may.notFound && (
              <Menu.Item onClick={from(() => setOpen({ what: 'notFound', row }))}>
                <Trans>Not found…</Trans>
              </Menu.Item>
            )}
            {row.may.lookAgain && (
              <Menu.Item onClick={from(() => void looking.run({ id: row.id, version: row.version }))}>
                <Trans>Look again</Trans>
              </Menu.Item>
            )}
          </>
        )}
        empty={{
          message: (
            <Trans>
              No family waits for a receipt. A payment by UPI that a family enters on its page is listed here.
            </Trans>
          ),
        }}
      />
      {open?.what === 'take' && <TakePayment row={open.row} onClose={onClose} />}
      {open?.what === 'notFound' && (
        <RecordForm
          title={t`Not found in the bank`}
          about={aboutPayment(open.row)}
          endpoint={homePaymentApi.notFound}
          initial={{ note: '' }}
          hiddenValues={{ id: open.row.id, version: open.row.version }}
          words={t`Not found`}
          saved={t`The family reads that it was not found.`}
          onClose={onClose}
        >
          <FieldControls fields={notFoundFields} />
        </RecordForm>
      )}
    </>
  );
}

const aboutPayment = ({ child, amount, reference, paidOn }: HomePayment) =>
  [child, showMoney(amount ?? 0), reference, showDate(paidOn)].join(' · ');

interface TakeProps {
  row: HomePayment;
  onClose: () => void;
}

function TakePayment({ row, onClose }: TakeProps) {
  const { t } = useLingui();
  const found = useRead(homePaymentApi.preview, { id: row.id });
  return (
    <RecordForm
      title={t`Take ${showMoney(row.amount ?? 0)} by UPI`}
      about={aboutPayment(row)}
      endpoint={homePaymentApi.take}
      initial={{}}
      hiddenValues={{ id: row.id, version: row.version }}
      words={t`Take it`}
      saved={(_, { receiptNo }) => t`Receipt ${receiptNo}. The family sees it on its page.`}
      onClose={onClose}
    >
      <QueryBoundary query={found}>
        {({ bankDay, lines, advance }) => (
          <>
            <Notice kind={bankDay ? 'good' : undefined}>
              {bankDay ? (
                <Trans>
                  The bank shows this reference and amount on {showDate(bankDay)}. Late fines count until that day.
                </Trans>
              ) : (
                <Trans>No statement shows it yet. Look for the reference in the bank’s app before you take it.</Trans>
              )}
            </Notice>
            <ul>
              {lines.map(({ words, isFine, dueOn, amount }) => (
                <li key={`${words} ${dueOn} ${isFine}`}>
                  {[isFine ? t`Late fine` : words, showDate(dueOn), showMoney(amount)].join(' · ')}
                </li>
              ))}
              {advance > 0 && <li>{[t`Advance`, showMoney(advance)].join(' · ')}</li>}
            </ul>
          </>
        )}
      </QueryBoundary>
    </RecordForm>
  );
}
