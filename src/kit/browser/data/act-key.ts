import { useRef } from 'react';

/**
 * The Idempotency-Key of an act. The same input keeps its key until the act has succeeded, so that a retry after a lost
 * answer does not repeat it; other input gets another key.
 */
export function useActKey() {
  const current = useRef<{ key: string; what: string }>(undefined);
  return {
    keyFor: (input: unknown, files: Record<string, File> = {}) => {
      const what = JSON.stringify([input, Object.entries(files).map(([name, file]) => [name, file.name, file.size])]);
      if (current.current?.what !== what) current.current = { key: crypto.randomUUID(), what };
      return current.current.key;
    },
    end: () => {
      current.current = undefined;
    },
  };
}
