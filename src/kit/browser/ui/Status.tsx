import type { ReactNode } from 'react';
import type { ChipKind } from './Chip.tsx';
import styles from './Status.module.css';

interface Props {
  kind?: ChipKind;
  children: ReactNode;
}

/** The status of a record: a dot and a word. The dot only helps to find it. */
export const Status = ({ kind = 'plain', children }: Props) => (
  <span className={`${styles.status} ${styles[kind]}`}>{children}</span>
);
