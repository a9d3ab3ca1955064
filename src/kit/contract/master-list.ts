import type * as z from 'zod/mini';
import type { Access, Endpoint, OutputOf } from './endpoint.ts';
import type { Field } from './field.ts';
import { isFilter, type Master, type MasterRow, namedBy, targetOf } from './master.ts';
import type { ListColumn, ListFilter, ListOperations, RecordListDefinition } from './record-list.ts';
import { text } from './text.ts';

/** A list of records with a master's rows. */
type MasterList = Omit<RecordListDefinition, 'api'> & {
  api: Omit<ListOperations, 'list'> & {
    list: Endpoint<
      ListOperations['list']['input'],
      z.ZodMiniType<Omit<OutputOf<ListOperations['list']>, 'rows'> & { rows: MasterRow[] }>,
      Access,
      'GET'
    >;
  };
};

/** A master as a list of records: the rows' names, the other fields, and how often each is used. */
export const listOf = (master: Master): MasterList => ({
  ...master,
  name: master.table,
  shows: [],
  columns: {
    displayName: { kind: 'text', label: text`Name`, isSorted: true },
    ...Object.fromEntries(
      Object.entries(master.fields)
        .filter(([name]) => !master.labelFields.includes(name))
        .map(([name, field]) => [name, columnOf(field)]),
    ),
    usedBy: { kind: 'number', label: text`Times used`, isLabelled: true },
  },
  filters: {
    ...Object.fromEntries(
      Object.entries(master.fields).flatMap(([name, field]) =>
        isFilter(field) ? [[name, filterOf(master, field)]] : [],
      ),
    ),
    state: {
      kind: 'oneOf',
      label: text`Status`,
      options: ['active', 'inactive'],
      words: [text`Active`, text`Inactive`],
    },
  },
  tabs: {},
  exportsAll: true,
  // Rows and inputs have the master's fields, which the types do not know.
  row: master.api.list.output.shape.rows.def.element as unknown as RecordListDefinition['row'],
  api: master.api as unknown as MasterList['api'],
});

const isOrdinal = (kind: Field['kind']) =>
  kind === 'number' || kind === 'money' || kind === 'percent' || kind === 'date';

const columnOf = (field: Field): ListColumn => ({
  kind: isOrdinal(field.kind) ? field.kind : 'text',
  label: field.label,
  head: field.kind === 'number' ? field.inYears : undefined,
  isAside: field.isAside,
  isSorted: true,
  isLabelled: true,
});

const filterOf = (master: Master, field: Field): ListFilter => {
  const { label } = field;
  if (field.kind === 'ref') return { kind: 'ref', label, options: targetOf(namedBy(master), field).options };
  if (field.kind === 'oneOf') return { kind: 'oneOf', label, options: field.options };
  return { kind: 'oneOf', label, options: ['yes', 'no'], words: [text`Yes`, text`No`] };
};
