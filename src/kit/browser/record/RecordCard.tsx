import type { ReactNode } from 'react';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import styles from './RecordCard.module.css';

interface Props {
  title: ReactNode;
  /** The label of its only field says the same. */
  isTitleHidden?: boolean;
  /** A button or two beside the title. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A part of a record's page under a heading. What it reads stands in a `QueryBoundary` of its own. */
export const RecordCard = ({ title, isTitleHidden, actions, children }: Props) => (
  <section className="sheet">
    {isTitleHidden ? (
      <VisuallyHidden as="h2">{title}</VisuallyHidden>
    ) : (
      <div className={styles.head}>
        <h2>{title}</h2>
        {actions}
      </div>
    )}
    {children}
  </section>
);
