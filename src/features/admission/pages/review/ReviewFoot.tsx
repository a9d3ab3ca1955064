import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { IconFileText } from '@tabler/icons-react';
import { useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { translateOption } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button, ButtonLink } from '#kit/browser/ui/Button.tsx';
import { List, Row, Text } from '#kit/browser/ui/Layout.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { type ReviewRecord, reviewApi } from '../../contract/review.ts';
import { addressOf, titleOf } from './deciding.tsx';
import type { ReasonAct } from './ReasonForm.tsx';
import styles from './ReviewFoot.module.css';

interface Props {
  record: ReviewRecord;
  /** The verdict that was just given. */
  latest: { words: string; undo: () => void } | undefined;
  onAct: (act: ReasonAct) => void;
  isPanelOpen: boolean;
  onPanel: () => void;
}

/** The foot of the review: how far it is, and the next act on the whole form. */
export function ReviewFoot({ record, latest, onAct, isPanelOpen, onPanel }: Props) {
  const { sections, documents } = record;
  const accepted = sections.filter(({ result }) => result === 'Accepted').length;
  return (
    <Row gap={16} align="center" noPrint line="above" className={styles.foot} data-review="acts" tabIndex={-1}>
      <Button className={styles.panel} aria-expanded={isPanelOpen} aria-controls="documents" onClick={onPanel}>
        {isPanelOpen ? (
          <Trans>Close documents</Trans>
        ) : (
          <>
            <IconFileText size={16} aria-hidden />
            <Trans>Documents {documents.length}</Trans>
          </>
        )}
      </Button>
      <Row as="p" gap="4 16" align="center" className={styles.words} data-state={record.state}>
        <Row as="span" gap={2} className={styles.meter} aria-hidden>
          {sections.map(({ section, result }) => (
            <i key={section} data-result={result ?? ''} />
          ))}
        </Row>
        <NextStep record={record} accepted={accepted} />
        <span role="status">{latest?.words}</span>
        {latest && (
          <Button kind="quiet" onClick={latest.undo}>
            <Trans>Undo</Trans>
            <kbd data-key="Z" />
          </Button>
        )}
      </Row>
      {(record.may.review || record.state === 'Verified') && <Acts record={record} accepted={accepted} onAct={onAct} />}
    </Row>
  );
}

/** How far the review is, or what comes after it. */
function NextStep({ record: { state, sections, ...record }, accepted }: { record: ReviewRecord; accepted: number }) {
  const waiting = correctionsOf({ sections, ...record }).length;
  if (state === 'Verified')
    return (
      <span>
        <Trans>Verified.</Trans> {record.nextStep === 'wait' && <Trans>Waits for the admission head</Trans>}
      </span>
    );
  if (state === 'Correction requested') return <Trans>Sent back. Waiting for the family.</Trans>;
  if (state === 'Rejected' || state === 'Withdrawn') return <Trans>This form is closed.</Trans>;
  return (
    <>
      <span>
        <Trans>
          {accepted} of {sections.length} accepted
        </Trans>
      </span>
      {waiting > 0 && (
        <span className={styles.waiting}>
          <Plural value={waiting} one="# correction waiting" other="# corrections waiting" />
        </span>
      )}
    </>
  );
}

interface Correction {
  key: string;
  about: string;
  words: string;
}

/** What the family is asked to correct, when the form is sent back. */
function correctionsOf({ sections, documents, missing }: Pick<ReviewRecord, 'sections' | 'documents' | 'missing'>) {
  const remarks = sections.flatMap(({ section, remarks: all }) =>
    all.map(({ id, remark }): Correction => ({ key: `r${id}`, about: translateOption(section), words: remark })),
  );
  const rejected = documents
    .filter(({ result }) => result === 'Rejected')
    .map((document): Correction => ({ key: `d${document.id}`, about: titleOf(document), words: document.remark }));
  const absent = missing.map((name): Correction => ({ key: name, about: translateOption(name), words: '' }));
  return [...remarks, ...rejected, ...absent];
}

interface ActsProps {
  record: ReviewRecord;
  accepted: number;
  onAct: (act: ReasonAct) => void;
}

function Acts({ record, accepted, onAct }: ActsProps) {
  const { t } = useLingui();
  const toast = useToast();
  const start = useAction(reviewApi.start);
  const verify = useAction(reviewApi.verify);
  const [isSending, setSending] = useState(false);
  const { id, version, child, state, sections, may, next, nextStep } = record;
  const isUnderReview = state === 'Under review';
  const corrections = correctionsOf(record);
  const canSend = isUnderReview && sections.some(({ result }) => result === 'Needs correction');
  const markVerified = async () => {
    if (await verify.run({ id, version })) toast({ kind: 'success', title: t`${child}: verified.` });
  };
  return (
    <Row gap={8} align="center" ml="auto" className={styles.acts}>
      {verify.problem}
      {start.problem}
      {may.reject && (
        <Button className={styles.reject} onClick={() => onAct('reject')}>
          <Trans>Reject…</Trans>
        </Button>
      )}
      {may.reopen && (
        <Button data-main onClick={() => onAct('reopen')}>
          <Trans>Reopen…</Trans>
        </Button>
      )}
      {state === 'Submitted' && (
        <Button kind="main" data-main isBusy={start.isBusy} onClick={() => void start.run({ id })}>
          <Trans>Start review</Trans>
          <kbd data-key="M" />
        </Button>
      )}
      {isUnderReview && (
        <Button
          kind={canSend ? 'plain' : 'main'}
          data-main={!canSend || undefined}
          className={canSend ? styles.wide : undefined}
          isBusy={verify.isBusy}
          disabled={accepted < sections.length}
          onClick={() => void markVerified()}
        >
          <Trans>Mark as verified</Trans>
          {!canSend && <kbd data-key="M" />}
        </Button>
      )}
      {canSend && (
        <Button kind="main" data-main onClick={() => setSending(true)}>
          <Trans>Send back…</Trans>
          <kbd data-key="M" />
        </Button>
      )}
      {(nextStep === 'plan' || nextStep === 'offer') && (
        <ButtonLink
          kind={next === null ? 'main' : 'plain'}
          data-main={next === null || undefined}
          to="/school-erp/admission/process-admission/$inquiryID"
          params={{ inquiryID: String(id) }}
        >
          {nextStep === 'plan' ? <Trans>Plan the interaction</Trans> : <Trans>Offer a seat</Trans>}
        </ButtonLink>
      )}
      {!isUnderReview && state !== 'Submitted' && next !== null && (
        <ButtonLink kind="main" data-main {...addressOf(next)}>
          <Trans>Next form</Trans>
        </ButtonLink>
      )}
      {isSending && <SendBack record={record} corrections={corrections} onClose={() => setSending(false)} />}
    </Row>
  );
}

interface SendBackProps {
  record: ReviewRecord;
  corrections: Correction[];
  onClose: () => void;
}

/** Asks before the family gets the form back, with what it is asked to correct. */
function SendBack({ record: { id, version, sections }, corrections, onClose }: SendBackProps) {
  const { t } = useLingui();
  const toast = useToast();
  const ask = useAction(reviewApi.requestCorrection);
  const names = sections
    .filter(({ result }) => result === 'Needs correction')
    .map(({ section }) => translateOption(section))
    .join(', ');
  return (
    <AskDialog
      title={t`Send back to the family?`}
      confirm={<Trans>Send back</Trans>}
      problem={ask.problem}
      details={
        <List mt={12}>
          {corrections.map(({ key, about, words }) => (
            <Text as="li" breaks="anywhere" py={4} line="hair-above" key={key}>
              <b>{about}</b> {words || <Trans>Missing</Trans>}
            </Text>
          ))}
        </List>
      }
      onConfirm={async (close) => {
        const answer = await ask.run({ id, version });
        if (!answer) return;
        close();
        if (answer.sentTo === 0)
          toast({ kind: 'warning', title: t`Reopened. The family has no contact: call the family.` });
        else toast({ kind: 'success', title: t`Sent back to the family.` });
      }}
      onClose={onClose}
    >
      <Trans>The family can correct these sections: {names}. We send the link.</Trans>
    </AskDialog>
  );
}
