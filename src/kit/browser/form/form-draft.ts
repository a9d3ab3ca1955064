import { useCallback, useEffect, useRef } from 'react';
import type { Draft } from './draft.ts';
import type { Values } from './form-context.ts';

/** Passes every change to the draft, and sends it when the user leaves. Returns a function that sends it immediately. */
export function useDraft(draft: Draft | undefined, values: Values, before: Values) {
  const seen = useRef(before);
  useEffect(() => {
    if (seen.current !== values) draft?.change(values);
    seen.current = values;
  }, [draft, values]);
  useEffect(() => {
    const leaving = () => document.visibilityState === 'hidden' && draft?.flush(true);
    document.addEventListener('visibilitychange', leaving);
    window.addEventListener('pagehide', leaving);
    return () => {
      document.removeEventListener('visibilitychange', leaving);
      window.removeEventListener('pagehide', leaving);
      draft?.flush();
    };
  }, [draft]);
  return useCallback(() => draft?.flush(), [draft]);
}
