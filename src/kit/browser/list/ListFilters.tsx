import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, useRef, useState } from 'react';
import { translate, translateOption } from '#kit/browser/text.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Row } from '#kit/browser/ui/Layout.tsx';
import type { OptionsEndpoint } from '#kit/contract/field.ts';
import { everyone, givenTo, type RecordListDefinition } from '#kit/contract/record-list.ts';
import { FilterChip, FilterOptionChip } from './FilterChip.tsx';
import { FilterChoice } from './FilterChoice.tsx';
import { FilterOption } from './FilterOption.tsx';
import { FilterPanel } from './FilterPanel.tsx';
import styles from './ListFilters.module.css';
import { SearchBox } from './SearchBox.tsx';
import type { Address } from './use-list-address.ts';

/** A filter of a list by its name in the address: one of a few words, or an entry that the server keeps. */
export type ListFilter = { name: string; label: string } & (
  | { words: readonly (readonly [value: string, words: string])[] }
  | { options: OptionsEndpoint; narrowedBy?: readonly string[] }
);

/** The filters of a definition, in the words of the reader. */
export const filtersFor = (filters: RecordListDefinition['filters']): ListFilter[] =>
  Object.entries(filters).map(([name, filter]) => ({
    name,
    label: translate(filter.label),
    ...(filter.kind === 'ref'
      ? { options: filter.options, ...(filter.narrowedBy && { narrowedBy: filter.narrowedBy }) }
      : {
          words: filter.options.map((option, index) => {
            const words = filter.words?.[index];
            return [option, words ? translate(words) : translateOption(option)] as const;
          }),
        }),
  }));

interface Props {
  /** What the search box is for, such as "Search trees"; without it there is none. */
  searchWords?: string;
  filters: readonly ListFilter[];
  /** Filters that apply where the address has none. */
  usual?: Address;
  address: Address;
  onNarrow: (rest: Address) => void;
  /** Further controls below the filters. */
  children?: ReactNode;
}

/** Search where there is any, the filters that are set as chips, and a button that opens all of them; one line. */
export function ListFilters({ searchWords, filters, usual = {}, address, onNarrow, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const setTo = (name: string) => (address[name] === everyone ? '' : (address[name] ?? ''));
  const set = filters.filter((filter) => isShown(filter, setTo(filter.name)));
  const unusual = filters.filter(({ name }) => (address[name] ?? '') !== (usual[name] ?? ''));
  // Where a filter has a default, "all" must be explicit.
  const none = (name: string) => (usual[name] ? everyone : '');
  const givenOf = (filter: ListFilter) => ('options' in filter ? givenTo(filter, address) : {});
  /** Ends the values that were chosen among other options. */
  const narrowedBy = (changed: string) =>
    Object.fromEntries(
      filters.flatMap((filter) =>
        'options' in filter && filter.narrowedBy?.includes(changed) ? [[filter.name, none(filter.name)]] : [],
      ),
    );
  /** What is pressed to remove a filter goes with it. */
  const remove = (rest: Address) => {
    button.current?.focus();
    onNarrow(rest);
  };
  // One chip is removed by its own button.
  const clear = unusual.length > (set.length === 1 ? 1 : 0) && (
    <Button
      kind="quiet"
      className={styles.clear}
      onClick={() => {
        setOpen(false);
        remove(Object.fromEntries(unusual.map(({ name }) => [name, ''])));
      }}
    >
      <Trans>Clear filters</Trans>
    </Button>
  );
  const controlOf = (filter: ListFilter) => (
    <OneFilter
      key={filter.name}
      filter={filter}
      value={setTo(filter.name)}
      given={givenOf(filter)}
      onChange={(value) =>
        onNarrow({ [filter.name]: value || none(filter.name), ...(value && narrowedBy(filter.name)) })
      }
    />
  );
  return (
    <Row gap={8} align="center" grow className={styles.line}>
      {searchWords && (
        <SearchBox label={searchWords} value={address.search ?? ''} onSearch={(search) => onNarrow({ search })} />
      )}
      {set.length > 0 && (
        <Row gap={8} className={styles.chips}>
          {set.map((filter) => (
            <OneChip
              key={filter.name}
              filter={filter}
              value={setTo(filter.name)}
              given={givenOf(filter)}
              onRemove={() => remove({ [filter.name]: none(filter.name) })}
            >
              {controlOf(filter)}
            </OneChip>
          ))}
        </Row>
      )}
      <span className={styles.all}>
        <FilterPanel
          isOpen={isOpen}
          onToggle={setOpen}
          button={
            <Button
              ref={button}
              className={styles.button}
              title={
                set.length > 0 ? plural(set.length, { one: '# filter is set', other: '# filters are set' }) : undefined
              }
              onClick={() => setOpen(!isOpen)}
            >
              <IconFilter size={16} aria-hidden />
              <span className={styles.word}>
                <Trans>Filter</Trans>
              </span>
              {set.length > 0 && (
                <span className={styles.count} data-more={set.length > mostChips || undefined} aria-hidden>
                  {set.length}
                </span>
              )}
            </Button>
          }
        >
          {filters.map(controlOf)}
          {children}
          {clear}
        </FilterPanel>
      </span>
      {!isOpen && clear}
    </Row>
  );
}

/** More are in the panel; the sheet hides their chips. */
const mostChips = 2;

/** A word that the filter does not have is in no chip. */
const isShown = (filter: ListFilter, value: string) =>
  value !== '' && ('options' in filter || filter.words.some(([word]) => word === value));

interface OneProps {
  filter: ListFilter;
  value: string;
  /** What its options are asked with. */
  given: Readonly<Record<string, unknown>>;
}

interface FilterProps extends OneProps {
  onChange: (value: string) => void;
}

function OneFilter({ filter, value, given, onChange }: FilterProps) {
  const { t } = useLingui();
  const common = { label: filter.label, value, all: t`All`, onChange };
  if ('options' in filter) return <FilterOption {...common} options={filter.options} given={given} offersInactive />;
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

interface ChipProps extends OneProps {
  onRemove: () => void;
  children: ReactNode;
}

function OneChip({ filter, value, given, ...rest }: ChipProps) {
  const common = { ...rest, label: filter.label };
  if ('options' in filter) return <FilterOptionChip {...common} options={filter.options} given={given} value={value} />;
  return <FilterChip {...common} value={filter.words.find(([word]) => word === value)?.[1] ?? value} />;
}
