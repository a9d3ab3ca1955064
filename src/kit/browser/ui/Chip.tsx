import type { ReactNode } from 'react';
import styles from './Chip.module.css';

export type ChipKind = 'plain' | 'good' | 'bad' | 'warn' | 'info' | 'accent';

interface Props {
  kind?: ChipKind;
  children: ReactNode;
}

/** A status in one or two words. The words carry it; the colour only helps to find it. */
export const Chip = ({ kind = 'plain', children }: Props) => (
  <span className={`${styles.chip} ${styles[kind]}`}>{children}</span>
);
