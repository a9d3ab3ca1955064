import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** A setting of this device by name, or null; redraws when it changes. */
export const useStored = (name: string): string | null =>
  useSyncExternalStore(subscribe, () => {
    try {
      return localStorage.getItem(name);
    } catch {
      return null; // The browser has no storage.
    }
  });

/** Keeps a setting on this device until the user signs out. */
export function store(name: string, value: string) {
  try {
    localStorage.setItem(name, value);
  } catch {
    return;
  }
  for (const listener of listeners) listener();
}
