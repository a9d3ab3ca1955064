import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { showDate } from '#kit/contract/day.ts';
import type { Strip as StripData } from '#kit/contract/served-card.ts';
import styles from './Strip.module.css';

interface Props {
  /** The whole of it in a sentence. */
  says: string;
  cells: StripData['cells'];
  /** The table behind it, folded. */
  children?: ReactNode;
}

/** A row of days, each in the colour of what it was, with a mark below those that need attention. */
export function Strip({ says, cells, children }: Props) {
  const [first, last] = [cells[0], cells.at(-1)];
  return (
    <figure className={styles.figure}>
      <div className={styles.strip} role="img" aria-label={says}>
        {cells.map(({ day, tone, mark }) => (
          <span key={day} title={[showDate(day), mark].filter(Boolean).join(' ')}>
            <i data-tone={tone} />
            <small>{tone === 'good' ? '' : mark}</small>
          </span>
        ))}
      </div>
      <figcaption className={styles.ends}>
        <span>{first && showDate(first.day)}</span>
        <span>{last && last !== first && showDate(last.day)}</span>
      </figcaption>
      {children && (
        <details className={styles.table}>
          <summary>
            <Trans>Show the table</Trans>
          </summary>
          {children}
        </details>
      )}
    </figure>
  );
}
