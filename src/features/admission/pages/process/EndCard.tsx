import { Trans, useLingui } from '@lingui/react/macro';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { CardButtons, RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { type ProcessRecord, processApi } from '../../contract/process.ts';
import { EndReasonFields } from '../EndReasonFields.tsx';

/** Ends an application with a reason, or reopens one that has ended. */
export function EndCard({ record: { id, version, may, endedReason, state } }: { record: ProcessRecord }) {
  const { t } = useLingui();
  if (!may.reject && !may.withdraw && !may.reopen && endedReason === '') return null;
  const isEnded = may.reopen || endedReason !== '' || state === 'Offer expired';
  return (
    <RecordCard title={isEnded ? <Trans>Ended</Trans> : <Trans>End the application</Trans>}>
      {endedReason && <p>{endedReason}</p>}
      <CardButtons>
        {may.withdraw && (
          <FormOpener kind="plain" title={t`Withdraw the application`} label={<Trans>Withdraw…</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`The family withdraws`}
                endpoint={processApi.withdraw}
                initial={{ reasonId: '', note: '' }}
                hiddenValues={{ id, version }}
                words={<Trans>Withdraw</Trans>}
                saved={t`Withdrawn.`}
                onClose={onClose}
              >
                <EndReasonFields options={processApi.withdrawnReasons} />
              </RecordForm>
            )}
          </FormOpener>
        )}
        {may.reject && (
          <FormOpener kind="plain" title={t`Reject without a message`} label={<Trans>Reject…</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`Reject without a message`}
                endpoint={processApi.reject}
                initial={{ reasonId: '', note: '' }}
                hiddenValues={{ id, version }}
                words={<Trans>Reject</Trans>}
                saved={t`Rejected.`}
                onClose={onClose}
              >
                <EndReasonFields options={processApi.notOfferedReasons} />
              </RecordForm>
            )}
          </FormOpener>
        )}
        {may.reopen && (
          <FormOpener kind="plain" title={t`Reopen the application`} label={<Trans>Reopen…</Trans>}>
            {(onClose) => (
              <RecordForm
                title={t`Reopen the application`}
                endpoint={processApi.reopen}
                initial={{ reason: '' }}
                hiddenValues={{ id, version }}
                words={<Trans>Reopen</Trans>}
                saved={t`Reopened.`}
                onClose={onClose}
              >
                <TextField name="reason" />
              </RecordForm>
            )}
          </FormOpener>
        )}
      </CardButtons>
    </RecordCard>
  );
}
