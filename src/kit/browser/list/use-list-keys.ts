import { type RefObject, useEffect, useRef } from 'react';
import { useStored } from '#kit/browser/ui/local-storage.ts';
import { rowNames } from './row-names.ts';

/** Under which it is kept on this device that the single keys are off: `off`. */
export const listKeysName = 'list-keys';

interface Acts {
  /** Absent where nothing can be added. */
  onAdd?: () => void;
  onHelp: () => void;
  /** Where rows can be selected: selects the row of this id, or no longer. */
  onSelect?: (id: number) => void;
  /** The selection is extended from one row to the next, or taken from the first of two selected ones. */
  onExtend?: (from: number, to: number) => void;
  /** Absent while nothing is selected. */
  onClear?: () => void;
}

/** What takes keys for itself. */
const typing =
  'input:not([type="checkbox"]), select, textarea, [contenteditable], [role="menu"], [role="listbox"], dialog';

/**
 * Single keys of a list, as `ShortcutsDialog` lists them. They act while the focus is in the list or on nothing but the page,
 * never while something is typed or a dialog is open, and can be turned off (WCAG 2.1.4).
 */
export function useListKeys(list: RefObject<HTMLElement | null>, acts: Acts) {
  const areOff = useStored(listKeysName) === 'off';
  const latest = useRef(acts);
  latest.current = acts;
  useEffect(() => {
    if (areOff) return;
    const press = (event: KeyboardEvent) => {
      const at = document.activeElement ?? document.body;
      const isBusy = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || event.isComposing;
      if (isBusy || at.closest(typing) || document.querySelector('dialog[open]')) return;
      if (!list.current?.contains(at) && !at.matches('body, main, h1')) return;
      const act = actOf(event, at, list.current, latest.current);
      if (!act) return;
      event.preventDefault();
      // What opens gives the focus back to where it was, which is to be a place.
      if (at === document.body) list.current?.focus({ preventScroll: true });
      act();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, [areOff, list]);
}

const idOf = (name: HTMLElement) => Number(name.dataset.rowName);

function actOf(
  { key, shiftKey }: KeyboardEvent,
  at: Element,
  list: HTMLElement | null,
  { onAdd, onHelp, onSelect, onExtend, onClear }: Acts,
): (() => void) | undefined {
  if (key === '/') {
    const box = list?.querySelector<HTMLInputElement>('input[type="search"]');
    return box ? () => box.focus() : undefined;
  }
  if (key === 'n') return onAdd;
  if (key === '?') return onHelp;
  if (key === 'Escape') return onClear;
  const names = rowNames(list);
  const row = at.closest('tr');
  const place = names.findIndex((name) => name.closest('tr') === row && row !== null);
  const here = names[place];
  // A box and the button of a menu take the key themselves.
  if (key === ' ') return here && here === at && onSelect ? () => onSelect(idOf(here)) : undefined;
  const isArrow = key === 'ArrowDown' || key === 'ArrowUp';
  // From elsewhere the arrows move the page.
  if (isArrow && !at.matches('[data-row-name], [data-row-tick]')) return undefined;
  if (!isArrow && key !== 'j' && key !== 'k') return undefined;
  const next = key === 'j' || key === 'ArrowDown' ? place + 1 : Math.max(place - 1, 0);
  const name = names[next];
  if (!name) return undefined;
  return () => {
    if (isArrow && shiftKey && here && here !== name) onExtend?.(idOf(here), idOf(name));
    name.focus();
  };
}
