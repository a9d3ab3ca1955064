import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Combobox, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { Fragment, useEffect, useRef, useState } from 'react';
import { translate } from '#kit/browser/text.ts';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Mantine } from '#kit/browser/ui/mantine.tsx';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { useServedNavigate } from '#kit/browser/ui/PageLink.tsx';
import { type Begun, useContinued } from '#kit/browser/ui/use-begun.ts';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import type { Page } from '#kit/contract/page.ts';
import type { SearchedPage } from '../contract.ts';
import styles from './FindBox.module.css';
import { isSame, type RecentPerson, useRecentPeople } from './recent-people.ts';
import { useCtrlK } from './use-ctrl-k.ts';
import { usePeopleSearch } from './use-people-search.ts';

const mostPages = 8;

interface Choice {
  /** Identifies it among all choices. */
  value: string;
  title: string;
  /** What distinguishes it from others of the same title. */
  more: string[];
  /** With its search: '/school-erp/academic/academic-master?tab=section'. */
  to: string;
  person?: RecentPerson;
  /** It leads to the list with all hits of its group. */
  isAll?: boolean;
}

interface Group {
  title: string;
  choices: Choice[];
}

export interface FindBoxProps {
  pages: readonly SearchedPage[];
  /** The address of a page, by its path. */
  addressOf: (page: Page) => string;
  /** The signed-in user. */
  userID: number;
}

interface Props extends FindBoxProps {
  /** What the user typed or pressed while this was loading. */
  begun: Begun;
}

/** The search box with its list of results. */
export function FoundBox({ pages, addressOf, userID, begun }: Props) {
  const { t } = useLingui();
  const navigate = useServedNavigate();
  const box = useContinued(begun);
  useCtrlK(box);
  const [words, setWords] = useState('');
  const typed = words.trim().slice(0, 100);
  const { resetSelectedOption, selectFirstOption, updateSelectedOptionIndex, ...combobox } = useCombobox();
  const { recent, add } = useRecentPeople(userID);
  const { groups, isAnswered, isAwaited, isAway } = usePeopleSearch(typed);
  const openRecent = () => {
    if (recent.length > 0) combobox.openDropdown();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with what the user did while this was loading.
  useEffect(() => {
    if (begun.typed) setWords(begun.typed);
    if (begun.typed) combobox.openDropdown();
    else if (begun.isPressed) openRecent();
  }, []);

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
  const found = findPages({ pages, addressOf }, typed);
  // What begins with the typed words is meant; pages that only contain them follow the people.
  const shown = [
    { title: t`Actions`, choices: found.acts },
    { title: t`Pages`, choices: found.first },
    ...people,
    { title: found.first.length > 0 ? t`Other pages` : t`Pages`, choices: found.others },
  ].filter(({ choices }) => choices.length > 0);
  const choices = shown.flatMap(({ choices }) => choices);

  /** Enter was pressed before the answer, whose first hit opens then. */
  const isEntered = useRef(begun.isEntered);
  /** The user has chosen another hit than the first one. */
  const isMoved = useRef(false);
  const close = () => {
    setWords('');
    isEntered.current = false;
    isMoved.current = false;
    combobox.closeDropdown();
  };
  /** Ctrl or Cmd is held: the hit opens in a tab of its own, and the search stays. */
  const isApart = useRef(false);
  const open = ({ to, person }: Choice) => {
    if (person) add(person);
    if (isApart.current) {
      isApart.current = false;
      window.open(to, '_blank', 'noopener');
      return;
    }
    close();
    box.current?.blur();
    // A tab of the open page changes no title, which would take the focus.
    void navigate({ href: to }).then(() => document.activeElement === document.body && backToTitle());
  };
  const submit = (value: string) => {
    if (isEntered.current) return;
    const choice = choices.find((one) => one.value === value);
    if (choice) open(choice);
  };
  const [first] = choices;
  // biome-ignore lint/correctness/useExhaustiveDependencies: Only the end of the waiting opens it.
  useEffect(() => {
    if (isAwaited || !isEntered.current) return;
    isEntered.current = false;
    if (first) open(first);
  }, [isAwaited]);
  const listed = choices.map(({ value }) => value).join();
  // Enter opens the first hit, unless the arrow keys led to another one, which may have moved since.
  // biome-ignore lint/correctness/useExhaustiveDependencies: Other hits are another reason.
  useEffect(() => {
    if (typed === '') resetSelectedOption();
    else if (isMoved.current) updateSelectedOptionIndex('selected');
    else selectFirstOption();
  }, [typed, listed, resetSelectedOption, selectFirstOption, updateSelectedOptionIndex]);
  return (
    <Mantine>
      <Combobox
        store={{ ...combobox, resetSelectedOption, selectFirstOption, updateSelectedOptionIndex }}
        onOptionSubmit={submit}
        withinPortal={false}
      >
        <Combobox.DropdownTarget>
          <Row gap={8} align="center" tone="soft" className={styles.box}>
            <IconSearch size={16} aria-hidden />
            <Combobox.EventsTarget withExpandedAttribute>
              <input
                ref={box}
                type="text"
                aria-label={t`Search people and pages`}
                placeholder={t`Search`}
                value={words}
                onChange={(event) => {
                  setWords(event.currentTarget.value);
                  isEntered.current = false;
                  isMoved.current = false;
                  combobox.openDropdown();
                }}
                onClick={openRecent}
                onKeyDown={(event) => {
                  if (event.key === 'Escape') close();
                  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') isMoved.current = true;
                  if (event.key === 'Enter') {
                    isApart.current = event.ctrlKey || event.metaKey;
                    isEntered.current = isAwaited && !isMoved.current;
                  }
                }}
                onBlur={close}
              />
            </Combobox.EventsTarget>
            <kbd aria-hidden>Ctrl K</kbd>
          </Row>
        </Combobox.DropdownTarget>
        <Combobox.Dropdown>
          <Combobox.Options className={styles.list} aria-label={t`People and pages`}>
            {shown.map(({ title, choices }) => (
              <Combobox.Group key={title} label={title}>
                {choices.map((choice) => (
                  <Combobox.Option
                    key={choice.value}
                    value={choice.value}
                    className={styles.option}
                    onMouseDown={(event) => {
                      isApart.current = event.ctrlKey || event.metaKey;
                    }}
                  >
                    <span>{choice.title}</span>
                    {choice.more.map((words) => (
                      <Fragment key={words}>
                        {' '}
                        <span className={styles.more}>{words}</span>
                      </Fragment>
                    ))}
                  </Combobox.Option>
                ))}
              </Combobox.Group>
            ))}
          </Combobox.Options>
          <div role="status">
            {isAway && (
              <p className={styles.note}>
                <Trans>People can’t be searched right now. Pages still can.</Trans>
              </p>
            )}
            {!isAnswered && choices.length === 0 && (
              <p className={styles.note}>
                <Trans>Searching…</Trans>
              </p>
            )}
            {isAnswered && !isAway && choices.length === 0 && (
              <p className={styles.note}>
                <Trans>No entries match.</Trans>
              </p>
            )}
            {isAnswered && typed !== '' && choices.length > 0 && (
              <VisuallyHidden>
                <Plural
                  value={choices.filter(({ isAll }) => !isAll).length}
                  one="# entry found"
                  other="# entries found"
                />
              </VisuallyHidden>
            )}
          </div>
        </Combobox.Dropdown>
      </Combobox>
    </Mantine>
  );
}

const choiceOf = (person: RecentPerson, more: string[] = []): Choice => ({
  value: `${person.kind} ${person.id}`,
  title: person.title,
  more: more.filter(Boolean),
  to: `/school-erp/${person.to}`,
  person,
});

const mostActs = 5;

const beginsWith = (words: string, typed: string) => words.toLowerCase().startsWith(typed.toLowerCase());

/**
 * The pages, tabs and acts with every typed word in their title or menu group: acts and pages whose title begins with what
 * was typed, and the others, those found by their own title first.
 */
function findPages({ pages, addressOf }: Pick<FindBoxProps, 'pages' | 'addressOf'>, typed: string) {
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
        group: group ? translate(group) : '',
        also,
        isAct: act !== undefined && wanted.length > 1 && isActOf(`${title} ${also}`),
        isFirst: act === undefined && typed !== '' && beginsWith(title, typed),
      };
    })
    .filter(({ group, title, also }) => isIn(`${group} ${title} ${also}`))
    .sort((one, other) => Number(isIn(other.title)) - Number(isIn(one.title)));
  const choiceOfPage = ({ value, to, title, group }: (typeof found)[number]): Choice => ({
    value,
    to,
    title,
    more: group && group !== title ? [group] : [],
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
