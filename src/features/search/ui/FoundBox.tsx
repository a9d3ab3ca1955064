import { useLingui } from '@lingui/react/macro';
import { Combobox, useCombobox } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Row } from '#kit/browser/ui/Layout.tsx';
import { Mantine } from '#kit/browser/ui/mantine.tsx';
import { backToTitle } from '#kit/browser/ui/PageHead.tsx';
import { useServedNavigate } from '#kit/browser/ui/PageLink.tsx';
import { type Begun, useContinued } from '#kit/browser/ui/use-begun.ts';
import styles from './FindBox.module.css';
import { FoundList, FoundStatus } from './FoundList.tsx';
import type { AskedAct, Choice, SearchedPages } from './found-choices.ts';
import { type RecentPerson, useRecentPeople } from './recent-people.ts';
import { useCtrlK } from './use-ctrl-k.ts';
import { useFoundGroups } from './use-found-groups.tsx';
import { usePeopleSearch } from './use-people-search.ts';

export interface FindBoxProps extends SearchedPages {
  /** The signed-in user. */
  userID: number;
}

type Held = Pick<MouseEvent, 'ctrlKey' | 'metaKey'>;

interface Props extends FindBoxProps {
  /** What the user typed or pressed while this was loading. */
  begun: Begun;
}

/** The search box with its list of results. */
export function FoundBox({ pages, addressOf, userID, begun }: Props) {
  const { t } = useLingui();
  const box = useContinued(begun);
  useCtrlK(box);
  // From the first moment: an early Enter waits for what these words find.
  const [words, setWords] = useState(begun.typed ?? '');
  const typed = words.trim().slice(0, 100);
  const { resetSelectedOption, selectFirstOption, updateSelectedOptionIndex, ...combobox } = useCombobox();
  const { recent, add } = useRecentPeople(userID);
  /** The act that was chosen and needs a record. */
  const [asked, setAsked] = useState<AskedAct>();
  const { groups, isAnswered, isAwaited, isAway } = usePeopleSearch(typed, asked?.kind);
  const shown = useFoundGroups(typed, { pages, addressOf }, recent, groups, asked);
  const choices = shown.flatMap(({ choices }) => choices);
  const openRecent = () => {
    if (choices.length > 0) combobox.openDropdown();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs once, with what the user did while this was loading.
  useEffect(() => {
    if (begun.typed) combobox.openDropdown();
    else if (begun.isPressed) openRecent();
  }, []);

  /** Enter was pressed before the answer, whose first hit opens then. */
  const isEntered = useRef(begun.isEntered);
  /** The user has chosen another hit than the first one. */
  const isMoved = useRef(false);
  const close = () => {
    setWords('');
    setAsked(undefined);
    isEntered.current = false;
    isMoved.current = false;
    combobox.closeDropdown();
  };
  const { open: leave, markApart } = useOpenChoice(box, close, add);
  const open = (choice: Choice) => {
    if (!choice.asks) return leave(choice);
    setAsked(choice.asks);
    setWords('');
    isMoved.current = false;
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
            {asked && <span className={styles.asked}>{t`${{ act: asked.title }} for`}</span>}
            <Combobox.EventsTarget withExpandedAttribute>
              <input
                ref={box}
                type="text"
                aria-label={asked ? t`${{ act: asked.title }} for` : t`Search people and pages`}
                placeholder={asked ? t`Name or number` : t`Search`}
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
                  if (event.key === 'Backspace' && words === '') setAsked(undefined);
                  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') isMoved.current = true;
                  if (event.key === 'Enter') {
                    markApart(event);
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
          <FoundList groups={shown} onPress={markApart} />
          <FoundStatus {...{ choices, typed, isAnswered, isAway }} />
        </Combobox.Dropdown>
      </Combobox>
    </Mantine>
  );
}

/** Opens the page of a choice, and leaves the search. */
function useOpenChoice(
  box: RefObject<HTMLInputElement | null>,
  close: () => void,
  onPerson: (person: RecentPerson) => void,
) {
  const navigate = useServedNavigate();
  /** Ctrl or Cmd is held: the hit opens in a tab of its own, and the search stays. */
  const isApart = useRef(false);
  const markApart = ({ ctrlKey, metaKey }: Held) => {
    isApart.current = ctrlKey || metaKey;
  };
  const open = ({ to, person }: Choice) => {
    if (person) onPerson(person);
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
  return { open, markApart };
}
