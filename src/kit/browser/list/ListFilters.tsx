import { Trans, useLingui } from '@lingui/react/macro';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import type { OptionsEndpoint } from '#kit/contract/field.ts';
import { FilterChip, FilterOptionChip } from './FilterChip.tsx';
import { FilterChoice } from './FilterChoice.tsx';
import { FilterOption } from './FilterOption.tsx';
import { Filters } from './Filters.tsx';
import styles from './ListFilters.module.css';
import { SearchBox } from './SearchBox.tsx';
import { type Address, everyone } from './use-list-address.ts';

/** A filter of a list by its name in the address: one of a few words, or an entry that the server keeps. */
export type ListFilter = { name: string; label: string } & (
  | { words: readonly (readonly [value: string, words: string])[] }
  | { options: OptionsEndpoint }
);

interface Props {
  /** What the search box is for, such as "Search trees". */
  searchWords: string;
  filters: readonly ListFilter[];
  /** Filters that apply where the address has none. */
  usual?: Address;
  address: Address;
  onNarrow: (rest: Address) => void;
  /** Further controls beside the filters. */
  children?: ReactNode;
}

/** Search, and the filters that are set; a button opens the filters. */
export function ListFilters({ searchWords, filters, usual = {}, address, onNarrow, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const setTo = (name: string) => (address[name] === everyone ? '' : (address[name] ?? ''));
  const set = filters.filter((filter) => isShown(filter, setTo(filter.name)));
  const unusual = filters.filter(({ name }) => (address[name] ?? '') !== (usual[name] ?? ''));
  // Where a filter has a default, "all" must be explicit.
  const none = (name: string) => (usual[name] ? everyone : '');
  /** What is pressed to remove a filter goes with it. */
  const remove = (rest: Address) => {
    toggle.current?.focus();
    onNarrow(rest);
  };
  return (
    <Filters isInHead>
      <SearchBox
        label={searchWords}
        placeholder={searchWords}
        value={address.search ?? ''}
        onSearch={(search) => onNarrow({ search })}
      />
      <Button
        ref={toggle}
        className={styles.toggle}
        aria-expanded={isOpen}
        aria-controls={panelId}
        onClick={() => setOpen(!isOpen)}
      >
        <IconFilter size={18} aria-hidden />
        <Trans>Filter</Trans>
      </Button>
      <div id={panelId} className={styles.panel} hidden={!isOpen}>
        {isOpen && (
          <>
            {filters.map((filter) => (
              <OneFilter
                key={filter.name}
                filter={filter}
                value={setTo(filter.name)}
                onChange={(value) => onNarrow({ [filter.name]: value || none(filter.name) })}
              />
            ))}
            {children}
          </>
        )}
      </div>
      {(set.length > 0 || unusual.length > 0) && (
        <div className={styles.chips}>
          {set.map((filter) => (
            <OneChip
              key={filter.name}
              filter={filter}
              value={setTo(filter.name)}
              onRemove={() => remove({ [filter.name]: none(filter.name) })}
            />
          ))}
          {unusual.length > 0 && (
            <Button kind="quiet" onClick={() => remove(Object.fromEntries(unusual.map(({ name }) => [name, ''])))}>
              <Trans>Clear filters</Trans>
            </Button>
          )}
        </div>
      )}
    </Filters>
  );
}

/** A word that the filter does not have is in no chip. */
const isShown = (filter: ListFilter, value: string) =>
  value !== '' && ('options' in filter || filter.words.some(([word]) => word === value));

interface OneProps {
  filter: ListFilter;
  value: string;
}

function OneFilter({ filter, value, onChange }: OneProps & { onChange: (value: string) => void }) {
  const { t } = useLingui();
  const common = { label: filter.label, value, all: t`All`, onChange };
  if ('options' in filter) return <FilterOption {...common} options={filter.options} offersInactive />;
  return (
    <FilterChoice {...common}>
      {filter.words.map(([word, words]) => (
        <option key={word} value={word}>
          {words}
        </option>
      ))}
    </FilterChoice>
  );
}

function OneChip({ filter, value, onRemove }: OneProps & { onRemove: () => void }) {
  const common = { label: filter.label, onRemove };
  if ('options' in filter) return <FilterOptionChip {...common} options={filter.options} value={value} />;
  return <FilterChip {...common} value={filter.words.find(([word]) => word === value)?.[1] ?? value} />;
}
