import type { ReactNode } from 'react';
import styles from './FigureLine.module.css';
import { ServedLink } from './PageLink.tsx';

/** Figures of today beside each other, above a page. */
export const FigureLine = ({ label, children }: { label: string; children: ReactNode }) => (
  <dl className={styles.line} aria-label={label}>
    {children}
  </dl>
);

interface Props {
  title: string;
  value: string;
  /** Behind the value: the whole of it, or what is counted. */
  of?: ReactNode;
  /** What it is compared with, such as the day before. */
  before?: ReactNode;
  /** What of it is late, before the comparison. */
  late?: ReactNode;
  /** All of it is late. */
  isLate?: boolean;
  /** The address of its list. */
  to?: string;
}

/** One figure, with the line that it is compared with. */
export const Figure = ({ title, value, of, before, late, isLate, to }: Props) => (
  <div className={styles.figure}>
    <dt>
      {to ? (
        <ServedLink className="quiet-link" to={to}>
          {title}
        </ServedLink>
      ) : (
        title
      )}
    </dt>
    <dd>
      <strong data-late={isLate || undefined}>{value}</strong> {of && <span>{of}</span>}
    </dd>
    <dd className={styles.before}>
      {late && <span data-late>{late}</span>} {before}
    </dd>
  </div>
);
