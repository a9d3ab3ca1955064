import { useLingui } from '@lingui/react/macro';
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { badgeApi } from '#features/dashboard/badge.ts';
import { useReadInBackground } from '#kit/browser/data/read.ts';
import { listAround, onListAround } from '#kit/browser/list/list-around.ts';
import { translate } from '#kit/browser/text.ts';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { List } from '#kit/browser/ui/Layout.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { Page } from '#kit/contract/page.ts';
import { isSame } from '#kit/contract/text.ts';
import { addressOf, isAt, isBelow, withinOf } from './address.ts';
import type { MenuGroup } from './menu.ts';
import styles from './SideMenu.module.css';

const mostShown = 99;

/** How many records wait for the user; nothing while none does. */
function Badge({ count }: { count: number }) {
  const { t } = useLingui();
  if (count === 0) return null;
  return (
    <>
      <b className={styles.badge} aria-hidden>
        {count > mostShown ? `${mostShown}+` : count}
      </b>
      <VisuallyHidden>{t`${count} waiting`}</VisuallyHidden>
    </>
  );
}

/** The number beside a page whose manifest says that it has one. */
function PageBadge({ page }: { page: Page }) {
  return page.hasBadge ? <CountedBadge pages={[page]} /> : null;
}

function CountedBadge({ pages }: { pages: readonly Page[] }) {
  const { data = {} } = useReadInBackground(badgeApi.badges, {});
  return <Badge count={pages.reduce((sum, { path }) => sum + (data[path] ?? 0), 0)} />;
}

export interface MenuProps {
  groups: readonly MenuGroup[];
  /** Pages outside the menu that lie within some of its pages. */
  inner?: readonly Page[];
}

/** The page of the menu that the open page is or lies within, and the index of its group. */
export function useHere({ groups, inner = [] }: MenuProps) {
  const { pathname } = useLocation();
  const within = withinOf(pathname, inner);
  const pages = groups.flatMap((group) => group.pages);
  const list = useSyncExternalStore(onListAround, listAround);
  const here = pages.find((page) => isAt(pathname, page));
  const around = pages.filter((page) => isBelow(pathname, page) || within.includes(page.path));
  // Of two lists with the same records the one to which the record leads back is marked.
  const inside = around.find((page) => addressOf(page) === list) ?? around[0];
  const current = groups.findIndex((group) => group.pages.some((page) => page === here || page === inside));
  return { inside, current };
}

/** The groups of the menu, one open at a time; at first that of the current page. */
export function SideMenu({
  opened,
  ...props
}: MenuProps & { /** The index of the group to open at first. */ opened?: number }) {
  const { groups } = props;
  const { inside, current } = useHere(props);
  const [open, setOpen] = useState(opened ?? current);
  useEffect(() => setOpen(opened ?? current), [opened, current]);
  return (
    <List>
      {groups.map((group, index) => (
        <li key={group.title.id}>
          <Group
            group={group}
            inside={inside}
            isOpen={open === index}
            onToggle={() => setOpen(open === index ? -1 : index)}
          />
        </li>
      ))}
    </List>
  );
}

/** The page of a group that is a link in place of the group. */
export const onlyPage = ({ title, pages }: Pick<MenuGroup, 'title' | 'pages'>) =>
  pages.length === 1 && pages[0] && isSame(pages[0].title, title) ? pages[0] : undefined;

interface GroupProps {
  group: MenuGroup;
  /** The page of the menu that lists the open record, or lies around the open page by its manifest. */
  inside: Page | undefined;
  isOpen: boolean;
  onToggle: () => void;
}

function Group({ group: { title, icon: Icon, pages }, inside, isOpen, onToggle }: GroupProps) {
  const page = onlyPage({ title, pages });
  if (page) {
    return (
      <MenuLink page={page} isInside={page === inside}>
        <Icon size={18} stroke={1.7} aria-hidden />
      </MenuLink>
    );
  }
  const Chevron = isOpen ? IconChevronDown : IconChevronRight;
  return (
    <>
      <button type="button" className={styles.group} aria-expanded={isOpen} onClick={onToggle}>
        <Icon size={18} stroke={1.7} aria-hidden />
        <span>{translate(title)}</span>
        {!isOpen && pages.some(({ hasBadge }) => hasBadge) && <CountedBadge pages={pages} />}
        <Chevron size={16} aria-hidden />
      </button>
      {isOpen && (
        <List>
          {pages.map((page) => (
            <li key={page.path}>
              <MenuLink page={page} isSub isInside={page === inside} />
            </li>
          ))}
        </List>
      )}
    </>
  );
}

interface LinkProps {
  page: Page;
  isSub?: boolean;
  /** The open page is a record of it, or lies within it. */
  isInside: boolean;
  children?: React.ReactNode;
}

function MenuLink({ page, isSub = false, isInside, children }: LinkProps) {
  const { pathname } = useLocation();
  return (
    <Link
      to={addressOf(page)}
      // Our own check marks the current page: the router's would mark the dashboard on every page.
      activeProps={{ 'aria-current': undefined }}
      activeOptions={{ exact: true }}
      className={classNames(styles.link, isSub && styles.sub)}
      // Of a record the list is marked.
      aria-current={isAt(pathname, page) ? 'page' : isInside ? 'true' : undefined}
    >
      {children}
      <span>{translate(page.title)}</span>
      <PageBadge page={page} />
    </Link>
  );
}
