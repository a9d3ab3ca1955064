import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { RowMenu } from '#kit/browser/list/RowMenu.tsx';
import { RecordPage } from '#kit/browser/record/RecordPage.tsx';
import { translate, translateOption } from '#kit/browser/text.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Button, ButtonLink } from '#kit/browser/ui/Button.tsx';
import { Grid } from '#kit/browser/ui/Layout.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { ShortcutList } from '#kit/browser/ui/ShortcutList.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { type ReviewAnswers, type ReviewRecord, reviewApi } from '../contract/review.ts';
import { reviewList } from '../contract/review-list.ts';
import { InquiryStateChip } from './InquiryState.tsx';
import { AnswerSections } from './review/AnswerSections.tsx';
import { DocumentPanel } from './review/DocumentPanel.tsx';
import type { ReasonAct } from './review/ReasonForm.tsx';
import { ReviewFoot } from './review/ReviewFoot.tsx';
import styles from './review/ReviewPage.module.css';
import { ReviewSkeleton } from './review/ReviewSkeleton.tsx';
import { useReviewKeys } from './review/use-review-keys.ts';
import { useReviewPlace } from './review/use-review-place.ts';
import { useVerdicts, type Verdicts } from './review/use-verdicts.tsx';

const ReasonForm = lazy(async () => ({ default: (await import('./review/ReasonForm.tsx')).ReasonForm }));
const ReviewNotes = lazy(async () => ({ default: (await import('./review/ReviewNotes.tsx')).ReviewNotes }));

/** /school-erp/admission/review-list/{inquiryID}: a submitted form with its papers, and a verdict on each. */
export function ReviewPage() {
  const { inquiryID } = useParams({ strict: false }) as { inquiryID: string };
  return <ReviewOf id={inquiryID} />;
}

export function ReviewOf({ id }: { id: string }) {
  const { t } = useLingui();
  const record = useRead(reviewApi.read, { id });
  return (
    <>
      {record.error && !record.data && <PageHead title={t`Review`} />}
      <QueryBoundary query={record} skeleton={<ReviewSkeleton />}>
        {(found) => <WithAnswers key={found.id} record={found} />}
      </QueryBoundary>
    </>
  );
}

/** The page appears at once, when the answers are there too. */
function WithAnswers({ record }: { record: ReviewRecord }) {
  const answers = useRead(reviewApi.answers, {
    id: String(record.id),
    answersVersion: String(record.answersVersion),
  });
  return (
    <>
      {answers.error && !answers.data && <PageHead title={record.child} />}
      <QueryBoundary query={answers} skeleton={<ReviewSkeleton />}>
        {(found) => <Review record={record} answers={found} />}
      </QueryBoundary>
    </>
  );
}

interface Props {
  record: ReviewRecord;
  answers: ReviewAnswers;
}

function Review({ record, answers }: Props) {
  const { t } = useLingui();
  const [act, setAct] = useState<ReasonAct>();
  const [isHelping, setHelping] = useState(false);
  const place = useReviewPlace(record);
  const verdicts = useVerdicts(record, place);
  useReviewKeys(record, place, verdicts, () => setHelping(true));
  const { isPanelOpen, setPanelOpen } = place;
  const { acceptItem, undo, latest } = verdicts;
  const deciding = {
    record,
    canDecide: record.may.decide,
    asked: place.asked,
    onAsk: place.setAsked,
    onAsked: place.stopAsking,
    onAccept: (key: string) => void acceptItem(key),
    onUndo: (key: string) => void undo(key),
    onShow: place.show,
  };
  return (
    <>
      <RecordPage
        title={record.child}
        back={{ to: '/school-erp/admission/review-list', title: t`Review List`, list: reviewList }}
        about={[record.grade, record.academicYear, record.inquiryNo].join(' · ')}
        picture={<Photo record={record} answers={answers} />}
        chips={<HeadFacts record={record} />}
        actions={<HeadActs record={record} onAct={setAct} onHelp={() => setHelping(true)} />}
        parts={[
          {
            key: 'review',
            title: t`Review`,
            cards: [
              <div key="review" ref={place.area} className={styles.review} tabIndex={-1}>
                <Grid columns={1} gap={24} className={styles.grid}>
                  <Grid columns={1} gap={24} className={styles.answers}>
                    <AnswerSections {...deciding} answers={answers} onCurrent={place.showProof} />
                    <Suspense fallback={null}>
                      <ReviewNotes record={record} />
                    </Suspense>
                  </Grid>
                  <DocumentPanel
                    {...deciding}
                    shown={place.shown}
                    isOpen={isPanelOpen}
                    onClose={() => setPanelOpen(false)}
                  />
                </Grid>
                <div className={styles.problems}>{verdicts.problems}</div>
                <ReviewFoot
                  record={record}
                  latest={latest && { words: latest.words, undo: () => void undo(latest.key) }}
                  onAct={setAct}
                  isPanelOpen={isPanelOpen}
                  onPanel={() => setPanelOpen(!isPanelOpen)}
                />
              </div>,
            ],
          },
        ]}
      />
      {verdicts.isConfirming && <ConfirmAbsence record={record} verdicts={verdicts} />}
      {act && (
        <Suspense fallback={null}>
          <ReasonForm act={act} record={record} onClose={() => setAct(undefined)} />
        </Suspense>
      )}
      {isHelping && <ReviewShortcuts onClose={() => setHelping(false)} />}
    </>
  );
}

/** The child's picture, if the family gave one. */
function Photo({ record: { id, child }, answers }: Props) {
  const photo = answers.child?.admissionStudentImagePath;
  if (!photo) return null;
  return <img className={styles.photo} src={`/api/review/${id}/file/${photo}`} alt={child} width={72} height={90} />;
}

const absencesOf = ({ absences }: ReviewRecord) =>
  absences.map(({ parent, reason }) => `${translateOption(parent)}: ${translateOption(reason)}`).join('; ');

interface ConfirmProps {
  record: ReviewRecord;
  verdicts: Verdicts;
}

/** Asks before a family is accepted that cannot name a parent. */
function ConfirmAbsence({ record, verdicts: { acceptItem, setConfirming } }: ConfirmProps) {
  const { t } = useLingui();
  return (
    <AskDialog
      title={t`Accept Family?`}
      confirm={<Trans>Confirm and accept</Trans>}
      onConfirm={async (close) => {
        close();
        await acceptItem('section-Family', { confirmsAbsence: true });
      }}
      onClose={() => setConfirming(false)}
    >
      <Trans>The family can’t name a parent ({absencesOf(record)}). Do you confirm this?</Trans>
    </AskDialog>
  );
}

function ReviewShortcuts({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  return (
    <ShortcutList
      keys={[
        [['J'], t`Next section or document`],
        [['K'], t`Previous section or document`],
        [['↓', '↑'], t`Next or previous answer of the section, with its document`],
        [['A'], t`Accept the section or verify the document without moving on`],
        [['V'], t`Verify the document that is shown`],
        [['C'], t`Ask for a correction, or reject the document`],
        [['Z'], t`Undo the last answer, for 8 seconds`],
        [['M'], t`The filled button at the foot: start the review, mark as verified, or send back`],
        [['N'], t`Next form`],
        [['?'], t`Keyboard shortcuts`],
      ]}
      onClose={onClose}
    />
  );
}

function HeadFacts({ record: { state, age, contact, submittedAt, reviewer, endedReason } }: { record: ReviewRecord }) {
  return (
    <>
      <InquiryStateChip state={state} />
      {age && (
        <span className={age.isOutside ? styles.outside : 'soft'}>
          {age.isOutside ? translate(age.words) : <Trans>{translate(age.words)}, fits</Trans>}
        </span>
      )}
      <span className="soft">
        <Trans>Submitted {showMoment(submittedAt)}</Trans>
      </span>
      {contact && (
        <span className="soft">
          {[contact.name, translateOption(contact.parent)].filter(Boolean).join(', ')}{' '}
          <PhoneLink mobile={contact.mobile} />
        </span>
      )}
      {reviewer && (
        <span className="soft">
          <Trans>Reviewer: {reviewer.name}</Trans>
        </span>
      )}
      {endedReason && (
        <span>
          <Trans>Reason: {endedReason}</Trans>
        </span>
      )}
    </>
  );
}

interface HeadActsProps {
  record: ReviewRecord;
  onAct: (act: ReasonAct) => void;
  onHelp: () => void;
}

function HeadActs({ record, onAct, onHelp }: HeadActsProps) {
  const { t } = useLingui();
  const download = useDownload();
  const print = useAttempt();
  const { id, child, state, may } = record;
  const isEnded = state === 'Rejected' || state === 'Withdrawn' || state === 'Admitted';
  return (
    <>
      <ButtonLink to="/school-erp/admission/inquiry/$inquiryID" params={{ inquiryID: String(id) }}>
        <Trans>Inquiry</Trans>
      </ButtonLink>
      {(state === 'Seat confirmed' || state === 'Admitted') && (
        <ButtonLink
          kind={state === 'Seat confirmed' ? 'main' : undefined}
          to="/school-erp/admission/confirm-admission/$inquiryID"
          params={{ inquiryID: String(id) }}
        >
          {state === 'Admitted' ? <Trans>Account</Trans> : <Trans>Create the account</Trans>}
        </ButtonLink>
      )}
      <Button
        isBusy={print.isBusy}
        aria-label={t`PDF of the answers`}
        onClick={() => print.attempt(() => download(reviewApi.print, { id }, t`admission-form.pdf`))}
      >
        <Trans>PDF</Trans>
      </Button>
      <RowMenu name={child}>
        {(from) => (
          <>
            {may.review && state === 'Verified' && (
              <Menu.Item onClick={from(() => onAct('reviewAgain'))}>
                <Trans>Review again…</Trans>
              </Menu.Item>
            )}
            {may.reject && (
              <Menu.Item onClick={from(() => onAct('reject'))}>
                <Trans>Reject…</Trans>
              </Menu.Item>
            )}
            {may.review && !isEnded && (
              <Menu.Item onClick={from(() => onAct('withdraw'))}>
                <Trans>Mark as withdrawn…</Trans>
              </Menu.Item>
            )}
            <Menu.Item onClick={from(onHelp)}>
              <Trans>Keyboard shortcuts</Trans>
            </Menu.Item>
          </>
        )}
      </RowMenu>
      {print.problem}
    </>
  );
}
