import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

interface Props {
  message: ReactNode;
  /** The purpose of the list, or where to add its first row. */
  children?: ReactNode;
}

/** Replaces a list without rows: a soft line, or a drawing with what is missing and the next step. */
export const EmptyState = ({ message, children }: Props) =>
  children ? (
    <div className={styles.empty}>
      <Sheet />
      <p className={styles.message}>{message}</p>
      {children}
    </div>
  ) : (
    <p className={styles.line}>{message}</p>
  );

/** An empty sheet, and the way on. */
const Sheet = () => (
  <svg className={styles.sheet} width="96" height="72" viewBox="0 0 96 72" aria-hidden>
    <rect className={styles.head} x="1" y="5" width="78" height="62" rx="6" />
    <path className={styles.body} d="M1 21h78v40a6 6 0 0 1-6 6H7a6 6 0 0 1-6-6z" />
    <path className={styles.rules} d="M1 21h78M1 36.500h78M1 52h78M28 21v46" />
    <circle className={styles.mark} cx="78" cy="52" r="16" />
    <path className={styles.arrow} d="M71 52h14M79.500 46.500l5.500 5.500l-5.500 5.500" />
  </svg>
);
