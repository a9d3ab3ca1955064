import { Trans, useLingui } from '@lingui/react/macro';
import { Menu } from '@mantine/core';
import { IconHistory, IconLogout, IconUser, IconUserCircle, IconUsers } from '@tabler/icons-react';
import type { Me } from '#features/sign-in/contract/sign-in.ts';
import { useSignOut } from '#features/sign-in/pages/session.ts';
import { errorMessage } from '#kit/browser/data/attempt.tsx';
import { Initials } from '#kit/browser/ui/Initials.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { useToast } from '#kit/browser/ui/toast.tsx';
import styles from './PersonMenu.module.css';

/** The person's name and picture (their own for Staff, the usual one for an Admin), with Profile and Logout. */
export function PersonMenu({ me }: { me: Me }) {
  const { t } = useLingui();
  const toast = useToast();
  const leave = useSignOut((refused) =>
    toast({ kind: 'warning', title: t`You are still signed in.`, text: errorMessage(refused) }),
  );
  return (
    <Menu>
      <Menu.Target>
        <button type="button" className={styles.person}>
          {me.role === 'Staff' ? (
            <Initials name={me.name} picture={me.picture} />
          ) : (
            <IconUserCircle size={28} stroke={1.4} aria-hidden />
          )}
          <span className={styles.name}>{me.name}</span>
          <span className={styles.role}>{me.role === 'Admin' ? t`Admin` : t`Staff`}</span>
        </button>
      </Menu.Target>
      <Menu.Dropdown>
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
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void leave()}>
          <Trans>Logout</Trans>
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
