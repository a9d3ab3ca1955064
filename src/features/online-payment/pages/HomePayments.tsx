import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { useApiForm } from '#kit/browser/form/form-context.ts';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { Status } from '#kit/browser/ui/Status.tsx';
import { showDate } from '#kit/contract/day.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import { isRealDate } from '#kit/contract/fields.ts';
import { showMoney } from '#kit/contract/money.ts';
import { hindranceOf, homePaymentApi, homePaymentList, notFoundFields, takeFields } from '../contract/home-payment.ts';

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
              No family is waiting for a receipt. UPI payments that families enter on their page are listed here.
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
          saved={t`The family sees that it was not found.`}
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
  return (
    <RecordForm
      title={t`Take ${showMoney(row.amount ?? 0)} by UPI`}
      about={aboutPayment(row)}
      endpoint={homePaymentApi.take}
      initial={{ valueOn: row.paidOn ?? '' }}
      hiddenValues={{ id: row.id, version: row.version }}
      words={t`Take it`}
      saved={(_, { receiptNo }) => t`Receipt ${receiptNo}. The family sees it on its page.`}
      onClose={onClose}
    >
      {(close) => <Bank row={row} close={close} />}
    </RecordForm>
  );
}

/** What the bank shows of it, the day until which late fines count, and what the money pays. */
function Bank({ row, close }: { row: HomePayment; close: () => void }) {
  const { values } = useApiForm();
  const shown = useRead(homePaymentApi.preview, { id: row.id });
  const said = String(values.valueOn ?? '');
  const pays = useRead(homePaymentApi.preview, { id: row.id, ...(isRealDate(said) && { valueOn: said }) });
  return (
    <>
      <QueryBoundary query={shown}>
        {({ bank }) => {
          const hinders = hindranceOf(bank);
          if (hinders)
            return (
              <>
                <Notice>{translate(hinders)}</Notice>
                {bank.kind === 'Other series' && <Move row={row} bank={bank} close={close} />}
              </>
            );
          if (bank.kind === 'One')
            return (
              <Notice kind="good">
                <Trans>
                  The bank shows this reference and amount on {showDate(bank.day)}. Late fines count until that day.
                </Trans>
              </Notice>
            );
          return (
            <>
              <Notice>
                {bank.kind === 'Hidden' ? (
                  <Trans>
                    You can’t see bank statements. Check the reference in the bank’s app before you accept it.
                  </Trans>
                ) : (
                  <Trans>
                    No bank statement shows it yet. Check the reference in the bank’s app before you accept it.
                  </Trans>
                )}
              </Notice>
              <FieldControls fields={takeFields} />
            </>
          );
        }}
      </QueryBoundary>
      <QueryBoundary query={pays}>{({ lines, advance }) => <Pays lines={lines} advance={advance} />}</QueryBoundary>
    </>
  );
}

type Preview = OutputOf<typeof homePaymentApi.preview>;

function Pays({ lines, advance }: Pick<Preview, 'lines' | 'advance'>) {
  const { t } = useLingui();
  return (
    <ul>
      {lines.map(({ words, isFine, dueOn, amount }) => (
        <li key={`${words} ${dueOn} ${isFine}`}>
          {[isFine ? t`Late fine` : words, showDate(dueOn), showMoney(amount)].join(' · ')}
        </li>
      ))}
      {advance > 0 && <li>{[t`Advance`, showMoney(advance)].join(' · ')}</li>}
    </ul>
  );
}

/** Enters it under the receipt series in whose account the bank shows it. */
function Move({ row, bank, close }: { row: HomePayment; bank: Preview['bank']; close: () => void }) {
  const { run, isBusy, problem } = useAction(homePaymentApi.move);
  const { series, seriesId } = bank;
  return (
    <>
      <Button
        isBusy={isBusy}
        onClick={async () => {
          if (await run({ id: row.id, version: row.version, seriesId })) close();
        }}
      >
        <Trans>Enter it under {series}</Trans>
      </Button>
      {problem}
    </>
  );
}
