import { useLingui } from '@lingui/react/macro';
import { IconBell } from '@tabler/icons-react';
import { useRef, useState } from 'react';
import { useReadInBackground } from '#kit/browser/data/read.ts';
import { translate } from '#kit/browser/text.ts';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import { later, useLoaded } from '#kit/browser/ui/use-loaded.ts';
import { awayMessage } from '#kit/contract/errors.ts';
import { notificationApi } from '../contract.ts';
import styles from './NotificationBell.module.css';

const panel = later(async () => (await import('./NotificationPanel.tsx')).NotificationPanel);

/** The most that the badge counts. */
const mostShown = 9;

/** The bell of the header: how many notifications are unread, and the panel that lists them. */
export function NotificationBell() {
  const { t } = useLingui();
  const toast = useToast();
  const [isOpen, setOpen] = useState(false);
  const bell = useRef<HTMLButtonElement>(null);
  const query = useReadInBackground(notificationApi.unread, {});
  const unread = query.data?.unread ?? 0;
  const [wishes, setWishes] = useState(0);
  const close = () => setOpen(false);
  const Panel = useLoaded(panel, wishes, () => {
    close();
    toast({ kind: 'error', title: translate(awayMessage) });
  });
  return (
    <>
      <IconButton
        ref={bell}
        className={styles.bell}
        label={unread > 0 ? t`Notices, ${unread} unread` : t`Notices`}
        tip={t`Notices`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => {
          setWishes(wishes + 1);
          setOpen(true);
        }}
      >
        <IconBell size={20} aria-hidden />
        {unread > 0 && (
          // Drawn by the style: words of a button belong to its name, which has the whole number.
          <span className={styles.badge} data-count={unread > mostShown ? `${mostShown}+` : unread} aria-hidden />
        )}
      </IconButton>
      {isOpen && Panel && (
        <SideDialog
          title={t`Notices`}
          onClose={() => {
            close();
            bell.current?.focus();
          }}
        >
          {(close) => <Panel unread={query} close={close} />}
        </SideDialog>
      )}
    </>
  );
}
