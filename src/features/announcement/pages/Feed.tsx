import { Trans, useLingui } from '@lingui/react/macro';
import { IconPaperclip, IconPin } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { useListAddress } from '#kit/browser/list/use-list-address.ts';
import { translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Alert, Chip } from '#kit/browser/ui/Chip.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { Row, Stack, Text } from '#kit/browser/ui/Layout.tsx';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { PageLink, SearchLink } from '#kit/browser/ui/PageLink.tsx';
import { showMoment } from '#kit/browser/ui/show.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import { showDate } from '#kit/contract/day.ts';
import { announcementApi, type FeedCard } from '../contract/announcement.ts';
import { categoryBeside } from '../contract/priority.ts';
import styles from './Feed.module.css';

/** What is published for the user: pinned announcements first, then the newest. `n` adds one, where the user may. */
export function Feed({ onAdd }: { onAdd: (() => void) | undefined }) {
  const { address } = useListAddress();
  const show = address.show === 'to-acknowledge' ? 'to-acknowledge' : '';
  const section = useRef<HTMLElement>(null);
  useSingleKeys(section, ({ key }) => (key === 'n' ? onAdd : undefined));
  return (
    <section ref={section}>
      <Cards key={show} show={show} />
    </section>
  );
}

function Cards({ show }: { show: '' | 'to-acknowledge' }) {
  const [place, setPlace] = useState('');
  const query = useRead(announcementApi.feed, { show, before: place });
  const turn = (to: string) => {
    setPlace(to);
    backToTitle();
  };
  return (
    <QueryBoundary query={query}>
      {({ rows, next }) => (
        <>
          <Text mt={8} mb={8}>
            {show === '' ? (
              <SearchLink search={{ show: 'to-acknowledge' }}>
                <Trans>Show only those to acknowledge</Trans>
              </SearchLink>
            ) : (
              <SearchLink search={{}}>
                <Trans>Show all</Trans>
              </SearchLink>
            )}
          </Text>
          {rows.length === 0 && <EmptyState message={<Trans>No notices for you right now.</Trans>} />}
          <Stack as="ul" gap={12} mb={16} className={styles.cards}>
            {rows.map((card) => (
              <li key={card.id}>
                <Card card={card} />
              </li>
            ))}
          </Stack>
          <p>
            {place !== '' && (
              <Button onClick={() => turn('')}>
                <Trans>Newest</Trans>
              </Button>
            )}{' '}
            {next !== '' && (
              <Button onClick={() => turn(next)}>
                <Trans>Older</Trans>
              </Button>
            )}
          </p>
        </>
      )}
    </QueryBoundary>
  );
}

function Card({ card }: { card: FeedCard }) {
  const { t } = useLingui();
  const toast = useToast();
  const acknowledge = useAction(announcementApi.acknowledge);
  const { id, number, title, priority, isPinned, isRead, needsAcknowledgement, isAcknowledged, acknowledgeBy } = card;
  return (
    <article className={isRead ? styles.card : `${styles.card} ${styles.unread}`} aria-label={title}>
      <h2>
        <PageLink
          to="/school-erp/announcement/announcement-list/$announcementID"
          params={{ announcementID: String(id) }}
        >
          {title}
        </PageLink>
      </h2>
      <Row gap={8} wrap mb={6} className={styles.chips}>
        {!isRead && (
          <Chip kind="accent">
            <Trans>New</Trans>
          </Chip>
        )}
        {priority !== 'Normal' && (
          <Alert kind={priority === 'Emergency' ? 'bad' : 'warn'}>{translateOption(priority)}</Alert>
        )}
        {isPinned && (
          <span className="soft">
            <IconPin size={14} aria-hidden /> <Trans>Pinned</Trans>
          </span>
        )}
        {card.hasFiles && (
          <span className="soft">
            <IconPaperclip size={14} aria-hidden /> <Trans>Files</Trans>
          </span>
        )}
      </Row>
      <Text mb={6}>{card.firstLine}</Text>
      <p className="soft">
        {[categoryBeside(card), card.author, showMoment(card.publishedAt)].filter(Boolean).join(' · ')}
        {card.isEdited && (
          <>
            {' · '}
            <Trans>Edited</Trans>
          </>
        )}
      </p>
      {needsAcknowledgement && isAcknowledged && (
        <p className="soft">
          <Trans>You have acknowledged it.</Trans>
        </p>
      )}
      {needsAcknowledgement && !isAcknowledged && (
        <p>
          <Button
            isBusy={acknowledge.isBusy}
            aria-label={t`Acknowledge ${title}`}
            onClick={async () => {
              if (await acknowledge.run({ id, number })) toast({ kind: 'success', title: t`Acknowledged.` });
            }}
          >
            <Trans>Acknowledge</Trans>
          </Button>{' '}
          {acknowledgeBy && <Trans>by {showDate(acknowledgeBy)}</Trans>}
        </p>
      )}
      {acknowledge.problem}
    </article>
  );
}
