import type { ReactNode } from 'react';

interface Props {
  message: ReactNode;
  /** What the list is for, or where its first row is added. */
  children?: ReactNode;
}

/** Stands in the place of a list that has no rows. */
export const EmptyState = ({ message, children }: Props) => (
  <div className="empty-state">
    <p>{children ? <strong>{message}</strong> : message}</p>
    {children}
  </div>
);
