import type { RefObject } from 'react';
import { useSingleKeys } from '#kit/browser/ui/use-single-keys.ts';
import { rowIdOf, rowNames } from './row-names.ts';

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

/** Single keys of a list, as `ShortcutsDialog` lists them. */
export const useListKeys = (list: RefObject<HTMLElement | null>, acts: Acts) =>
  useSingleKeys(list, (event, at) => actOf(event, at, list.current, acts));

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
  if (key === 'a') {
    const act = list?.querySelector<HTMLElement>('[data-selection-acts] button');
    return act ? () => act.focus() : undefined;
  }
  const names = rowNames(list);
  const row = at.closest('tr');
  const place = names.findIndex((name) => name.closest('tr') === row && row !== null);
  const here = names[place];
  // A box and the button of a menu take the key themselves.
  if (key === ' ')
    return here && here === at && at.matches('[data-row-name]') && onSelect ? () => onSelect(rowIdOf(here)) : undefined;
  const isArrow = key === 'ArrowDown' || key === 'ArrowUp';
  // From elsewhere the arrows move the page.
  if (isArrow && !at.matches('[data-row-name], [data-row-tick]')) return undefined;
  if (!isArrow && key !== 'j' && key !== 'k') return undefined;
  const next = key === 'j' || key === 'ArrowDown' ? place + 1 : Math.max(place - 1, 0);
  const name = names[next];
  if (!name) return undefined;
  return () => {
    if (isArrow && shiftKey && here && here !== name) onExtend?.(rowIdOf(here), rowIdOf(name));
    name.focus();
  };
}
