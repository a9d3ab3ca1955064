import { IconDots } from '@tabler/icons-react';
import { type ComponentType, Fragment, useEffect, useRef } from 'react';
import styles from './ActMenu.module.css';
import { IconButton } from './IconButton.tsx';
import { Menu } from './Menu.tsx';
import { useSingleKeys } from './use-single-keys.ts';

export interface Act {
  words: string;
  Icon: ComponentType<{ size?: number; 'aria-hidden'?: boolean }>;
  /** The single key that does it, in small letters. */
  shortcut?: string;
  /** It ends something: red, in the last group. */
  isEnd?: boolean;
  /** Why it can’t be done now. */
  whyNot?: string;
  run: () => void;
}

/** What stands in a group, without what this user or this record has not. */
type MaybeAct = Act | false | undefined;

interface Props {
  label: string;
  /** At most three; one without acts is left out. */
  groups: readonly (readonly MaybeAct[])[];
}

/** What else can be done with a record, behind “…”; its keys also work while it is closed. */
export function ActMenu({ label, groups }: Props) {
  const button = useRef<HTMLButtonElement>(null);
  const page = useRef<HTMLElement>(null);
  useEffect(() => {
    page.current = button.current?.closest('main') ?? document.body;
  });
  const shown = groups.map((group) => group.filter((act) => act !== false && act !== undefined));
  const acts = shown.flat();
  useSingleKeys(page, ({ key }) => {
    const act = acts.find(({ shortcut, whyNot }) => shortcut === key && !whyNot);
    return act && (() => act.run());
  });
  if (acts.length === 0) return null;
  return (
    <Menu
      isFixed
      button={
        <IconButton ref={button} label={label} data-act-menu>
          <IconDots size={18} aria-hidden />
        </IconButton>
      }
    >
      {shown
        .filter((group) => group.length > 0)
        .map((group, place) => (
          <Fragment key={group[0]?.words}>
            {place > 0 && <Menu.Divider />}
            {group.map(({ words, Icon, shortcut, isEnd, whyNot, run }) => (
              <Menu.Item
                key={words}
                className={isEnd ? styles.end : undefined}
                aria-disabled={whyNot ? true : undefined}
                closeMenuOnClick={!whyNot}
                leftSection={<Icon size={16} aria-hidden />}
                rightSection={shortcut && <kbd aria-hidden>{shortcut.toUpperCase()}</kbd>}
                onClick={() => {
                  if (whyNot) return;
                  // What opens gives the focus back to where it was, and the item is gone by then.
                  button.current?.focus();
                  run();
                }}
              >
                {words}
                {whyNot && <small className={styles.why}>{whyNot}</small>}
              </Menu.Item>
            ))}
          </Fragment>
        ))}
    </Menu>
  );
}
