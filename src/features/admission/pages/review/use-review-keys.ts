import { usePageNavigate } from '#kit/browser/ui/PageLink.tsx';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import type { ReviewRecord } from '../../contract/review.ts';
import { addressOf } from './deciding.tsx';
import { nextAnswer, type ReviewPlace } from './use-review-place.ts';
import type { Verdicts } from './use-verdicts.tsx';

/** The single keys of a review, which ReviewShortcuts lists. */
export function useReviewKeys(record: ReviewRecord, place: ReviewPlace, verdicts: Verdicts, onHelp: () => void) {
  const navigate = usePageNavigate();
  const { next, documents, may } = record;
  const { area, items, focusItem, shown, setAsked } = place;
  const { acceptItem, undo, latest } = verdicts;
  useSingleKeys(area, ({ key }, at) => {
    if (key === '?') return onHelp;
    if (key === 'n' && next !== null) return () => void navigate(addressOf(next));
    const section = at.closest<HTMLElement>('[data-review]');
    const current = section?.dataset.review;
    const index = items.findIndex((item) => item.key === current);
    const mainAct = area.current?.querySelector<HTMLElement>('[data-review="acts"] [data-main]:not(:disabled)');
    if (key === 'm') return mainAct ? () => mainAct.click() : undefined;
    if (key === 'j') return () => focusItem(current === 'acts' ? 'acts' : (items[index + 1]?.key ?? 'acts'));
    if (key === 'k') return () => focusItem(items[index === -1 ? items.length - 1 : Math.max(index - 1, 0)]?.key);
    if (key === 'ArrowDown' || key === 'ArrowUp') return nextAnswer(section, at, key === 'ArrowDown' ? 1 : -1);
    if (!may.decide) return undefined;
    if (key === 'z' && latest) return () => void undo(latest.key);
    const file = shown ?? (documents[0] && { kind: 'document' as const, id: documents[0].id });
    if (key === 'v' && file?.kind === 'document')
      return () => void acceptItem(`document-${file.id}`, { keepsFocus: true });
    if (!current || index === -1) return undefined;
    if (key === 'a') return () => void acceptItem(current);
    // A value of the inquiry is changed there: the answer's own button knows.
    const pencil = at.closest('[data-answer]')?.querySelector<HTMLElement>('[data-ask]');
    if (key === 'c') return () => (pencil ? pencil.click() : setAsked({ key: current, field: '' }));
    return undefined;
  });
}
