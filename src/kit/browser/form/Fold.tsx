import { type ReactNode, useState } from 'react';
import styles from './Fold.module.css';

interface Props {
  /** The line that opens it. */
  line: ReactNode;
  /** Something in it must be seen, such as a field that is wrong. */
  mustOpen?: boolean;
  /** Its content is there only while it is open, such as what is read for it alone. */
  isLate?: boolean;
  children: ReactNode;
}

/** A part of a page that few need, below one line that opens it. */
export function Fold({ line, mustOpen = false, isLate = false, children }: Props) {
  const [isChosen, setOpen] = useState(false);
  const isOpen = isChosen || mustOpen;
  return (
    <details className={styles.fold} open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{line}</summary>
      {(isOpen || !isLate) && children}
    </details>
  );
}
