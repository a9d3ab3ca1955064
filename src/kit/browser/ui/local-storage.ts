import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** What somebody chose on this device under a name, or null; drawn anew when it changes. */
export const useStored = (name: string): string | null =>
  useSyncExternalStore(subscribe, () => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null; // A browser that keeps nothing.
    }
  });

/** Keeps a choice on this device until somebody signs out. */
export function store(name: string, value: string) {
  try {
    localStorage.setItem(name, value);
  } catch {
    return;
  }
  for (const listener of listeners) listener();
}
