import { useSyncExternalStore } from 'react';
import { keepChoice, readChoice } from './device-choice.ts';

/** Light or dark colours, or those that the device asks for. */
export type Colours = 'device' | 'light' | 'dark';

// The server reads this cookie too, and writes the choice into the page before it is first drawn.
const name = 'colours';

const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Draws the page in these colours. */
export function showColours(colours: Colours) {
  if (colours === 'device') delete document.documentElement.dataset.colours;
  else document.documentElement.dataset.colours = colours;
  for (const listener of listeners) listener();
}

/** Draws the page in the colours that were chosen on this device. */
export function showChosenColours() {
  const chosen = readChoice(name);
  showColours(chosen === 'light' || chosen === 'dark' ? chosen : 'device');
}

/** Keeps the colours on this device. */
export function chooseColours(colours: Colours) {
  keepChoice(name, colours === 'device' ? '' : colours);
  showColours(colours);
}

/** The colours that the page is drawn in. */
export const useColours = () =>
  useSyncExternalStore(subscribe, () => (document.documentElement.dataset.colours ?? 'device') as Colours);
