import type { ReactNode } from 'react';
import styles from './Tabs.module.css';

interface Props {
  /** What they are the parts of. */
  label: string;
  /** Links, of which the current one has `aria-current`. */
  children: ReactNode;
}

/** Links to the parts of a page, in a line above the one that is shown. */
export const Tabs = ({ label, children }: Props) => (
  <nav className={styles.tabs} aria-label={label}>
    {children}
  </nav>
);
