import { Trans, useLingui } from '@lingui/react/macro';
import { useMay } from '#features/sign-in/ui/use-may.ts';
import { useAction } from '#kit/browser/data/action.ts';
import { FormOpener } from '#kit/browser/form/RecordForm.tsx';
import { Button, ButtonLink } from '#kit/browser/ui/Button.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { accountApi } from '../../contract/account.ts';
import { type ProcessRecord, processApi } from '../../contract/process.ts';
import { DecideSelected } from './DecideSelected.tsx';
import { LetterButton } from './LetterButton.tsx';
import { PaymentForm } from './PaymentForm.tsx';
import { PlanSlots } from './PlanSlots.tsx';
import { ReleaseSelected, UndoSelected } from './ReleaseSelected.tsx';

const nothing = () => undefined;

/** The one act that is next for this application, and what else can be decided. */
export function NextAct({ record }: { record: ProcessRecord }) {
  const { t } = useLingui();
  const toast = useToast();
  const { id, version, may, next, child } = record;
  const accept = useAction(processApi.accept);
  const mayCreate = useMay(accountApi.create) && record.state === 'Seat confirmed';
  const mayOpen = useMay(accountApi.read);
  const selection = { ids: [id], isAll: false, query: {} };
  return (
    <>
      <ReleaseSelected isOffered={may.release} isMain shortcut="l" selection={selection} onDone={nothing} />
      {may.undo && <UndoSelected selection={selection} onDone={nothing} />}
      {next === 'plan' && may.plan && <PlanSlots isMain shortcut="p" selection={selection} onDone={nothing} />}
      {may.decide && (
        <>
          <DecideSelected isMain={next !== 'plan'} shortcut="o" kind="Offer" selection={selection} onDone={nothing} />
          {record.state !== 'Waitlisted' && (
            <DecideSelected shortcut="w" kind="Waitlist" selection={selection} onDone={nothing} />
          )}
          <DecideSelected shortcut="r" kind="Reject" selection={selection} onDone={nothing} />
        </>
      )}
      {may.pay && (
        <FormOpener kind="main" shortcut="f" title={t`Record fee of ${child}`} label={<Trans>Record fee…</Trans>}>
          {(onClose) => <PaymentForm record={record} onClose={onClose} />}
        </FormOpener>
      )}
      {may.accept && (
        <Button
          kind="main"
          aria-keyshortcuts="f"
          isBusy={accept.isBusy}
          onClick={async () => {
            if (await accept.run({ id, version })) toast({ kind: 'success', title: t`Seat confirmed.`, of: child });
          }}
        >
          <Trans>Family accepts</Trans>
        </Button>
      )}
      {mayOpen && (record.state === 'Seat confirmed' || record.state === 'Admitted') && (
        <ButtonLink
          kind={mayCreate ? 'main' : undefined}
          to="/school-erp/admission/confirm-admission/$inquiryID"
          params={{ inquiryID: String(id) }}
        >
          {mayCreate ? <Trans>Create the account</Trans> : <Trans>Account</Trans>}
        </ButtonLink>
      )}
      {may.readLetter && <LetterButton id={id} inquiryNo={record.inquiryNo} />}
      {accept.problem}
    </>
  );
}
