import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useReadList } from '#kit/browser/data/read.ts';
import { RecordCard } from '#kit/browser/record/RecordCard.tsx';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Grid, Row } from '#kit/browser/ui/Layout.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { useMedia } from '#kit/browser/ui/use-media.ts';
import { showDate } from '#kit/contract/day.ts';
import type { Text } from '#kit/contract/text.ts';
import type { TimelineEndpoint, TimelineEvent } from '#kit/contract/timeline.ts';
import styles from './report.module.css';

interface Props {
  endpoint: TimelineEndpoint;
  id: number;
  period: { from: string; to: string };
  kinds: readonly { kind: string; title: Text }[];
}

/** The events that a phone shows before the rest is asked for; the sheet says it too. */
const mostOnPhone = 5;

/** What happened to a person in a period, the latest day first; all of it, or one kind. */
export function Events({ endpoint, id, period, kinds }: Props) {
  const { t } = useLingui();
  const [kind, setKind] = useState('');
  /** The starts of the visited pages, the visible one last. */
  const [pages, setPages] = useState(['']);
  const isPhone = useMedia('(max-width: 767px)');
  const [isFolded, setFolded] = useState(true);
  const before = pages.at(-1) ?? '';
  const read = useReadList(endpoint, { id, ...period, kind, before });
  const choose = (wanted: string) => {
    setKind(wanted);
    setPages(['']);
  };
  return (
    <RecordCard isWide title={<Trans>Timeline</Trans>}>
      {kinds.length > 1 && (
        <Row as="fieldset" gap="0 8" wrap={!isPhone} noPrint className={styles.kinds} aria-label={t`Kinds of events`}>
          {[{ kind: '', title: undefined }, ...kinds].map((choice) => (
            <Button
              key={choice.kind}
              kind="quiet"
              className={styles.kind}
              aria-pressed={choice.kind === kind}
              onClick={() => choose(choice.kind)}
            >
              {choice.title ? translate(choice.title) : <Trans>All</Trans>}
            </Button>
          ))}
        </Row>
      )}
      <QueryBoundary query={read}>
        {({ events, next }) => (
          <>
            {events.length === 0 && <EmptyState message={<Trans>Nothing happened in these days.</Trans>} />}
            <ol className={styles.events} data-folded={isFolded || undefined}>
              {events.map((event) => (
                <Event key={`${event.kind} ${event.id} ${event.day}`} event={event} />
              ))}
            </ol>
            {events.length > mostOnPhone && isFolded && (
              <div className={styles.more}>
                <Button kind="quiet" onClick={() => setFolded(false)}>
                  <Trans>Show more</Trans>
                </Button>
              </div>
            )}
            {(next !== null || pages.length > 1) && (
              <div className="list-buttons" data-turn>
                <Button
                  aria-disabled={pages.length === 1}
                  onClick={() => pages.length > 1 && setPages(pages.slice(0, -1))}
                >
                  <Trans>Newer</Trans>
                </Button>
                <Button
                  aria-disabled={next === null || read.isPlaceholderData}
                  onClick={() => next !== null && !read.isPlaceholderData && setPages([...pages, next])}
                >
                  <Trans>Older</Trans>
                </Button>
              </div>
            )}
          </>
        )}
      </QueryBoundary>
    </RecordCard>
  );
}

function Event({ event: { day, what, detail, enteredOn, to } }: { event: TimelineEvent }) {
  const words = translate(what);
  const entered = enteredOn && showDate(enteredOn);
  return (
    <Grid as="li" gap="0 16" py={8} className={styles.event}>
      <time dateTime={day} className="soft">
        {showDate(day)}
      </time>
      <p>
        {to ? <ServedLink to={`/school-erp/${to}`}>{words}</ServedLink> : <span>{words}</span>}{' '}
        {detail && <span className="soft">{detail}</span>}{' '}
        {entered && (
          <span className="soft">
            <Trans>entered on {entered}</Trans>
          </span>
        )}
      </p>
    </Grid>
  );
}
