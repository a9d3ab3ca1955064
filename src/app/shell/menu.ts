import {
  IconBook2,
  IconBus,
  IconCalendarCheck,
  IconClipboardText,
  IconEye,
  IconHome,
  IconId,
  IconListDetails,
  IconReceiptRupee,
  IconReport,
  IconSchool,
  IconSpeakerphone,
  IconTags,
  IconTicket,
  IconUserCheck,
  IconUsers,
} from '@tabler/icons-react';
import type { ComponentType } from 'react';
import type { PermissionSet, Role } from '#features/account/contract/access.ts';
import type { Page } from '#kit/contract/page.ts';
import { comingPages } from '../coming.ts';
import { features } from '../features.browser.tsx';
import { dashboardPage, menu } from '../menu.ts';

type Icon = ComponentType<{ size?: number; stroke?: number; 'aria-hidden'?: boolean }>;

const icons: Record<(typeof menu)[Role][number]['icon'], Icon> = {
  book2: IconBook2,
  bus: IconBus,
  'calendar-check': IconCalendarCheck,
  'clipboard-text': IconClipboardText,
  eye: IconEye,
  home: IconHome,
  id: IconId,
  'list-details': IconListDetails,
  'receipt-rupee': IconReceiptRupee,
  report: IconReport,
  school: IconSchool,
  speakerphone: IconSpeakerphone,
  tags: IconTags,
  ticket: IconTicket,
  'user-check': IconUserCheck,
  users: IconUsers,
};

/** A group of pages that opens, or a link where it holds one page of its own title. */
export interface MenuGroup {
  title: string;
  icon: Icon;
  pages: readonly Page[];
}

/** Every page of the shell by its path. */
const pages = new Map(
  [dashboardPage, ...comingPages, ...features.flatMap(({ pages }): readonly Page[] => pages)].map((page) => [
    page.path,
    page,
  ]),
);

const groupsOf = (role: Role): MenuGroup[] =>
  menu[role].map(({ title, icon, pages: paths }) => ({
    title,
    icon: icons[icon],
    pages: paths.flatMap((path) => pages.get(path) ?? []),
  }));

/** The side menu of each role. */
export const menus: Record<Role, readonly MenuGroup[]> = { Staff: groupsOf('Staff'), Admin: groupsOf('Admin') };

/** The menu of somebody who is signed in: without pages where they may do nothing, and groups that hold none. */
export function menuOf(role: Role, sets: readonly PermissionSet[]): MenuGroup[] {
  const isOpen = ({ sets: needed }: Page) =>
    !needed || role === 'Admin' || needed.some((set) => sets.some((own) => own === set));
  return menus[role]
    .map((group) => ({ ...group, pages: group.pages.filter(isOpen) }))
    .filter(({ pages }) => pages.length > 0);
}

/** Every page of either menu, each address once. */
export const allPages: readonly Page[] = [
  ...new Map([...menus.Staff, ...menus.Admin].flatMap(({ pages }) => pages).map((page) => [page.path, page])).values(),
];
