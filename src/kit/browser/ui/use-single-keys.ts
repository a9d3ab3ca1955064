import { type RefObject, useEffect, useRef } from 'react';
import { useStored } from './local-storage.ts';

/** Under which it is kept on this device that the single keys are off: `off`. */
export const singleKeysName = 'list-keys';

/** What takes keys for itself. */
const typing = 'input:not([type="checkbox"]), select, textarea, [contenteditable], [role="menu"], [role="listbox"]';

/**
 * Single keys of a part of a page; `actOf` gives what a key does at the focused element. They act while the focus is in
 * that part, on a tab of the page or on nothing but the page, never while something is typed or a dialog over that part is open, and can be
 * turned off (WCAG 2.1.4).
 */
export function useSingleKeys(
  part: RefObject<HTMLElement | null>,
  actOf: (event: KeyboardEvent, at: Element) => (() => void) | undefined,
) {
  const areOff = useStored(singleKeysName) === 'off';
  const latest = useRef(actOf);
  latest.current = actOf;
  useEffect(() => {
    if (areOff) return;
    const press = (event: KeyboardEvent) => {
      const at = document.activeElement ?? document.body;
      const isBusy = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
      const dialog = [...document.querySelectorAll('dialog[open]')].at(-1);
      if (isBusy || at.closest(typing) || (dialog && !dialog.contains(part.current))) return;
      // A tab has Enter for itself.
      const isTab = at.closest('main nav') !== null && /^[a-z0-9?/]$/i.test(event.key);
      const isFree = at.matches('body, main, h1') || isTab || at === dialog;
      if (!part.current?.contains(at) && !isFree) return;
      const act = latest.current(event, at);
      if (!act) return;
      event.preventDefault();
      // What opens gives the focus back to where it was, which is to be a place.
      if (at === document.body) part.current?.focus({ preventScroll: true });
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [areOff, part]);
}
