import { useState } from 'react';
import type { Master } from '#kit/contract/master.ts';

const keyOf = ({ table }: Master) => `columns:${table}`;

/** The columns of a list besides the name, and those that the user shows on this device. */
export function useColumns(master: Master) {
  const all = Object.entries(master.fields).filter(([name]) => !master.labelFields.includes(name));
  const usual = all.filter(([, { isAside }]) => !isAside).map(([name]) => name);
  const [chosen, setChosen] = useState<string[]>(() => readChosen(master) ?? usual);
  const toggle = (name: string) => {
    const wanted = chosen.includes(name) ? chosen.filter((other) => other !== name) : [...chosen, name];
    setChosen(wanted);
    try {
      localStorage.setItem(keyOf(master), JSON.stringify(wanted));
    } catch {
      // A device without storage shows the default columns the next time.
    }
  };
  return { all, shown: all.filter(([name]) => chosen.includes(name)), toggle };
}

function readChosen(master: Master): string[] | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(master)) ?? 'null');
    return Array.isArray(kept) ? kept.filter((name) => name in master.fields) : undefined;
  } catch {
    return undefined;
  }
}
