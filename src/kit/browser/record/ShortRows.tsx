import { Trans } from '@lingui/react/macro';
import { type ComponentProps, useState } from 'react';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import styles from './ShortRows.module.css';

/** The rows that a phone shows before the rest is asked for: each is as tall as several lines there. */
const mostOnPhone = 3;

/** A short table, of which a phone shows the first rows and a button for the others. */
export function ShortRows({ rows, ...table }: ComponentProps<typeof ListRows>) {
  const [isFolded, setFolded] = useState(true);
  const later = rows.length - mostOnPhone;
  if (later <= 1) return <ListRows {...table} rows={rows} />;
  return (
    <>
      <div className={styles.rows} data-folded={isFolded || undefined}>
        <ListRows
          {...table}
          rows={rows.map((row, index) =>
            index < mostOnPhone ? row : { ...row, attributes: { ...row.attributes, 'data-later': true } as object },
          )}
        />
      </div>
      <div className={styles.more}>
        <Button kind="quiet" onClick={() => setFolded(false)}>
          <Trans>Show {later} more</Trans>
        </Button>
      </div>
    </>
  );
}
