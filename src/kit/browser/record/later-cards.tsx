import { Trans } from '@lingui/react/macro';
import { type ReactNode, useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { useMedia } from '#kit/browser/ui/use-media.ts';

export type Later = boolean | 'everywhere';

interface Named {
  title: string;
  card: ReactNode;
  /** A phone reads it on request alone; with `everywhere` each screen does. */
  isLater?: Later | undefined;
  /** A phone does not show it, and so does not name it. */
  isBlank?: boolean | undefined;
}

/** The cards of a page; a last line names the later ones, and opens them. */
export function useLaterCards(): (cards: readonly Named[]) => ReactNode[] {
  const isPhone = useMedia('(max-width: 767px)');
  const [isAsked, setAsked] = useState(false);
  return (cards) => {
    const later = cards.filter(({ isLater }) => !isAsked && (isPhone ? isLater : isLater === 'everywhere'));
    const shown = cards.filter((card) => !later.includes(card)).map(({ card }) => card);
    if (!later.some(({ isBlank }) => !isBlank)) return shown;
    return [
      ...shown,
      <Row as="p" key="more" gap="0 8" align="center" justify="between" tone="soft" data-wide>
        <span>
          <Trans>More:</Trans>{' '}
          {later
            .filter(({ isBlank }) => !isBlank)
            .map(({ title }) => title)
            .join(' · ')}
        </span>
        <Button
          kind="quiet"
          onClick={({ currentTarget }) => {
            focusFirstAdded(currentTarget.parentElement?.parentElement);
            setAsked(true);
          }}
        >
          <Trans>Show</Trans>
        </Button>
      </Row>,
    ];
  };
}

/** Focuses the first of the cards that now appear; the next one where it turns out empty, unless the user has moved on. */
function focusFirstAdded(cards: Element | null | undefined) {
  if (!cards) return;
  const before = new Set(cards.children);
  let first: Element | undefined;
  const changes = new MutationObserver(() => {
    if (first?.isConnected) return;
    if (document.activeElement !== document.body) return changes.disconnect();
    first = [...cards.children].find((card) => !before.has(card));
    if (!(first instanceof HTMLElement)) return;
    first.tabIndex = -1;
    first.focus();
  });
  changes.observe(cards, { childList: true });
}
