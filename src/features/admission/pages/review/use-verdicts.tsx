import { useLingui } from '@lingui/react/macro';
import { useEffect, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { translateOption } from '#kit/browser/text.ts';
import { type ReviewRecord, reviewApi } from '../../contract/review.ts';
import { titleOf } from './deciding.tsx';
import type { ReviewPlace } from './use-review-place.ts';

/** How long the foot shows a verdict, which a key then undoes, in milliseconds. */
const undoTime = 8000;

export type Verdicts = ReturnType<typeof useVerdicts>;

/** Accepts sections and verifies documents, and takes a verdict back. */
export function useVerdicts(record: ReviewRecord, { itemOf, focusItem }: ReviewPlace) {
  const { t } = useLingui();
  const { id, answersVersion } = record;
  const [isConfirming, setConfirming] = useState(false);
  const [latest, setLatest] = useState<{ key: string; words: string }>();
  const accept = useAction(reviewApi.acceptSection);
  const undoSection = useAction(reviewApi.undoSection);
  const decide = useAction(reviewApi.decideDocument);
  const undoDocument = useAction(reviewApi.undoDocument);
  const nameOf = (key: string) => {
    const item = itemOf(key);
    if (!item) return '';
    return item.kind === 'section' ? translateOption(item.section.section) : titleOf(item.document);
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
  const problems = (
    <>
      {accept.problem}
      {undoSection.problem}
      {decide.problem}
      {undoDocument.problem}
    </>
  );
  return { acceptItem, undo, latest, isConfirming, setConfirming, problems };
}
