import type { ReactNode } from 'react';
import { QueryBoundary } from '#kit/browser/data/QueryBoundary.tsx';
import { useRead } from '#kit/browser/data/read.ts';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { FilterSearch } from '#kit/browser/list/FilterOption.tsx';
import { mostListed } from '#kit/browser/list/options.ts';
import { type Address, useListAddress } from '#kit/browser/list/use-list-address.ts';
import { store, useStored } from '#kit/browser/ui/local-storage.ts';
import type { OutputOf } from '#kit/contract/endpoint.ts';
import type { Master } from '#kit/contract/master.ts';
import { translate } from '../text.ts';
import { headed, keyOf } from './MastersPage.tsx';

type Row = OutputOf<Master['api']['options']>[number];

interface Props {
  master: Master;
  /** The search keys that stay when another row is chosen. */
  keeps?: readonly string[];
  /** The ids of those to begin with, the best first. */
  preferred?: readonly number[];
  /** Under which this device keeps the one that was chosen last, to begin with the next time. */
  keptAs?: string;
  /** The message while there are none. */
  none: ReactNode;
  /** The content for the row, and the picker for another one. */
  children: (row: Row, choice: ReactNode) => ReactNode;
}

/** Content that belongs to one of a master's active rows: the one in the address, the one chosen last, a preferred one, or the first. */
export function RecordPicker({ master, keeps = [], preferred = [], keptAs = '', none, children }: Props) {
  const query = useRead(master.api.options, {});
  const { address, go } = useListAddress();
  const key = keyOf(master);
  const kept = useStored(keptAs);
  const change = (id: string) => {
    if (keptAs) store(keptAs, id);
    const held = ['tab', ...keeps].map((name) => [name, address[name]]);
    go({ ...(Object.fromEntries(held) as Address), [key]: id });
  };
  return (
    <QueryBoundary query={query}>
      {(all) => {
        const rows = all.filter(({ isActive }) => isActive);
        const wanted = [address[key], kept, ...preferred.map(String)];
        const row = wanted.flatMap((id) => rows.find((other) => String(other.id) === id) ?? [])[0] ?? rows[0];
        if (!row) return none;
        const label = headed(translate(master.singular));
        const choice =
          rows.length > mostListed ? (
            <FilterSearch
              label={label}
              options={master.api.options}
              chosen={{ value: String(row.id), label: row.name }}
              onChoose={(chosen) => chosen && change(chosen.value)}
            />
          ) : (
            <FilterChoice label={label} value={String(row.id)} onChange={change}>
              {rows.map(({ id, name }) => (
                <option key={id} value={String(id)}>
                  {name}
                </option>
              ))}
            </FilterChoice>
          );
        return children(row, choice);
      }}
    </QueryBoundary>
  );
}
