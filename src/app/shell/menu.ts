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
import type { Role } from '#access/contract/grants.ts';
import type { Me } from '#features/sign-in/contract/sign-in.ts';
import type { Page } from '#kit/contract/page.ts';
import type { Text } from '#kit/contract/text.ts';
import { features } from '../features.browser.tsx';
import type { menu } from '../menu.ts';
import { type listGroups, listMenu, listSearchedPages } from '../pages.ts';
import { addressOf, isAt, isBelow } from './address.ts';

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

/** A group of pages that opens, or a link where its only page has its title. */
export interface MenuGroup {
  title: Text;
  icon: Icon;
  pages: readonly Page[];
}

const built = features.flatMap(({ pages }): readonly Page[] => pages);

const withIcons = (groups: ReturnType<typeof listGroups>): MenuGroup[] =>
  groups.map((group) => ({ ...group, icon: icons[group.icon] }));

/** The menu of a signed-in user: without pages where they may do nothing, and without empty groups. */
export const menuOf = (me: Me): MenuGroup[] => withIcons(listMenu(built, me));

/** The pages outside the menus that name the menu pages within which they lie. */
export const innerPages = built.filter(({ within }) => within !== undefined);

const widePages = built.filter((page) => page.isWide);

/** Whether the page of an address has columns that need the room of the menu. */
export const isWide = (pathname: string) => widePages.some((page) => isAt(pathname, page) || isBelow(pathname, page));

/** The pages that search offers a signed-in user. */
export const searchedPagesOf = (me: Me) => listSearchedPages(built, me);

/** One filled button and a plain one are enough above the dashboard. */
const mostDailyActs = 2;

/** What a signed-in user does daily, with the address that opens it. */
export const dailyActsOf = (me: Me) =>
  searchedPagesOf(me)
    .flatMap(({ page, act }) =>
      act?.isDaily ? [{ title: act.title, to: `${addressOf(page)}?${new URLSearchParams({ act: act.key })}` }] : [],
    )
    .slice(0, mostDailyActs);
