import type { ReactNode } from 'react';
import styles from './EmptyState.module.css';

interface Props {
  message: ReactNode;
  /** The purpose of the list, or where to add its first row. */
  children?: ReactNode;
}

/** Replaces a list without rows. */
export const EmptyState = ({ message, children }: Props) => (
  <div className={styles.empty}>
    <p>{children ? <strong>{message}</strong> : message}</p>
    {children}
  </div>
);
