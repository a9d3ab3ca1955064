import type { Address } from './use-list-address.ts';

/** What a list showed last, until the page is closed: its address, and what it asked the server for. */
interface LastList {
  /** Of the page that has the list, with its search. */
  href: string;
  tab: string;
  asked: Readonly<Record<string, string>>;
  place: { after?: string; before?: string };
  /** How many records come before those of `place`, where that is known. */
  start: number | undefined;
  /** The record that was open last, and its index among those of `place`. */
  open?: { id: number; index: number };
}

const lists = new Map<string, LastList>();

/** Notes what the list of this name shows, for the records that are opened from it. */
export function noteList(name: string, list: Omit<LastList, 'start' | 'open'>) {
  const isFirst = !list.place.after && !list.place.before;
  // The list that was shown last is the last one here.
  lists.delete(name);
  lists.set(name, { ...list, start: isFirst ? 0 : undefined });
}

/** Which of these lists was shown last. */
export const latestOf = (names: readonly string[]) => [...lists.keys()].findLast((name) => names.includes(name));

export const lastList = (name: string) => lists.get(name);

/** Notes that the next or previous record is on another page of the list. */
export function turnList(name: string, changed: Pick<LastList, 'place' | 'start'>) {
  const list = lists.get(name);
  if (list) lists.set(name, { ...list, ...changed });
}

export function noteOpen(name: string, open: NonNullable<LastList['open']>) {
  const list = lists.get(name);
  if (list) list.open = open;
}

/** For another user, whose lists are others. */
export const forgetLists = () => lists.clear();

/** An address with its search, as a link has it. */
export const hrefOf = (pathname: string, search: Address) => {
  const words = new URLSearchParams(Object.entries(search).filter((entry): entry is [string, string] => !!entry[1]));
  return words.size > 0 ? `${pathname}?${words}` : pathname;
};
