import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { provenBy } from '#features/admission-form/contract/document.ts';
import { useAction } from '#kit/browser/data/action.ts';
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
import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { PhoneLink } from '#kit/browser/ui/PhoneLink.tsx';
import { ShortcutList } from '#kit/browser/ui/ShortcutList.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import { type ReviewAnswers, type ReviewRecord, reviewApi } from '../contract/review.ts';
import { reviewList } from '../contract/review-list.ts';
import { InquiryStateChip } from './InquiryState.tsx';
import { AnswerSections } from './review/AnswerSections.tsx';
import { DocumentPanel } from './review/DocumentPanel.tsx';
import { type Asked, addressOf, type ShownFile, titleOf } from './review/deciding.tsx';
import { itemsOf } from './review/items.ts';
import { type ReasonAct, ReasonForm, ReviewFoot } from './review/ReviewFoot.tsx';
import { ReviewNotes } from './review/ReviewNotes.tsx';
import styles from './review/ReviewPage.module.css';
import { ReviewSkeleton } from './review/ReviewSkeleton.tsx';

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

/** How long the foot shows a verdict, which a key then undoes, in milliseconds. */
const undoTime = 8000;

interface Props {
  record: ReviewRecord;
  answers: ReviewAnswers;
}

function Review({ record, answers }: Props) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const area = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<ShownFile>();
  const [asked, setAsked] = useState<Asked>();
  const [act, setAct] = useState<ReasonAct>();
  const [isHelping, setHelping] = useState(false);
  const [isConfirming, setConfirming] = useState(false);
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [latest, setLatest] = useState<{ key: string; words: string }>();
  const accept = useAction(reviewApi.acceptSection);
  const undoSection = useAction(reviewApi.undoSection);
  const decide = useAction(reviewApi.decideDocument);
  const undoDocument = useAction(reviewApi.undoDocument);
  const { id, answersVersion, next, documents } = record;
  const { decide: canDecide } = record.may;
  const items = itemsOf(record);
  const itemOf = (key: string) => items.find((item) => item.key === key);
  const nameOf = (key: string) => {
    const item = itemOf(key);
    if (!item) return '';
    return item.kind === 'section' ? translateOption(item.section.section) : titleOf(item.document);
  };

  const show = (file: ShownFile) => {
    setShown(file);
    setPanelOpen(true);
  };
  const showProof = (field: string) => {
    const proof = documents.find(({ name }) => name === provenBy.get(field));
    if (proof) setShown({ kind: 'document', id: proof.id });
  };
  const focusOn = (place: HTMLElement | null | undefined) => {
    if (!place) return;
    place.focus({ preventScroll: true });
    place.scrollIntoView?.({ block: 'nearest' });
  };
  const focusItem = (key: string | undefined) => {
    const place = key && area.current?.querySelector<HTMLElement>(`[data-review="${key}"]`);
    if (!place) return;
    focusOn(place.querySelector<HTMLElement>('[data-main]:not(:disabled)') ?? place);
    const item = itemOf(key);
    if (item?.kind === 'document') setShown({ kind: 'document', id: item.document.id });
  };
  const focusAnswer = ({ key, field }: Asked) => {
    const section = area.current?.querySelector<HTMLElement>(`[data-review="${key}"]`);
    focusOn(section?.querySelector<HTMLElement>(`[data-answer="${field}"]`) ?? section);
  };
  const stopAsking = () => {
    if (asked) focusAnswer(asked);
    setAsked(undefined);
  };

  const undo = async (key: string) => {
    setLatest(undefined);
    const item = itemOf(key);
    if (!item) return;
    const done =
      item.kind === 'section'
        ? await undoSection.run({ id, answersVersion, section: item.section.section as never })
        : await undoDocument.run({ id, answersVersion, document: item.document.id });
    if (done) focusItem(key);
  };
  useEffect(() => {
    if (!latest) return;
    const timer = setTimeout(() => setLatest(undefined), undoTime);
    return () => clearTimeout(timer);
  }, [latest]);
  const announce = (key: string, words: string, keepsFocus = false) => {
    setLatest({ key, words });
    if (!keepsFocus) focusItem(key);
  };
  const acceptItem = async (key: string, { confirmsAbsence = false, keepsFocus = false } = {}) => {
    const item = itemOf(key);
    if (!item) return;
    const name = nameOf(key);
    if (item.kind === 'document') {
      const { isOriginalSeen, id: document } = item.document;
      const verified = { id, answersVersion, document, result: 'Verified', isOriginalSeen, remark: '' } as const;
      if (await decide.run(verified)) announce(key, t`${name}: verified.`, keepsFocus);
      return;
    }
    const { section, result, remarks } = item.section;
    // Words that wait for the family are removed one at a time, never with one key.
    if (result === 'Accepted' || remarks.length > 0) return;
    // A parent whom the family cannot name is confirmed in words, not with one key.
    if (section === 'Family' && record.absences.length > 0 && !confirmsAbsence) return setConfirming(true);
    if (await accept.run({ id, answersVersion, section: section as never, confirmsAbsence }))
      announce(key, t`${name}: accepted.`);
  };

  useSingleKeys(area, ({ key }, at) => {
    if (key === '?') return () => setHelping(true);
    if (key === 'n' && next !== null) return () => void navigate(addressOf(next));
    const section = at.closest<HTMLElement>('[data-review]');
    const current = section?.dataset.review;
    const place = items.findIndex((item) => item.key === current);
    const mainAct = area.current?.querySelector<HTMLElement>('[data-review="acts"] [data-main]:not(:disabled)');
    if (key === 'm') return mainAct ? () => mainAct.click() : undefined;
    if (key === 'j') return () => focusItem(current === 'acts' ? 'acts' : (items[place + 1]?.key ?? 'acts'));
    if (key === 'k') return () => focusItem(items[place === -1 ? items.length - 1 : Math.max(place - 1, 0)]?.key);
    if (key === 'ArrowDown' || key === 'ArrowUp') return nextAnswer(section, at, key === 'ArrowDown' ? 1 : -1);
    if (!canDecide) return undefined;
    if (key === 'z' && latest) return () => void undo(latest.key);
    const file = shown ?? (documents[0] && { kind: 'document' as const, id: documents[0].id });
    if (key === 'v' && file?.kind === 'document')
      return () => void acceptItem(`document-${file.id}`, { keepsFocus: true });
    if (!current || place === -1) return undefined;
    if (key === 'a') return () => void acceptItem(current);
    // A value of the inquiry is changed there: the answer's own button knows.
    const pencil = at.closest('[data-answer]')?.querySelector<HTMLElement>('[data-ask]');
    if (key === 'c') return () => (pencil ? pencil.click() : setAsked({ key: current, field: '' }));
    return undefined;
  });
  const nextAnswer = (section: HTMLElement | null, at: Element, step: 1 | -1) => {
    const answers = [...(section?.querySelectorAll<HTMLElement>('[data-answer]') ?? [])];
    const place = answers.indexOf(at.closest('[data-answer]') as HTMLElement) + step;
    const target = place === -1 ? section : answers[place];
    return answers.length > 0 && target ? () => focusOn(target) : undefined;
  };

  const deciding = {
    record,
    canDecide,
    asked,
    onAsk: setAsked,
    onAsked: stopAsking,
    onAccept: (key: string) => void acceptItem(key),
    onUndo: (key: string) => void undo(key),
    onShow: show,
  };
  const photo = answers.child?.admissionStudentImagePath;
  return (
    <>
      <RecordPage
        title={record.child}
        back={{ to: '/school-erp/admission/review-list', title: t`Review List`, list: reviewList }}
        about={[record.grade, record.academicYear, record.inquiryNo].join(' · ')}
        picture={
          photo && (
            <img
              className={styles.photo}
              src={`/api/review/${id}/file/${photo}`}
              alt={record.child}
              width={72}
              height={90}
            />
          )
        }
        chips={<HeadFacts record={record} />}
        actions={<HeadActs record={record} onAct={setAct} onHelp={() => setHelping(true)} />}
        parts={[
          {
            key: 'review',
            title: t`Review`,
            cards: [
              <div key="review" ref={area} className={styles.review} tabIndex={-1}>
                <Grid columns={1} gap={24} className={styles.grid}>
                  <Grid columns={1} gap={24} className={styles.answers}>
                    <AnswerSections {...deciding} answers={answers} onCurrent={showProof} />
                    <ReviewNotes record={record} />
                  </Grid>
                  <DocumentPanel {...deciding} shown={shown} isOpen={isPanelOpen} onClose={() => setPanelOpen(false)} />
                </Grid>
                <div className={styles.problems}>
                  {accept.problem}
                  {undoSection.problem}
                  {decide.problem}
                  {undoDocument.problem}
                </div>
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
      {isConfirming && (
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
      )}
      {act && <ReasonForm act={act} record={record} onClose={() => setAct(undefined)} />}
      {isHelping && (
        <ShortcutList
          keys={[
            [['J'], t`Next section or document`],
            [['K'], t`Previous section or document`],
            [['↓', '↑'], t`Next or previous answer of the section, with its document`],
            [['A'], t`Accept the section or verify the document without moving on`],
            [['V'], t`Verify the document that is shown`],
            [['C'], t`Ask for a correction, or reject the document`],
            [['Z'], t`Undo the last verdict, for 8 seconds`],
            [['M'], t`The filled button at the foot: start the review, mark as verified, or send back`],
            [['N'], t`Next form`],
            [['?'], t`Keyboard shortcuts`],
          ]}
          onClose={() => setHelping(false)}
        />
      )}
    </>
  );
}

const absencesOf = ({ absences }: ReviewRecord) =>
  absences.map(({ parent, reason }) => `${translateOption(parent)}: ${translateOption(reason)}`).join('; ');

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
