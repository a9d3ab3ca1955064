import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What somebody chose on this device under a name, or null; drawn anew when it changes. */
export const useKept = (name: string): string | null =>
  useSyncExternalStore(subscribe, () => localStorage.getItem(name));

/** Keeps a choice on this device until somebody signs out. */
export function keep(name: string, value: string) {
  localStorage.setItem(name, value);
  for (const listener of listeners) listener();
}
