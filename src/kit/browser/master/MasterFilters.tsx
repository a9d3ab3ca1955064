import { Trans, useLingui } from '@lingui/react/macro';
import { IconFilter } from '@tabler/icons-react';
import { type ReactNode, useId, useRef, useState } from 'react';
import { FilterChip, FilterOptionChip } from '#kit/browser/list/FilterChip.tsx';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { FilterOption } from '#kit/browser/list/FilterOption.tsx';
import { Filters } from '#kit/browser/list/Filters.tsx';
import { SearchBox } from '#kit/browser/list/SearchBox.tsx';
import { type Address, everyone } from '#kit/browser/list/use-list-address.ts';
import { Button } from '#kit/browser/ui/Button.tsx';
import { isFilter, type Master, type MasterField, namedBy, targetOf } from '#kit/contract/master.ts';
import { translate, translateOption } from '../text.ts';
import styles from './MasterFilters.module.css';

interface Props {
  master: Master;
  usual: Address;
  address: Address;
  onNarrow: (rest: Address) => void;
}

/** Search, and the filters that are set; a button opens the filter of each field with few values. */
export function MasterFilters({ master, usual, address, onNarrow }: Props) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const panelId = useId();
  const toggle = useRef<HTMLButtonElement>(null);
  const fields = Object.entries(master.fields).filter(([, field]) => isFilter(field));
  const names = [...fields.map(([name]) => name), 'state'];
  const setTo = (name: string) => (address[name] === everyone ? '' : (address[name] ?? ''));
  const set = names.filter(setTo);
  const unusual = names.filter((name) => (address[name] ?? '') !== (usual[name] ?? ''));
  // Where a filter has a default, "all" must be explicit.
  const none = (name: string) => (usual[name] ? everyone : '');
  /** What is pressed to remove a filter goes with it. */
  const remove = (rest: Address) => {
    toggle.current?.focus();
    onNarrow(rest);
  };
  const states = { active: t`Active`, inactive: t`Inactive` };
  return (
    <Filters isInHead>
      <SearchBox
        label={t`Search ${translate(master.plural)}`}
        placeholder={t`Search ${translate(master.plural)}`}
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
            {fields.map(([name, field]) => (
              <FieldFilter
                key={name}
                master={master}
                field={field}
                value={setTo(name)}
                onChange={(value) => onNarrow({ [name]: value || none(name) })}
              />
            ))}
            <FilterChoice
              label={t`Status`}
              value={setTo('state')}
              onChange={(state) => onNarrow({ state })}
              all={t`All`}
            >
              <option value="active">{states.active}</option>
              <option value="inactive">{states.inactive}</option>
            </FilterChoice>
          </>
        )}
      </div>
      {(set.length > 0 || unusual.length > 0) && (
        <div className={styles.chips}>
          {fields.map(
            ([name, field]) =>
              setTo(name) && (
                <FieldChip
                  key={name}
                  master={master}
                  field={field}
                  value={setTo(name)}
                  onRemove={() => remove({ [name]: none(name) })}
                />
              ),
          )}
          {(address.state === 'active' || address.state === 'inactive') && (
            <FilterChip label={t`Status`} value={states[address.state]} onRemove={() => remove({ state: '' })} />
          )}
          {unusual.length > 0 && (
            <Button kind="quiet" onClick={() => remove(Object.fromEntries(unusual.map((name) => [name, ''])))}>
              <Trans>Clear filters</Trans>
            </Button>
          )}
        </div>
      )}
    </Filters>
  );
}

interface FieldProps {
  master: Master;
  field: MasterField;
  value: string;
}

/** The values of a field that is no reference. */
function useValues(field: MasterField): [value: string, words: string][] {
  const { t } = useLingui();
  if (field.kind === 'oneOf') return field.options.map((option) => [option, translateOption(option)]);
  return [
    ['yes', t`Yes`],
    ['no', t`No`],
  ];
}

function FieldFilter({ master, field, value, onChange }: FieldProps & { onChange: (value: string) => void }) {
  const { t } = useLingui();
  const values = useValues(field);
  const common = { label: translate(field.label), value, all: t`All`, onChange };
  if (field.kind === 'ref') {
    return <FilterOption {...common} options={targetOf(namedBy(master), field).options} offersInactive />;
  }
  return (
    <FilterChoice {...common}>
      {values.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </FilterChoice>
  );
}

function FieldChip({ master, field, value, onRemove }: FieldProps & { onRemove: () => void }): ReactNode {
  const values = useValues(field);
  const common = { label: translate(field.label), onRemove };
  if (field.kind === 'ref')
    return <FilterOptionChip {...common} options={targetOf(namedBy(master), field).options} value={value} />;
  return <FilterChip {...common} value={values.find(([option]) => option === value)?.[1] ?? value} />;
}
