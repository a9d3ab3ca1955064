import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

interface Props {
  message: ReactNode;
  /** What the list is for, or where its first row is added. */
  children?: ReactNode;
}

/** Stands in the place of a list that has no rows. */
export const EmptyState = ({ message, children }: Props) => (
  <div className={styles.empty}>
    <p>{children ? <strong>{message}</strong> : message}</p>
    {children}
  </div>
);
