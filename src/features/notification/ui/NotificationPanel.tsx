import { Trans, useLingui } from '@lingui/react/macro';
import type { UseQueryResult } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useAction } from '#kit/browser/data/action.ts';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { EmptyState } from '#kit/browser/ui/EmptyState.tsx';
import { List } from '#kit/browser/ui/Layout.tsx';
import { ServedLink } from '#kit/browser/ui/PageLink.tsx';
import { showMoment, showTime, today } from '#kit/browser/ui/show.ts';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import { showDate, toLocalDate } from '#kit/contract/day.ts';
import { type Notification, notificationApi } from '../contract.ts';
import styles from './NotificationPanel.module.css';

interface Props {
  /** The count of the bell. */
  unread: UseQueryResult<{ unread: number }>;
  close: () => void;
}

/** The notifications of the user, the newest first. Opening one marks it as read. */
export function NotificationPanel({ unread, close }: Props) {
  const list = useRead(notificationApi.list, {});
  const { run, problem, isBusy } = useAction(notificationApi.read);
  useBothNew(list, unread);
  return (
    <QueryBoundary query={list}>
      {({ rows: [newest], unread }) =>
        newest === undefined ? (
          <EmptyState message={<Trans>Nothing new.</Trans>} />
        ) : (
          <>
            {unread > 0 && (
              <Button isBusy={isBusy} onClick={() => void run({ upTo: newest.id })}>
                <Trans>Mark all as read</Trans>
              </Button>
            )}
            {problem}
            <Notifications
              onOpen={({ id, isRead }) => {
                if (!isRead) void run({ ids: [id] });
                close();
              }}
            />
          </>
        )
      }
    </QueryBoundary>
  );
}

interface NotificationsProps {
  before?: number;
  onOpen: (notification: Notification) => void;
}

/** The notifications of a page of the list, and below it the next one once it is asked for. */
function Notifications({ before, onOpen }: NotificationsProps) {
  const query = useRead(notificationApi.list, before === undefined ? {} : { before });
  const [isMore, setMore] = useState(false);
  return (
    <QueryBoundary query={query}>
      {({ rows, next }) => (
        <>
          <List mt={8} mb={8} className={styles.list}>
            {rows.map((notification) => (
              <li key={notification.id}>
                <NotificationLink notification={notification} onOpen={onOpen} />
              </li>
            ))}
          </List>
          {next !== null &&
            (isMore ? (
              <Notifications before={next} onOpen={onOpen} />
            ) : (
              <Button onClick={() => setMore(true)}>
                <Trans>Show more</Trans>
              </Button>
            ))}
        </>
      )}
    </QueryBoundary>
  );
}

function NotificationLink({
  notification,
  onOpen,
}: {
  notification: Notification;
  onOpen: NotificationsProps['onOpen'];
}) {
  const { t } = useLingui();
  const { about, text, path, at, isRead } = notification;
  const day = toLocalDate(new Date(at));
  const time = showTime(at);
  const when =
    day === today()
      ? t`Today, ${time}`
      : day === today(1)
        ? t`Yesterday, ${time}`
        : `${showDate(day, today())}, ${time}`;
  return (
    <ServedLink to={path} className={isRead ? styles.notification : styles.unread} onClick={() => onOpen(notification)}>
      <span>
        {!isRead && (
          <VisuallyHidden>
            <Trans>Unread:</Trans>{' '}
          </VisuallyHidden>
        )}
        {about && <strong>{about}: </strong>}
        {translate(text)}
      </span>{' '}
      <time className={styles.when} dateTime={at} title={showMoment(at)}>
        {when}
      </time>
    </ServedLink>
  );
}

type Count = UseQueryResult<{ unread: number }>;

/** Where the list and the bell differ, the older one is read again. */
function useBothNew(list: Count, bell: Count) {
  const [inList, inBell] = [list.data?.unread, bell.data?.unread];
  // biome-ignore lint/correctness/useExhaustiveDependencies: Only other counts are a reason.
  useEffect(() => {
    if (inList !== undefined && inList !== inBell)
      void (list.dataUpdatedAt < bell.dataUpdatedAt ? list : bell).refetch();
  }, [inList, inBell]);
}
