import { type ReactNode, useState } from 'react';
import styles from './Fold.module.css';

interface Props {
  /** The line that opens it. */
  line: ReactNode;
  /** Something in it must be seen, such as a field that is wrong. */
  mustOpen?: boolean;
  children: ReactNode;
}

/** A part of a page that few need, below one line that opens it. */
export function Fold({ line, mustOpen = false, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className={styles.fold}
      open={isOpen || mustOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{line}</summary>
      {children}
    </details>
  );
}
