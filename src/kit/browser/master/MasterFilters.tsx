import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { FilterChoice } from '#kit/browser/list/FilterChoice.tsx';
import { FilterOption } from '#kit/browser/list/FilterOption.tsx';
import { Filters, FiltersButton } from '#kit/browser/list/Filters.tsx';
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

/** Search, and a filter for each field with few values; on a phone the filters fold away. */
export function MasterFilters({ master, usual, address, onNarrow }: Props) {
  const { t } = useLingui();
  const [isOpen, setOpen] = useState(false);
  const fields = Object.entries(master.fields).filter(([, field]) => isFilter(field));
  const set = [...fields.map(([name]) => name), 'state'].filter(
    (name) => address[name] && address[name] !== (usual[name] ?? everyone),
  );
  // Where a filter has a default, "all" must be explicit.
  const none = (name: string) => (usual[name] ? everyone : '');
  const count = set.length;
  return (
    <Filters isInHead className={isOpen ? undefined : styles.folded}>
      <SearchBox
        label={t`Search ${translate(master.plural)}`}
        placeholder={t`Search ${translate(master.plural)}`}
        value={address.search ?? ''}
        onSearch={(search) => onNarrow({ search })}
      />
      <FiltersButton count={count} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      {fields.map(([name, field]) => (
        <FieldFilter
          key={name}
          master={master}
          field={field}
          value={address[name] === everyone ? '' : (address[name] ?? '')}
          onChange={(value) => onNarrow({ [name]: value || none(name) })}
        />
      ))}
      <FilterChoice
        label={t`Status`}
        value={address.state ?? ''}
        onChange={(state) => onNarrow({ state })}
        all={t`All`}
      >
        <option value="active">{t`Active`}</option>
        <option value="inactive">{t`Inactive`}</option>
      </FilterChoice>
      {(count > 0 || address.search) && (
        <Button
          kind="quiet"
          onClick={() => onNarrow({ search: '', ...Object.fromEntries(set.map((name) => [name, none(name)])) })}
        >
          <Trans>Clear filters</Trans>
        </Button>
      )}
    </Filters>
  );
}

interface FieldFilterProps {
  master: Master;
  field: MasterField;
  value: string;
  onChange: (value: string) => void;
}

function FieldFilter({ master, field, value, onChange }: FieldFilterProps) {
  const { t } = useLingui();
  if (field.kind === 'ref') {
    const { options } = targetOf(namedBy(master), field);
    return (
      <FilterOption
        label={translate(field.label)}
        options={options}
        offersInactive
        value={value}
        all={t`All`}
        onChange={onChange}
      />
    );
  }
  const options =
    field.kind === 'oneOf'
      ? field.options.map((option) => [option, translateOption(option)])
      : [
          ['yes', t`Yes`],
          ['no', t`No`],
        ];
  return (
    <FilterChoice label={translate(field.label)} value={value} onChange={onChange} all={t`All`}>
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </FilterChoice>
  );
}
