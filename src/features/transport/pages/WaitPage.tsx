import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { usePreview } from '#kit/browser/data/preview.tsx';
import { ApiForm } from '#kit/browser/form/ApiForm.tsx';
import { DateField } from '#kit/browser/form/DateField.tsx';
import { FieldControls } from '#kit/browser/form/FieldControl.tsx';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormButtons, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { RecordList, type RowOf } from '#kit/browser/list/RecordList.tsx';
import { translate } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PreviewDialog } from '#kit/browser/ui/PreviewDialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { today } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { Unsaved } from '#kit/browser/ui/unsaved.tsx';
import { emptyValuesOf } from '#kit/contract/field.ts';
import { showMoney } from '#kit/contract/money.ts';
import { waitPage } from '../contract/pages.ts';
import { waitApi, waitFields, waitList } from '../contract/wait.ts';

type Wait = RowOf<typeof waitList>;

/** /school-erp/transport/wait: the children who wait for a seat, in the order in which they asked. */
export function WaitPage() {
  const { t } = useLingui();
  const [open, setOpen] = useState<{ what: 'give' | 'withdraw'; row: Wait }>();
  const [isAdding, setAdding] = useState(false);
  const add = useMay(waitApi.add) ? () => setAdding(true) : undefined;
  const mayGive = useMay(waitApi.give);
  return (
    <>
      <PageHead title={translate(waitPage.title)} />
      <RecordList
        list={waitList}
        open={() => undefined}
        onAdd={add}
        actions={(row, from) =>
          row.state === 'Waiting' && (
            <>
              {mayGive && (
                <Menu.Item onClick={from(() => setOpen({ what: 'give', row }))}>
                  <Trans>Give the seat…</Trans>
                </Menu.Item>
              )}
              {add && (
                <Menu.Item onClick={from(() => setOpen({ what: 'withdraw', row }))}>
                  <Trans>Withdraw…</Trans>
                </Menu.Item>
              )}
            </>
          )
        }
        empty={{
          message: <Trans>No child waits for a seat.</Trans>,
          children: add && (
            <Button kind="main" onClick={add}>
              {t`Add waiting child`}
            </Button>
          ),
        }}
      />
      {isAdding && (
        <RecordForm
          title={t`Add waiting child`}
          endpoint={waitApi.add}
          initial={{ ...emptyValuesOf(waitFields), ways: 'Both', wantedFrom: today(), askedOn: today() }}
          saved={t`Added to the line.`}
          onClose={() => setAdding(false)}
        >
          <FieldControls fields={waitFields} />
        </RecordForm>
      )}
      {open?.what === 'give' && <GiveSeat row={open.row} onClose={() => setOpen(undefined)} />}
      {open?.what === 'withdraw' && <Withdraw row={open.row} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function GiveSeat({ row: { id, name, stop, freeFrom }, onClose }: { row: Wait; onClose: () => void }) {
  const { t } = useLingui();
  const toast = useToast();
  const preview = usePreview(waitApi.give);
  const title = t`Seat for ${name}`;
  return (
    <SideDialog title={title} about={stop} onClose={onClose}>
      {(close) => (
        <>
          <ApiForm
            endpoint={waitApi.give}
            label={title}
            initial={{ effectiveFrom: freeFrom || today(), reason: '' }}
            hiddenValues={{ id }}
            onDone={(answer, input) => preview.take(input, answer)}
            buttons={(isSending) => <FormButtons isSending={isSending} close={close} words={<Trans>Preview</Trans>} />}
          >
            <DateField name="effectiveFrom" />
            <TextField name="reason" hint={<Trans>Only where another child asked earlier.</Trans>} />
          </ApiForm>
          {preview.shown && <Unsaved />}
          <PreviewDialog
            preview={preview}
            title={t`Give ${name} the seat?`}
            confirm={<Trans>Give the seat</Trans>}
            onApplied={() => {
              close();
              toast({ kind: 'success', title: t`${name} has a seat.` });
            }}
          >
            {preview.shown?.answer.rows.map(({ pickup, drop, amount }) => (
              <span key={name}>
                {[...new Set([pickup, drop].filter(Boolean))].join(' → ')}, <Trans>{showMoney(amount)} a month</Trans>
              </span>
            ))}
          </PreviewDialog>
        </>
      )}
    </SideDialog>
  );
}

function Withdraw({ row: { id, name }, onClose }: { row: Wait; onClose: () => void }) {
  const { t } = useLingui();
  const withdraw = useAction(waitApi.withdraw);
  return (
    <AskDialog
      title={t`Withdraw ${name}?`}
      confirm={<Trans>Withdraw</Trans>}
      problem={withdraw.problem}
      onConfirm={async (close) => {
        if (await withdraw.run({ id })) close();
      }}
      onClose={onClose}
    >
      <Trans>The child loses the place on the waiting list.</Trans>
    </AskDialog>
  );
}
