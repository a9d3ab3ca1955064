import { useSyncExternalStore } from 'react';

const query = '(max-width: 767px)';

function subscribe(listener: () => void) {
  const media = window.matchMedia?.(query);
  media?.addEventListener('change', listener);
  return () => media?.removeEventListener('change', listener);
}

/** Whether the window is as narrow as a phone, where a row of a list has two lines. */
export const useNarrow = () => useSyncExternalStore(subscribe, () => window.matchMedia?.(query).matches ?? false);
