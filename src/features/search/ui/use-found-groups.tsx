import { useLingui } from '@lingui/react/macro';
import { translate } from '#kit/browser/text.ts';
import {
  type AskedAct,
  choiceOf,
  findPages,
  type Group,
  offeredLists,
  type SearchedPages,
  withAct,
} from './found-choices.ts';
import { isSame, type RecentPerson } from './recent-people.ts';
import type { usePeopleSearch } from './use-people-search.ts';

type FoundPeople = ReturnType<typeof usePeopleSearch>['groups'];

/**
 * What can be chosen for the typed words, in groups; lists and the recent people where nothing is typed. An act that asks for a
 * record gets records of its kind, no page.
 */
export function useFoundGroups(
  typed: string,
  sought: SearchedPages,
  recent: readonly RecentPerson[],
  groups: FoundPeople,
  asked: AskedAct | undefined,
): Group[] {
  const { t } = useLingui();
  const place = (person: RecentPerson) => {
    const index = recent.findIndex((other) => isSame(other, person));
    return index < 0 ? recent.length : index;
  };
  const people: Group[] =
    typed === ''
      ? [{ title: t`Recent people`, choices: recent.map((person) => choiceOf(person)) }]
      : groups.map(({ kind, title, hits, all }) => ({
          title: translate(title),
          choices: [...hits]
            .map((hit) => ({ ...hit, kind }))
            // A recent person comes first among those that match as well, never before a better match.
            .sort((one, other) => (other.closeness ?? 0) - (one.closeness ?? 0) || place(one) - place(other))
            .map(({ detail, note, closeness: _, ...person }) => choiceOf(person, [detail, note ? translate(note) : '']))
            .concat(
              all
                ? [
                    {
                      value: `all ${kind}`,
                      title: t`See all`,
                      more: [translate(title)],
                      to: `/school-erp/${all}`,
                      isAll: true,
                    },
                  ]
                : [],
            ),
        }));
  if (asked)
    return people
      .map(({ title, choices }) => ({
        title,
        choices: choices.filter(({ person }) => person?.kind === asked.kind).map((choice) => withAct(choice, asked)),
      }))
      .filter(({ choices }) => choices.length > 0);
  if (typed === '')
    return [{ title: t`Lists`, choices: offeredLists(sought) }, ...people].filter(({ choices }) => choices.length > 0);
  const found = findPages(sought, typed);
  // What begins with the typed words is meant; pages that only contain them follow the people.
  return [
    { title: t`Actions`, choices: found.acts },
    { title: t`Pages`, choices: found.first },
    ...people,
    { title: found.first.length > 0 ? t`Other pages` : t`Pages`, choices: found.others },
  ].filter(({ choices }) => choices.length > 0);
}
