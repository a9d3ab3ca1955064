import { translate } from '#kit/browser/text.ts';
import type { Page } from '#kit/contract/page.ts';
import type { SearchedPage } from '../contract.ts';
import type { RecentPerson } from './recent-people.ts';

/** An act that needs a record. */
export interface AskedAct {
  /** The kind of its records. */
  kind: string;
  /** Its key in the address. */
  key: string;
  title: string;
}

export interface Choice {
  /** Identifies it among all choices. */
  value: string;
  title: string;
  /** What distinguishes it from others of the same title. */
  more: string[];
  /** With its search: '/school-erp/academic/academic-master?tab=section'. */
  to: string;
  person?: RecentPerson;
  /** An act on a record, which is asked for next. */
  asks?: AskedAct;
  /** It leads to the list with all hits of its group. */
  isAll?: boolean;
}

export interface Group {
  title: string;
  choices: Choice[];
}

export interface SearchedPages {
  pages: readonly SearchedPage[];
  /** The address of a page, by its path. */
  addressOf: (page: Page) => string;
}

export const choiceOf = (person: RecentPerson, more: string[] = []): Choice => ({
  value: `${person.kind} ${person.id}`,
  title: person.title,
  more: more.filter(Boolean),
  to: `/school-erp/${person.to}`,
  person,
});

/** The page of a found record, which opens with the act. */
export const withAct = (choice: Choice, { key }: AskedAct): Choice => ({
  ...choice,
  to: `${choice.to}${choice.to.includes('?') ? '&' : '?'}${new URLSearchParams({ act: key })}`,
});

const mostActs = 5;
const mostPages = 8;

const beginsWith = (words: string, typed: string) => words.toLowerCase().startsWith(typed.toLowerCase());

/** The lists that are offered before anything is typed. */
export const offeredLists = ({ pages, addressOf }: SearchedPages): Choice[] =>
  pages
    .filter(({ page, tab, act }) => page.isOffered && !tab && !act)
    .map(({ page }) => ({ value: `list ${page.path}`, title: translate(page.title), more: [], to: addressOf(page) }));

/**
 * The pages, tabs and acts with every typed word in their title or menu group: acts and pages whose title begins with what
 * was typed, and the others, those found by their own title first.
 */
export function findPages({ pages, addressOf }: SearchedPages, typed: string) {
  const wanted = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const isIn = (words: string) => wanted.every((word) => words.toLowerCase().includes(word));
  /** Each typed word begins a word of the act, such as "add inq" and "new inq" of "Add inquiry". */
  const isActOf = (words: string) => {
    const all = words.toLowerCase().split(/\s+/);
    return wanted.every((word) => all.some((one) => one.startsWith(word)));
  };
  const found = pages
    .map(({ page, tab, act, group }) => {
      const part: Record<string, string> | undefined = tab ? { tab: tab.key } : act && { act: act.key };
      const to = addressOf(page) + (part ? `?${new URLSearchParams(part)}` : '');
      const also = act?.alsoNamed ? translate(act.alsoNamed) : '';
      const title = translate((tab ?? act ?? page).title);
      return {
        value: to,
        to,
        title,
        asks: act?.asks === undefined ? undefined : { kind: act.asks, key: act.key, title },
        group: group ? translate(group) : '',
        also,
        isAct: act !== undefined && wanted.length > 1 && isActOf(`${title} ${also}`),
        isFirst: act === undefined && typed !== '' && beginsWith(title, typed),
      };
    })
    .filter(({ group, title, also }) => isIn(`${group} ${title} ${also}`))
    .sort((one, other) => Number(isIn(other.title)) - Number(isIn(one.title)));
  const choiceOfPage = ({ value, to, title, group, asks }: (typeof found)[number]): Choice => ({
    value,
    to,
    title,
    more: group && group !== title ? [group] : [],
    ...(asks && { asks }),
  });
  const acts = found.filter(({ isAct }) => isAct).slice(0, mostActs);
  const first = found.filter(({ isFirst }) => isFirst).slice(0, mostPages);
  const rest = found.filter((page) => !acts.includes(page) && !first.includes(page));
  return {
    acts: acts.map(choiceOfPage),
    first: first.map(choiceOfPage),
    others: rest.slice(0, mostPages - first.length).map(choiceOfPage),
  };
}
