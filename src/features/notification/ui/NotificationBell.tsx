import { useLingui } from '@lingui/react/macro';
import { IconBell } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useReadInBackground } from '#kit/browser/data/read.ts';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { notificationApi } from '../contract.ts';
import styles from './NotificationBell.module.css';
import { NotificationPanel } from './NotificationPanel.tsx';

/** The most that the badge counts. */
const mostShown = 9;

/** The bell of the header: how many notifications are unread, and the panel that lists them. */
export function NotificationBell() {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const bell = useRef<HTMLButtonElement>(null);
  const query = useReadInBackground(notificationApi.unread, {});
  const unread = query.data?.unread ?? 0;
  return (
    <>
      <IconButton
        ref={bell}
        className={styles.bell}
        label={unread > 0 ? t`Notices, ${unread} unread` : t`Notices`}
        tip={t`Notices`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
      >
        <IconBell size={20} aria-hidden />
        {unread > 0 && (
          // Drawn by the style: words of a button belong to its name, which has the whole number.
          <span className={styles.badge} data-count={unread > mostShown ? `${mostShown}+` : unread} aria-hidden />
        )}
      </IconButton>
      {isOpen && (
        <NotificationPanel
          unread={query}
          onClose={() => {
            setOpen(false);
            bell.current?.focus();
          }}
        />
      )}
    </>
  );
}
