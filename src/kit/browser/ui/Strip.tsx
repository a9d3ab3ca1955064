import { Trans } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { showDate } from '#kit/contract/day.ts';
import type { Strip as StripData } from '#kit/contract/served-card.ts';
import { Box, Grid, Row } from './Layout.tsx';
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
    <Box as="figure" mt={8}>
      <Grid className={styles.strip} role="img" aria-label={says}>
        {cells.map(({ day, tone, mark }) => (
          <span key={day} title={[showDate(day), mark].filter(Boolean).join(' ')}>
            <i data-tone={tone} />
            <Row as="small" justify="center" tone="soft" weight={600}>
              {tone === 'good' ? '' : mark}
            </Row>
          </span>
        ))}
      </Grid>
      <Row as="figcaption" justify="between" tone="soft" size={13} className={styles.ends}>
        <span>{first && showDate(first.day)}</span>
        <span>{last && last !== first && showDate(last.day)}</span>
      </Row>
      {children && (
        <details className={styles.table}>
          <summary>
            <Trans>Show the table</Trans>
          </summary>
          {children}
        </details>
      )}
    </Box>
  );
}
