import { Trans } from '@lingui/react/macro';
import { type ComponentProps, type ReactNode, useEffect, useRef, useState } from 'react';
import { ListRows } from '#kit/browser/list/ListTable.tsx';
import { Button } from '#kit/browser/ui/Button.tsx';
import styles from './ShortRows.module.css';

/** The rows that a phone shows before the rest is asked for: each is as tall as several lines there. */
const mostOnPhone = 3;

/** A short table, of which a phone shows the first rows, each in two lines, and a button for the others. */
export function ShortRows({ rows, ...given }: ComponentProps<typeof ListRows>) {
  const [isFolded, setFolded] = useState(true);
  const table = useRef<HTMLDivElement>(null);
  // The pressed button is gone: the first row that appears takes the focus.
  useEffect(() => {
    const row = isFolded ? null : table.current?.querySelector<HTMLElement>('[data-later]');
    if (!row) return;
    row.tabIndex = -1;
    row.focus();
  }, [isFolded]);
  const later = rows.length - mostOnPhone;
  const isLong = later > 1;
  return (
    <>
      <div ref={table} className={styles.rows} data-folded={(isLong && isFolded) || undefined}>
        <ListRows
          {...given}
          rows={rows.map(({ cells, attributes, ...row }, index) => ({
            ...row,
            cells: cells.map(marked),
            attributes: (isLong && index >= mostOnPhone ? { ...attributes, 'data-later': true } : attributes) as object,
          }))}
        />
      </div>
      {isLong && (
        <div className={styles.more}>
          <Button kind="quiet" onClick={() => setFolded(false)}>
            <Trans>Show {later} more</Trans>
          </Button>
        </div>
      )}
    </>
  );
}

/** A word is clear without the head of its column, a number or a day is not. A day is kept on one line. */
function marked(cell: ReactNode) {
  if (typeof cell !== 'string') return cell;
  if (/^[0-9]{1,2} \p{L}{3} [0-9]{4}$/u.test(cell)) return <span data-day>{cell}</span>;
  if (/^-?₹[0-9,.]+$/.test(cell)) return <span data-amount>{cell}</span>;
  return /\p{L}{4}|^\p{L}+ [\p{L} ]+$/u.test(cell) ? <span data-word>{cell}</span> : cell;
}
