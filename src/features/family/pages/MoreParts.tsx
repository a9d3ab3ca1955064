import { type ComponentType, useEffect, useRef, useState } from 'react';
import { useAttempt } from '#kit/browser/data/attempt.tsx';
import { withWords } from '#kit/browser/language.tsx';
import { AppError, awayMessage } from '#kit/contract/errors.ts';
import type { FamilyMore, MoreProps } from '../ui/part.ts';
import styles from './FamilyPage.module.css';

interface Props {
  parts: readonly (FamilyMore & { key: string })[];
  given: MoreProps;
}

/** What the guardian does on the page: buttons, each with what it opens below it. */
export const MoreParts = ({ parts, given }: Props) => (
  <div>
    {parts.map(({ key, ...more }) => (
      <One key={key} more={more} given={given} />
    ))}
  </div>
);

function One({ more: { Words, load }, given }: { more: FamilyMore; given: MoreProps }) {
  const [More, setMore] = useState<ComponentType<MoreProps>>();
  const [isOpen, setOpen] = useState(false);
  const section = useRef<HTMLElement>(null);
  const { attempt, isBusy, problem } = useAttempt();
  const toggle = () =>
    attempt(async () => {
      if (!More) {
        const loaded = await withWords(load()).catch(() => {
          throw new AppError('unavailable', awayMessage);
        });
        setMore(() => loaded.More);
      }
      setOpen((before) => !before);
    });
  // The words of the button are its heading, so a reader who is taken there hears them.
  useEffect(() => {
    if (isOpen) section.current?.scrollIntoView({ block: 'nearest' });
  }, [isOpen]);
  return (
    <section ref={section} className={styles.part}>
      <h2>
        <button type="button" aria-expanded={isOpen} aria-disabled={isBusy} onClick={() => void toggle()}>
          <Words />
        </button>
      </h2>
      {problem}
      {isOpen && More && <More {...given} />}
    </section>
  );
}
