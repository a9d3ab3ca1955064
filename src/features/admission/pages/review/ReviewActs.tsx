import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { TextField } from '#kit/browser/form/fields.tsx';
import { FormOpener, RecordForm } from '#kit/browser/form/RecordForm.tsx';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { ConfirmButton } from '#kit/browser/ui/ConfirmButton.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { inquiryApi } from '../../contract/inquiry.ts';
import { type ReviewRecord, reviewApi } from '../../contract/review.ts';
import styles from './ReviewPage.module.css';

/** The bar at the foot of the review: how far it is, and what can be done with the whole form. */
export function ReviewActs({ record }: { record: ReviewRecord }) {
  const { t } = useLingui();
  const toast = useToast();
  const { id, version, state, sections, may } = record;
  const start = useAction(reviewApi.start);
  const ask = useAction(reviewApi.requestCorrection);
  const verify = useAction(reviewApi.verify);
  const accepted = sections.filter(({ result }) => result === 'Accepted').length;
  const questioned = sections.filter(({ result }) => result === 'Needs correction').map(({ section }) => section);
  const names = questioned.map(translateOption).join(', ');
  const isUnderReview = state === 'Under review';
  const isEnded = state === 'Rejected' || state === 'Withdrawn';
  if (!may.review) return null;
  const requestCorrection = async () => {
    const answer = await ask.run({ id, version });
    if (answer?.sentTo === 0) toast({ kind: 'warning', title: t`Reopened. The family has no contact: call it.` });
    else if (answer) toast({ kind: 'success', title: t`Sent back to the family.` });
  };
  const markVerified = async () => {
    if (await verify.run({ id, version })) toast({ kind: 'success', title: t`Verified.` });
  };
  return (
    <div className={styles.acts} data-review="acts" tabIndex={-1} role="toolbar" aria-label={t`Whole form`}>
      <p>
        <Trans>Sections accepted: {accepted} of 6</Trans>
      </p>
      {ask.problem}
      {verify.problem}
      {start.problem}
      <div className={styles.buttons}>
        {state === 'Submitted' && (
          <Button isBusy={start.isBusy} onClick={() => void start.run({ id })}>
            <Trans>Start the review</Trans>
          </Button>
        )}
        {state === 'Verified' && (
          <ReasonAct
            endpoint={reviewApi.reviewAgain}
            record={record}
            title={t`Review again`}
            label={<Trans>Review again…</Trans>}
            words={<Trans>Review again</Trans>}
          />
        )}
        {may.reject && (
          <ReasonAct
            endpoint={reviewApi.reject}
            record={record}
            title={t`Reject the form`}
            label={<Trans>Reject…</Trans>}
            words={<Trans>Reject</Trans>}
          />
        )}
        {!isEnded && (
          <ReasonAct
            endpoint={reviewApi.withdraw}
            record={record}
            title={t`Mark as withdrawn by the family`}
            label={<Trans>Withdrawn…</Trans>}
            words={<Trans>Mark as withdrawn</Trans>}
          />
        )}
        {may.reopen && (
          <ReasonAct
            endpoint={inquiryApi.reopen}
            record={record}
            title={t`Reopen the form`}
            label={<Trans>Reopen…</Trans>}
            words={<Trans>Reopen</Trans>}
          />
        )}
        {isUnderReview && questioned.length > 0 && (
          <ConfirmButton
            name={t`Send back for a correction`}
            label={<Trans>Send back…</Trans>}
            question={
              <Trans>The family can change these sections again: {names}. It gets a message with the link.</Trans>
            }
            confirm={<Trans>Send back</Trans>}
            onConfirm={() => void requestCorrection()}
          />
        )}
        {isUnderReview && (
          <Button
            kind="main"
            isBusy={verify.isBusy}
            disabled={accepted < sections.length}
            onClick={() => void markVerified()}
          >
            <Trans>Mark as verified</Trans>
          </Button>
        )}
      </div>
    </div>
  );
}

interface ReasonActProps {
  endpoint: typeof reviewApi.reject | typeof inquiryApi.reopen;
  record: ReviewRecord;
  title: string;
  label: ReactNode;
  words: ReactNode;
}

/** An act on the whole form that needs a reason. */
const ReasonAct = ({ endpoint, record: { id, version }, title, label, words }: ReasonActProps) => (
  <FormOpener title={title} label={label}>
    {(onClose) => (
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
    )}
  </FormOpener>
);
