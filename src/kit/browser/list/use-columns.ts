import { useState } from 'react';
import { store, useStored } from '#kit/browser/ui/local-storage.ts';

/** A column besides the name. */
export interface Column {
  name: string;
  label: string;
  /** Hidden unless the user shows it. */
  isAside?: boolean;
}

/** The columns of a list that the user shows on this device, under the list's key; else the usual ones. */
export function useColumns(key: string, all: readonly Column[]) {
  const kept = useStored(`columns:${key}`);
  const usual = all.filter(({ isAside }) => !isAside).map(({ name }) => name);
  // A device without storage shows the default columns the next time.
  const [chosen, setChosen] = useState<readonly string[]>();
  const shown = chosen ?? read(kept) ?? usual;
  const choose = (names: readonly string[]) => {
    setChosen(names);
    store(`columns:${key}`, JSON.stringify(names));
  };
  return { usual, shown: all.map(({ name }) => name).filter((name) => shown.includes(name)), choose };
}

function read(kept: string | null): readonly string[] | undefined {
  try {
    const names: unknown = JSON.parse(kept ?? 'null');
    return Array.isArray(names) ? names : undefined;
  } catch {
    return undefined;
  }
}
