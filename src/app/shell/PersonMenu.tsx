import { Trans, useLingui } from '@lingui/react/macro';
import { IconHelp, IconHistory, IconLogout, IconUser, IconUsers } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import type { Me } from '#features/sign-in/contract/sign-in.ts';
import { useSignOut } from '#features/sign-in/pages/session.ts';
import { errorMessage } from '#kit/browser/data/attempt.tsx';
import { hasUnsent } from '#kit/browser/form/unsent.ts';
import { AskDialog } from '#kit/browser/ui/AskDialog.tsx';
import { Initials } from '#kit/browser/ui/Initials.tsx';
import { Row, Text } from '#kit/browser/ui/Layout.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import styles from './PersonMenu.module.css';

// It comes with the first opening of the menu.
const Theme = lazy(async () => ({ default: (await import('./Theme.tsx')).Theme }));

/** The person's name and picture with Profile, theme and Logout. */
export function PersonMenu({ me }: { me: Me }) {
  const { t } = useLingui();
  const toast = useToast();
  const leave = useSignOut((refused) =>
    toast({ kind: 'warning', title: t`You are still signed in.`, text: errorMessage(refused) }),
  );
  const [isAsked, ask] = useState(false);
  return (
    <>
      <PersonItems me={me} onLeave={() => (hasUnsent() ? ask(true) : void leave())} />
      {isAsked && (
        <AskDialog
          title={t`Sign out with a register that is not submitted?`}
          confirm={<Trans>Logout</Trans>}
          onConfirm={leave}
          onClose={() => ask(false)}
        >
          <Trans>Your work is kept on this device for seven days. Only you can open it, by signing in here.</Trans>
        </AskDialog>
      )}
    </>
  );
}

function PersonItems({ me, onLeave }: { me: Me; onLeave: () => void }) {
  const { t } = useLingui();
  return (
    <Menu
      button={
        <Row as="button" gap={8} align="center" type="button" className={styles.person}>
          <Initials name={me.name} picture={me.picture} />
          <span className={styles.name}>{me.name}</span>
          <Text as="span" tone="soft" className={styles.role}>
            {me.role === 'Admin' ? t`Admin` : t`Staff`}
          </Text>
        </Row>
      }
    >
      <Menu.Item
        renderRoot={(props) => (
          <PageLink to="/school-erp/staff/view-staff/$userID" params={{ userID: String(me.userID) }} {...props} />
        )}
        leftSection={<IconUser size={16} aria-hidden />}
      >
        <Trans>Profile</Trans>
      </Menu.Item>
      {me.role === 'Admin' && (
        <>
          <Menu.Item
            renderRoot={(props) => <PageLink to="/school-erp/sign-in/account" {...props} />}
            leftSection={<IconUsers size={16} aria-hidden />}
          >
            <Trans>Accounts</Trans>
          </Menu.Item>
          <Menu.Item
            renderRoot={(props) => <PageLink to="/school-erp/audit" {...props} />}
            leftSection={<IconHistory size={16} aria-hidden />}
          >
            <Trans>Audit log</Trans>
          </Menu.Item>
        </>
      )}
      <Menu.Item
        renderRoot={(props) => <PageLink to="/school-erp/help" {...props} />}
        leftSection={<IconHelp size={16} aria-hidden />}
      >
        <Trans>Help</Trans>
      </Menu.Item>
      <Suspense fallback={null}>
        <Theme />
      </Suspense>
      <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={onLeave}>
        <Trans>Logout</Trans>
      </Menu.Item>
    </Menu>
  );
}
