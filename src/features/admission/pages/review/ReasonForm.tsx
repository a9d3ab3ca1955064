import { Trans, useLingui } from '@lingui/react/macro';
import { TextField } from '#kit/browser/form/fields.tsx';
import { RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { inquiryApi } from '../../contract/inquiry.ts';
import { type ReviewRecord, reviewApi } from '../../contract/review.ts';
import { EndReasonFields } from '../EndReasonFields.tsx';

/** Acts on the whole form that need a reason. */
export type ReasonAct = 'reject' | 'withdraw' | 'reviewAgain' | 'reopen';

interface Props {
  act: ReasonAct;
  record: ReviewRecord;
  onClose: () => void;
}

/** An act on the whole form that needs a reason. */
export function ReasonForm({ act, record: { id, version }, onClose }: Props) {
  const { t } = useLingui();
  if (act === 'withdraw')
    return (
      <RecordForm
        title={t`Mark as withdrawn by the family`}
        endpoint={reviewApi.withdraw}
        initial={{ reasonId: '', note: '' }}
        hiddenValues={{ id, version }}
        words={<Trans>Mark as withdrawn</Trans>}
        saved={null}
        onClose={onClose}
      >
        <EndReasonFields options={reviewApi.withdrawnReasons} />
      </RecordForm>
    );
  const { endpoint, title, words } = {
    reject: { endpoint: reviewApi.reject, title: t`Reject the form`, words: <Trans>Reject</Trans> },
    reviewAgain: { endpoint: reviewApi.reviewAgain, title: t`Review again`, words: <Trans>Review again</Trans> },
    reopen: { endpoint: inquiryApi.reopen, title: t`Reopen the form`, words: <Trans>Reopen</Trans> },
  }[act];
  return (
    <RecordForm
      title={title}
      endpoint={endpoint as typeof reviewApi.reject}
      initial={{ reason: '' }}
      hiddenValues={{ id, version }}
      words={words}
      saved={null}
      onClose={onClose}
    >
      <TextField name="reason" />
    </RecordForm>
  );
}
