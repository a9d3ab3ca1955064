import { type ComponentProps, useId } from 'react';
import { ReadFailed } from '#kit/browser/data/QueryBoundary.tsx';
import { Combobox } from '#kit/browser/ui/Combobox.tsx';
import { FilterChoice } from './FilterChoice.tsx';
import { Filter } from './Filters.tsx';
import { useOptions } from './options.ts';

interface SearchProps
  extends Pick<
    ComponentProps<typeof Combobox>,
    'options' | 'given' | 'offersInactive' | 'labelOf' | 'chosen' | 'onChoose'
  > {
  label: string;
  /** The label for no choice; without it a choice is always made. */
  all?: string;
}

/** Filters a list by one of many entries, which the user finds by typing. */
export function FilterSearch({ label, all, onChoose, ...rest }: SearchProps) {
  const id = useId();
  return (
    <Filter id={id} label={label}>
      <Combobox
        {...rest}
        id={id}
        placeholder={all}
        onChoose={(choice) => (choice || all !== undefined) && onChoose(choice)}
      />
    </Filter>
  );
}

interface Props extends Omit<SearchProps, 'chosen' | 'onChoose'> {
  value: string;
  onChange: (value: string) => void;
}

/** Filters a list by an entry that the server keeps: from a native list while it is short, else by typing. */
export function FilterOption({ value, onChange, ...common }: Props) {
  const { label, options, given, all, offersInactive, labelOf } = common;
  const { entries, isMany, chosen, failed, pick } = useOptions({ options, given, value, offersInactive, labelOf });
  if (failed) return <ReadFailed query={failed} />;
  if (isMany) {
    return (
      <FilterSearch
        {...common}
        chosen={chosen}
        onChoose={(choice) => {
          pick(choice);
          onChange(choice?.value ?? '');
        }}
      />
    );
  }
  return (
    <FilterChoice label={label} value={value} all={all} onChange={onChange}>
      {entries.map((entry) => (
        <option key={entry.value} value={entry.value}>
          {entry.label}
        </option>
      ))}
    </FilterChoice>
  );
}
