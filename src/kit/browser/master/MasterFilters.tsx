import { useLingui } from '@lingui/react/macro';
import { type ListFilter, ListFilters } from '#kit/browser/list/ListFilters.tsx';
import type { Address } from '#kit/browser/list/use-list-address.ts';
import { isFilter, type Master, type MasterField, namedBy, targetOf } from '#kit/contract/master.ts';
import { translate, translateOption } from '../text.ts';

interface Props {
  master: Master;
  usual: Address;
  address: Address;
  onNarrow: (rest: Address) => void;
}

/** Search, and a filter of each field with few values. */
export function MasterFilters({ master, usual, address, onNarrow }: Props) {
  const { t } = useLingui();
  const yesNo = [
    ['yes', t`Yes`],
    ['no', t`No`],
  ] as const;
  const toFilter = ([name, field]: [string, MasterField]): ListFilter => {
    const common = { name, label: translate(field.label) };
    if (field.kind === 'ref') return { ...common, options: targetOf(namedBy(master), field).options };
    if (field.kind !== 'oneOf') return { ...common, words: yesNo };
    return { ...common, words: field.options.map((option) => [option, translateOption(option)]) };
  };
  const state: ListFilter = {
    name: 'state',
    label: t`Status`,
    words: [
      ['active', t`Active`],
      ['inactive', t`Inactive`],
    ],
  };
  const fields = Object.entries(master.fields).filter(([, field]) => isFilter(field));
  return (
    <ListFilters
      searchWords={t`Search ${translate(master.plural)}`}
      filters={[...fields.map(toFilter), state]}
      usual={usual}
      address={address}
      onNarrow={onNarrow}
    />
  );
}
