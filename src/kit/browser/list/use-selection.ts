import { useRef, useState } from 'react';
import type { Selection } from '#kit/contract/list-view.ts';

interface Ticked {
  /** The selected records, or with `isAll` those that are not. */
  ids: ReadonlySet<number>;
  /** All records that match the filters. */
  isAll: boolean;
  /** The filters that `isAll` is about. */
  query: string;
}

const none: Ticked = { ids: new Set(), isAll: false, query: '' };

/**
 * The selected records of a list. Single ones stay selected when its page, filters or tab change; "all that match" ends
 * with the filters it was about.
 */
export function useSelection(query: Record<string, string>) {
  const [kept, setKept] = useState(none);
  const last = useRef<number>(undefined);
  const key = JSON.stringify(query);
  const { ids, isAll } = kept.isAll && kept.query !== key ? none : kept;
  const has = (id: number) => ids.has(id) !== isAll;
  const set = (changed: readonly number[], isOn: boolean) => {
    const next = new Set(ids);
    for (const id of changed) {
      if (isOn !== isAll) next.add(id);
      else next.delete(id);
    }
    setKept({ ids: next, isAll, query: key });
  };
  return {
    has,
    set,
    /** How many are selected, of as many as match the filters. */
    countOf: (total: number) => (isAll ? Math.max(total - ids.size, 0) : ids.size),
    isAll,
    isNone: !isAll && ids.size === 0,
    /** Selects a row, or no longer; with `reaches` also those between it and the last one, in the order they are shown. */
    toggle: (id: number, shown: readonly number[], reaches = false) => {
      const [from, to] = [last.current, id].map((one) => shown.indexOf(one ?? id)).toSorted((a, b) => a - b);
      const between = reaches && from !== undefined && from >= 0 ? shown.slice(from, (to ?? from) + 1) : [id];
      set(between, !has(id));
      last.current = id;
    },
    /** From one row to the next: both are selected, or the first of two selected ones no longer. */
    extend: (from: number, to: number) => {
      last.current = to;
      if (has(from) && has(to)) set([from], false);
      else set([from, to], true);
    },
    selectAll: () => setKept({ ids: none.ids, isAll: true, query: key }),
    clear: () => setKept(none),
    /** The selection as acts send it. */
    sent: { ids: [...ids], isAll, query: isAll ? query : {} } satisfies Selection,
    /** Their ids, or undefined where they are all that match. */
    ids: isAll ? undefined : [...ids],
    hasExceptions: isAll && ids.size > 0,
  };
}
