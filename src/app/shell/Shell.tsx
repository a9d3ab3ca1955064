import { Trans, useLingui } from '@lingui/react/macro';
import { IconHome, IconMenu2, IconX } from '@tabler/icons-react';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { boardApi } from '#features/academic/contract/board.ts';
import { NotificationBell } from '#features/notification/ui/NotificationBell.tsx';
import { useConfiguration } from '#features/school/ui/configuration.ts';
import { FindBox } from '#features/search/ui/FindBox.tsx';
import { passwordApi } from '#features/sign-in/contract/password.ts';
import type { Me } from '#features/sign-in/contract/sign-in.ts';
import { SignInAgain } from '#features/sign-in/pages/SignInAgain.tsx';
import { startAfresh, takeInstead } from '#features/sign-in/pages/session.ts';
import { get } from '#kit/browser/data/get.ts';
import { queryClient } from '#kit/browser/data/read.ts';
import { MayShare } from '#kit/browser/list/may-share.ts';
import { Added } from '#kit/browser/record/added.tsx';
import { ConfirmProvider } from '#kit/browser/ui/ConfirmProvider.tsx';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { PageLink } from '#kit/browser/ui/PageLink.tsx';
import { later, useLoaded } from '#kit/browser/ui/use-loaded.ts';
import { useMedia } from '#kit/browser/ui/use-media.ts';
import { addedFor } from './added.ts';
import { addressOf } from './address.ts';
import './mantine-styles.ts';
import { innerPages, isWide, menuOf, searchedPagesOf } from './menu.ts';
import { PersonMenu } from './PersonMenu.tsx';
import { PrintHead } from './PrintHead.tsx';
import styles from './Shell.module.css';
import { SideMenu } from './SideMenu.tsx';
import { YearSwitch } from './YearSwitch.tsx';
import './print.css';
import './shell.css';
import { Notice } from '#kit/browser/ui/Notice.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';

const rail = later(async () => (await import('./MenuRail.tsx')).MenuRail);

/** The frame of every page after sign-in: the header, the menu of the role, and the page. */
export function Shell({ me }: { me: Me }) {
  const { t } = useLingui();
  const [isDrawerOpen, setDrawerOpen] = useState(false);
  const [opened, setOpened] = useState<number>();
  const { version } = me;
  const groups = menuOf(me);
  const added = useMemo(() => addedFor(me), [me]);
  const { schoolName, logoPath } = useConfiguration();
  useBoards();
  const drawer = useRef<HTMLDialogElement>(null);
  const [leave, setLeave] = useState<() => void>();
  const leaveFor = useCallback((go: () => void) => setLeave(() => go), []);
  const onOther = useCallback(() => leaveFor(startAfresh), [leaveFor]);
  const [isInstead, setInstead] = useState(takeInstead);
  const { pathname } = useLocation();
  const needsRail = useMedia('(min-width: 1024px) and (max-width: 1199px)') && isWide(pathname);
  // Without it the whole menu remains.
  const MenuRail = useLoaded(rail, Number(needsRail));
  const isRail = needsRail && MenuRail !== undefined;
  // Going to another page closes the drawer and the messages about the previous page.
  const [at, setAt] = useState(pathname);
  if (at !== pathname) {
    setAt(pathname);
    setDrawerOpen(false);
    setInstead(false);
  }
  useEffect(() => {
    if (isDrawerOpen) drawer.current?.showModal();
    else drawer.current?.close();
  }, [isDrawerOpen]);
  const openDrawer = (group?: number) => {
    setOpened(group);
    setDrawerOpen(true);
  };
  if (leave) return <Leaving leave={leave} />;
  return (
    <QueryClientProvider client={queryClient}>
      {/* Before the page: of two boxes with the same name, a label finds the first. */}
      <SignInAgain me={me} onOther={onOther} onLeave={() => leaveFor(() => window.location.replace('/login'))} />
      <a className="skip" href="#page">
        <Trans>Skip to content</Trans>
      </a>
      <header className="shell-head">
        <span className={styles.burger}>
          <IconButton label={t`Menu`} aria-expanded={isDrawerOpen} onClick={() => openDrawer()}>
            <IconMenu2 size={20} aria-hidden />
          </IconButton>
        </span>
        <PageLink
          to="/school-erp"
          className={styles.home}
          activeOptions={{ exact: true }}
          activeProps={{ 'aria-current': undefined }}
        >
          {logoPath ? <img src={logoPath} alt="" width={28} height={28} /> : <IconHome size={20} aria-hidden />}
          <span>{schoolName}</span>
          <VisuallyHidden>
            <Trans>Home</Trans>
          </VisuallyHidden>
        </PageLink>
        <FindBox pages={searchedPagesOf(me)} addressOf={addressOf} userID={me.userID} />
        <YearSwitch />
        <NotificationBell />
        <PersonMenu me={me} />
      </header>
      <div className="shell-body" data-rail={isRail || undefined}>
        <nav className="shell-menu" aria-label={t`Menu`}>
          {isRail && MenuRail ? (
            <MenuRail groups={groups} inner={innerPages} onOpen={openDrawer} />
          ) : (
            <SideMenu groups={groups} inner={innerPages} />
          )}
        </nav>
        <main id="page" tabIndex={-1} className="shell-page">
          <PrintHead schoolName={schoolName} person={me.name} />
          {isInstead && (
            <Notice role="status">
              <Trans>
                Another person was signed in here before. Their page was closed, and nothing they typed was sent.
              </Trans>
            </Notice>
          )}
          <ConfirmProvider endpoint={passwordApi.confirm}>
            <MayShare value={me.role === 'Admin'}>
              <Added value={added}>
                <Outlet />
              </Added>
            </MayShare>
          </ConfirmProvider>
          {version && (
            <p className={styles.foot}>
              <PageLink to="/school-erp/system">
                <Trans>Shala {version}</Trans>
              </PageLink>
            </p>
          )}
        </main>
      </div>
      <dialog ref={drawer} className={styles.drawer} aria-label={t`Menu`} onClose={() => setDrawerOpen(false)}>
        <Row align="center" justify="between" weight={600} className={styles['drawer-head']}>
          <span>{schoolName}</span>
          <IconButton label={t`Close the menu`} onClick={() => setDrawerOpen(false)}>
            <IconX size={20} aria-hidden />
          </IconButton>
        </Row>
        {isDrawerOpen && (
          <>
            <YearSwitch isInDrawer />
            <SideMenu groups={groups} inner={innerPages} {...(opened !== undefined && { opened })} />
          </>
        )}
      </dialog>
    </QueryClientProvider>
  );
}

/** Replaces the page that is left: none of it stays visible, and no form asks whether to leave. */
function Leaving({ leave }: { leave: () => void }) {
  useEffect(leave, [leave]);
  return (
    <main className="alone">
      <p role="status">
        <Trans>One moment…</Trans>
      </p>
    </main>
  );
}

/** The shell loads the boards at start (specification section 7); pages that need them load them again. */
function useBoards() {
  useEffect(() => {
    // biome-ignore lint/suspicious/noConsole: the specification asks for this very line (section 8).
    get(boardApi.list, {}).catch((error: unknown) => console.error('Error fetching board list:', error));
  }, []);
}
