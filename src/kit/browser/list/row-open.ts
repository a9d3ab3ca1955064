import type { MouseEvent } from 'react';
import styles from './row-open.module.css';

/** What takes a click for itself. */
const controls = 'a, button, input, select, textarea, label, summary, dialog, [role="menu"]';

/**
 * Opens a row by a click anywhere on it but on its own controls; text in it can still be marked. The keyboard opens it by
 * its name, which gets the focus, and has it again when what was opened is closed.
 */
export const rowOpen = (open: () => void) => ({
  className: styles.row,
  onClick: ({ target, currentTarget }: MouseEvent<HTMLElement>) => {
    const isOwn = (target as Element).closest(controls) !== null || !currentTarget.contains(target as Element);
    if (isOwn || window.getSelection()?.isCollapsed === false) return;
    currentTarget.querySelector<HTMLElement>('[data-row-name]')?.focus();
    open();
  },
});
