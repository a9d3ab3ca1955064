import { Trans, useLingui } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { useDownload } from '#kit/browser/data/download.tsx';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Chip } from '#kit/browser/ui/Chip.tsx';
import { PageHead } from '#kit/browser/ui/PageHead.tsx';
import { PageLink, usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { ShortcutList } from '#kit/browser/ui/ShortcutList.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import { type ReviewRecord, reviewApi } from '../contract/review.ts';
import { InquiryStateChip } from './InquiryState.tsx';
import { AnswerSections } from './review/AnswerSections.tsx';
import { DocumentPanel } from './review/DocumentPanel.tsx';
import type { ShownFile } from './review/deciding.tsx';
import { isDecided, itemsOf } from './review/items.ts';
import { ReviewActs } from './review/ReviewActs.tsx';
import { ReviewNotes } from './review/ReviewNotes.tsx';
import styles from './review/ReviewPage.module.css';

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
      <QueryBoundary query={record}>{(found) => <Review key={found.id} record={found} />}</QueryBoundary>
    </>
  );
}

function Review({ record }: { record: ReviewRecord }) {
  const { t } = useLingui();
  const navigate = usePageNavigate();
  const area = useRef<HTMLDivElement>(null);
  const [shown, setShown] = useState<ShownFile>();
  const [asked, setAsked] = useState<{ key: string; field: string }>();
  const [isHelping, setHelping] = useState(false);
  const accept = useAction(reviewApi.acceptSection);
  const decide = useAction(reviewApi.decideDocument);
  const download = useDownload();
  const print = useAttempt();
  const { id, answersVersion, inquiryNo, child, grade, academicYear, state, submittedAt, reviewer, endedReason, next } =
    record;
  const { decide: canDecide } = record.may;
  const items = itemsOf(record);

  const focusItem = (key: string | undefined) => {
    const place = key && area.current?.querySelector<HTMLElement>(`[data-review="${key}"]`);
    if (!place) return;
    place.focus({ preventScroll: true });
    place.scrollIntoView({ block: 'nearest' });
    const item = items.find((one) => one.key === key);
    if (item?.kind === 'document') setShown({ kind: 'document', id: item.document.id });
  };
  const focusAfter = (key: string) => {
    const place = items.findIndex((item) => item.key === key);
    const open = [...items.slice(place + 1), ...items.slice(0, place)].find((item) => !isDecided(item));
    focusItem(open?.key ?? items[place + 1]?.key ?? 'acts');
  };
  const acceptItem = async (key: string) => {
    const item = items.find((one) => one.key === key);
    if (!item) return;
    // A parent whom the family cannot name is confirmed in words, not with one key.
    if (item.kind === 'section' && item.section.section === 'Family' && record.absences.length > 0)
      return area.current?.querySelector<HTMLElement>('[data-confirm-absence] button')?.click();
    const done =
      item.kind === 'section'
        ? await accept.run({ id, answersVersion, section: item.section.section as never, confirmsAbsence: false })
        : await decide.run({
            id,
            answersVersion,
            document: item.document.id,
            result: 'Verified',
            isOriginalSeen: item.document.isOriginalSeen,
            remark: '',
          });
    if (done) focusAfter(key);
  };

  useSingleKeys(area, ({ key }, at) => {
    if (key === '?') return () => setHelping(true);
    if (key === 'n' && next !== null) return () => void navigate(addressOf(next));
    const current = at.closest<HTMLElement>('[data-review]')?.dataset.review;
    const place = items.findIndex((item) => item.key === current);
    if (key === 'j') return () => focusItem(items[place + 1]?.key ?? 'acts');
    if (key === 'k') return () => focusItem(items[place === -1 ? items.length - 1 : Math.max(place - 1, 0)]?.key);
    if (!current || place === -1 || !canDecide) return undefined;
    if (key === 'a') return () => void acceptItem(current);
    if (key === 'c') return () => setAsked({ key: current, field: '' });
    return undefined;
  });

  return (
    <>
      <PageHead title={child} />
      <p className={styles.line}>
        <span className="soft">{[inquiryNo, grade, academicYear].join(' · ')}</span>
        <InquiryStateChip state={state} />
        <span className="soft">
          <Trans>Submitted {showMoment(submittedAt)}</Trans>
        </span>
        {reviewer && (
          <span className="soft">
            <Trans>Reviewer: {reviewer.name}</Trans>
          </span>
        )}
        <PageLink to="/school-erp/admission/inquiry/$inquiryID" params={{ inquiryID: String(id) }}>
          <Trans>Inquiry</Trans>
        </PageLink>
        {next !== null && (
          <PageLink {...addressOf(next)}>
            <Trans>Next form</Trans>
          </PageLink>
        )}
        <Button
          kind="quiet"
          isBusy={print.isBusy}
          aria-label={t`PDF of the answers`}
          onClick={() => print.attempt(() => download(reviewApi.print, { id }, t`admission-form.pdf`))}
        >
          <Trans>PDF</Trans>
        </Button>
        <Button kind="quiet" onClick={() => setHelping(true)}>
          <Trans>Keyboard shortcuts</Trans>
        </Button>
      </p>
      {endedReason && (
        <p>
          <Chip kind="bad">
            <Trans>Reason</Trans>
          </Chip>{' '}
          {endedReason}
        </p>
      )}
      {print.problem}
      {accept.problem}
      {decide.problem}
      <div ref={area} className={styles.review} tabIndex={-1}>
        <div className={styles.answers}>
          <AnswerSections
            record={record}
            canDecide={canDecide}
            asked={asked}
            onAsk={setAsked}
            onAccept={acceptItem}
            onDecided={focusAfter}
            onShow={setShown}
          />
          <ReviewNotes record={record} />
        </div>
        <DocumentPanel
          record={record}
          canDecide={canDecide}
          shown={shown}
          onShow={setShown}
          asked={asked}
          onAsk={setAsked}
          onAccept={acceptItem}
          onDecided={focusAfter}
        />
        <ReviewActs record={record} />
      </div>
      {isHelping && (
        <ShortcutList
          keys={[
            [['J'], t`Next section or document`],
            [['K'], t`Previous section or document`],
            [['A'], t`Accept the section, or verify the document`],
            [['C'], t`Ask for a correction, or reject the document`],
            [['N'], t`Next form`],
            [['?'], t`Keyboard shortcuts`],
          ]}
          onClose={() => setHelping(false)}
        />
      )}
    </>
  );
}

const addressOf = (id: number) =>
  ({ to: '/school-erp/admission/review-list/$inquiryID', params: { inquiryID: String(id) } }) as const;
