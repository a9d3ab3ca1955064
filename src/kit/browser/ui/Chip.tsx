import { IconAlertTriangle } from '@tabler/icons-react';
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

/** What must be known of a record before anything else, such as an allergy. */
export const Alert = ({ kind = 'warn', children }: Props) => (
  <strong className={`${styles.chip} ${styles.alert} ${styles[kind]}`}>
    <IconAlertTriangle size={14} aria-hidden /> {children}
  </strong>
);
