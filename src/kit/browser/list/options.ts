import { useState } from 'react';
import { useRead, useReadAll } from '#kit/browser/data/read.ts';
import type { Choice, Entry } from '#kit/browser/ui/Combobox.tsx';
import { type OptionsEndpoint, withDetail } from '#kit/contract/field.ts';

/** With more entries than this, the user searches by typing. */
export const mostListed = 30;

interface Asked {
  options: OptionsEndpoint;
  /** What the entries are further asked with. */
  given?: Readonly<Record<string, unknown>>;
  /** The id of the chosen entry, or ''. */
  value: string;
  offersInactive?: boolean;
  /** The id of an entry that is not offered. */
  without?: string;
  /** The label of an entry, where it is not the name with its detail. */
  labelOf?: (entry: Entry) => string;
}

/** The entries to choose from while they are few, and the label of the chosen one, which may be inactive. */
export function useOptions({ options, given, value, offersInactive = false, without, labelOf = withDetail }: Asked) {
  const toChoice = (entry: Entry): Choice => ({ value: String(entry.id), label: labelOf(entry) });
  // One more than are listed, and the entry that is not offered.
  const query = useRead(options, { ...given, state: offersInactive ? '' : 'active', limit: mostListed + 2 });
  const { data = [], error } = query;
  const offered = data.map(toChoice).filter((choice) => choice.value !== without);
  const [picked, pick] = useState<Choice>();
  const isChosen = (choice: Choice | undefined) => choice?.value === value;
  const known = [...offered, picked].find(isChosen);
  const [named] = useReadAll(value && !known ? [options] : [], { limit: 1, chosenId: value });
  const chosen = known ?? named?.data?.map(toChoice).find(isChosen);
  return {
    entries: chosen && !offered.some(isChosen) ? [...offered, chosen] : offered,
    isMany: offered.length > mostListed,
    /** The only answer there is; nobody is guessed of people, whose entries carry a detail. */
    only: data.length === 1 && data[0]?.detail === undefined ? offered[0]?.value : undefined,
    chosen,
    /** The query, where it failed and nothing can be offered. */
    failed: error && !query.data ? query : undefined,
    /** Stores the name of an entry that was found by typing. */
    pick,
  };
}
