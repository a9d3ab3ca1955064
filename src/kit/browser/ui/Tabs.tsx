import type { ReactNode, Ref } from 'react';
import styles from './Tabs.module.css';

interface Props {
  ref?: Ref<HTMLElement>;
  /** What they are the parts of. */
  label: string;
  /** Links, of which the current one has `aria-current`. */
  children: ReactNode;
}

/** Links to the parts of a page, in a line above the one that is shown. */
export const Tabs = ({ ref, label, children }: Props) => (
  <nav ref={ref} className={styles.tabs} aria-label={label}>
    {children}
  </nav>
);

/** The words of a tab, which keep the width that they have when it is the current one. */
export const TabWords = ({ words }: { words: string }) => (
  <span className={styles.words} data-words={words}>
    {words}
  </span>
);
