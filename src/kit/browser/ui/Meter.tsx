import type { ReactNode } from 'react';
import styles from './Meter.module.css';

interface Props {
  /** What is counted, for readers that do not see the bar. */
  label: string;
  value: number;
  /** The most that there can be. */
  of: number;
  /** The numbers in words, beside the bar. */
  children: ReactNode;
}

/** How much of a limited number is used, as a bar with its numbers. */
export const Meter = ({ label, value, of, children }: Props) => (
  <span className={styles.meter} data-full={value >= of || undefined}>
    <span>{children}</span>
    <meter aria-label={label} value={value} min={0} max={Math.max(of, 1)} className={styles.bar}>
      {value}/{of}
    </meter>
  </span>
);
