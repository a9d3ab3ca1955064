import { type ReactNode, useEffect, useRef } from 'react';
import { Row, Text } from './Layout.tsx';
import styles from './Tabs.module.css';

interface Props {
  /** What they are the parts of. */
  label: string;
  /** The key of the current one. */
  current?: string;
  /** Links, of which the current one has `aria-current`. */
  children: ReactNode;
}

/** Links to the parts of a page, in a line above the one that is shown. */
export function Tabs({ label, current, children }: Props) {
  const nav = useRef<HTMLElement>(null);
  // On a phone the tabs are one line that slides, with the chosen one in its middle.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is another place.
  useEffect(() => {
    const line = nav.current;
    const chosen = line?.querySelector<HTMLElement>('[aria-current]');
    if (!line || !chosen) return;
    const centre = () => {
      line.scrollLeft = chosen.offsetLeft - (line.clientWidth - chosen.offsetWidth) / 2;
    };
    centre();
    // A turned phone, or a window made narrower.
    const observer = new ResizeObserver(centre);
    observer.observe(line);
    return () => observer.disconnect();
  }, [current]);
  return (
    <Row as="nav" gap="0 20" wrap ref={nav} noPrint line="below" className={styles.tabs} aria-label={label}>
      {children}
    </Row>
  );
}

interface WordsProps {
  words: string;
  /** How many there are in it, once that is known. */
  count?: string;
}

/** The words of a tab, which keep the width that they have when it is the current one. */
export const TabWords = ({ words, count }: WordsProps) => (
  <span className={styles.words} data-words={count ? `${words} ${count}` : words}>
    {words}
    {count && (
      <Text as="span" tone="soft" weight={400}>
        {' '}
        {count}
      </Text>
    )}
  </span>
);
