import { useLingui } from '@lingui/react/macro';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useRef } from 'react';
import { IconButton } from '#kit/browser/ui/IconButton.tsx';
import { Menu } from '#kit/browser/ui/Menu.tsx';
import styles from './RowMenu.module.css';

interface Props {
  /** What the row is called. */
  name: string;
  /** The items. What opens over the list is wrapped in `from`, so that the focus comes back to this menu's button. */
  children: (from: (open: () => void) => () => void) => ReactNode;
}

/** What can be done with a row, at its end. */
export function RowMenu({ name, children }: Props) {
  const { t } = useLingui();
  // What opens over the list gives the focus back to where it was, and the item of the menu is gone by then.
  const button = useRef<HTMLButtonElement>(null);
  const from = (open: () => void) => () => {
    button.current?.focus();
    open();
  };
  return (
    <span className={styles.menu}>
      <Menu
        isFixed
        button={
          <IconButton ref={button} isSmall label={t`Actions for ${name}`}>
            <IconDots size={18} aria-hidden />
          </IconButton>
        }
      >
        {children(from)}
      </Menu>
    </span>
  );
}
