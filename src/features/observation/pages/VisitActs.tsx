import { Trans, useLingui } from '@lingui/react/macro';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { SelectField, TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { type Visit, visitApi } from '../contract/visit.ts';

/** What the reader may do with a visit next. */
export function VisitActs({ visit }: { visit: Visit }) {
  const { t } = useLingui();
  const { id, version, teacher, may, state } = visit;
  const start = useAction(visitApi.start);
  const finish = useAction(visitApi.finish);
  const share = useAction(visitApi.share);
  const download = useDownload();
  const paper = useAttempt();
  const withReason = (
    title: string,
    about: string,
    endpoint: typeof visitApi.cancel | typeof visitApi.close | typeof visitApi.reopen,
    hasReason = true,
  ) => (
    <FormOpener title={title} label={title} kind="plain">
      {(onClose) => (
        <RecordForm
          title={title}
          about={about}
          endpoint={endpoint}
          initial={{ reason: '' }}
          hiddenValues={{ id, version }}
          words={title}
          onClose={onClose}
        >
          {hasReason && <TextField name="reason" long />}
        </RecordForm>
      )}
    </FormOpener>
  );
  return (
    <>
      {may.start && (
        <Button kind="main" isBusy={start.isBusy} onClick={() => void start.run({ id, version })}>
          <Trans>Begin the visit</Trans>
        </Button>
      )}
      {may.finish && (
        <Button kind="main" isBusy={finish.isBusy} onClick={() => void finish.run({ id, version })}>
          <Trans>End the visit</Trans>
        </Button>
      )}
      {may.share && (
        <ConfirmButton
          name={t`Share with ${teacher}`}
          kind="main"
          label={<Trans>Share</Trans>}
          confirm={<Trans>Share</Trans>}
          question={<Trans>{teacher} will see this. You can’t change it afterwards.</Trans>}
          onConfirm={() => void share.run({ id, version })}
        />
      )}
      {may.acknowledge && (
        <FormOpener title={t`Acknowledge the report`} label={<Trans>Acknowledge</Trans>} kind="main">
          {(onClose) => (
            <RecordForm
              title={t`Acknowledge the report`}
              about={t`You have read it. A comment is optional.`}
              endpoint={visitApi.acknowledge}
              initial={{ comment: '' }}
              hiddenValues={{ id, version }}
              words={<Trans>Acknowledge</Trans>}
              saved={t`Acknowledged.`}
              onClose={onClose}
            >
              <TextField name="comment" long />
            </RecordForm>
          )}
        </FormOpener>
      )}
      {may.close &&
        withReason(
          t`Close`,
          t`It can’t be changed afterwards unless it is reopened.`,
          visitApi.close,
          state === 'Shared',
        )}
      {may.reopen &&
        withReason(t`Reopen`, t`${teacher} is notified, and acknowledges it again once it is shared.`, visitApi.reopen)}
      {may.handOver && (
        <FormOpener title={t`Hand over the visit`} label={<Trans>Hand over</Trans>} kind="plain">
          {(onClose) => (
            <RecordForm
              title={t`Hand over the visit`}
              about={t`The new observer is notified.`}
              endpoint={visitApi.handOver}
              initial={{ observerId: '' }}
              hiddenValues={{ id, version }}
              words={<Trans>Hand over</Trans>}
              saved={t`Handed over.`}
              onClose={onClose}
            >
              <SelectField
                name="observerId"
                options={visit.observers.map((one) => ({ value: String(one.id), label: one.name }))}
              />
            </RecordForm>
          )}
        </FormOpener>
      )}
      {may.print && (
        <Button
          isBusy={paper.isBusy}
          onClick={() => void paper.attempt(() => download(visitApi.paper, { id }, t`visit.pdf`))}
        >
          <Trans>Print</Trans>
        </Button>
      )}
      {may.cancel && withReason(t`Cancel the visit`, t`The list will show it as cancelled.`, visitApi.cancel)}
      {start.problem}
      {finish.problem}
      {share.problem}
      {paper.problem}
    </>
  );
}
