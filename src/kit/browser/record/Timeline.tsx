import { Trans } from '@lingui/react/macro';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Box, List } from '#kit/browser/ui/Layout.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { showDate } from '#kit/contract/day.ts';
import type { History } from '#kit/contract/history.ts';
import styles from './Timeline.module.css';

/** The changes of a record, newest first, each with its author. */
export function Timeline({ endpoint, id }: { endpoint: History; id: number }) {
  /** The starts of the visited pages, the visible one last. */
  const [pages, setPages] = useState(['']);
  const before = pages.at(-1) ?? '';
  const history = useReadList(endpoint, { id, before });
  const isTurning = history.isPlaceholderData;
  return (
    <QueryBoundary query={history}>
      {({ rows, next }) => (
        <>
          {rows.length === 0 && <EmptyState message={<Trans>No changes yet.</Trans>} />}
          <List as="ol" mt={8} className={styles.history}>
            {rows.map(({ id, at, actor, act, details }) => (
              <Box as="li" py={10} line="below" key={id}>
                <strong>{translate(act)}</strong>{' '}
                <span className="soft">
                  {actor}, {showMoment(at)}
                </span>
                <dl>
                  {Object.entries(details).map(([label, value]) => (
                    <div key={label}>
                      <dt>{translateOption(label)}</dt>
                      <dd>{withDays(value)}</dd>
                    </div>
                  ))}
                </dl>
              </Box>
            ))}
          </List>
          {(next !== null || pages.length > 1) && (
            <div className="list-buttons">
              <Button
                aria-disabled={pages.length === 1}
                onClick={() => pages.length > 1 && setPages(pages.slice(0, -1))}
              >
                <Trans>Newer</Trans>
              </Button>
              <Button
                aria-disabled={next === null || isTurning}
                onClick={() => next !== null && !isTurning && setPages([...pages, next])}
              >
                <Trans>Older</Trans>
              </Button>
            </div>
          )}
        </>
      )}
    </QueryBoundary>
  );
}

const day = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/;

/** Formats a day, also within "before → after"; other text stays unchanged. */
const withDays = (value: string) =>
  value
    .split(' → ')
    .map((part) => (day.test(part) ? showDate(part) : part))
    .join(' → ');
