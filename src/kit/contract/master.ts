import * as z from 'zod/mini';
import { anyText } from './any-text.ts';
import { type Access, endpoint } from './endpoint.ts';
import {
  activeState,
  emptyValuesOf,
  type Field,
  field,
  type Named,
  type NamedThings,
  nameOptions,
  optionsInput,
  type RefField,
  refsOf,
  schemaOf,
} from './field.ts';
import { fieldInfo, id, idAndVersion } from './fields.ts';
import { historyOf } from './history.ts';
import { importApi } from './import.ts';
import { selection, someIds, viewOperations } from './list-view.ts';
import { pageOf, paging } from './paging.ts';
import { colours } from './palette.ts';
import { servedFile, tableKinds } from './served-file.ts';
import { type Text, text } from './text.ts';

/** What a broken constraint says: a message, or one made of the detail that the database gives. */
export type ConstraintWords = Text | ((detail: string) => Text);

/** A master's definition; everything else is derived from it. */
export interface MasterGiven {
  /** The table, prefixed with the feature's word. Its columns are the fields' names in snake case. */
  table: string;
  /** Below /api. */
  path: string;
  /** The singular and plural within a sentence: "grade", "grades". */
  singular: Text;
  plural: Text;
  /** What the list's name does not say of its purpose; shown while it is empty. */
  description?: Text;
  access: Access;
  /** Who reads the list, where others than those who change it do; `access` by default. */
  readAccess?: Access;
  /** Who reads the rows as choices: everyone with a form or filter that has them. `access` by default. */
  optionAccess?: Access;
  fields: Record<string, Field>;
  /** The fields that form a row's name; `name` by default. */
  labelFields?: readonly string[];
  /** The fields by which an import finds a row, unique together; `labelFields` by default. */
  key?: readonly string[];
  /**
   * The table of earlier names, with the key's columns, and the field that points to the row. Search and import find
   * rows by these names too.
   */
  aliases?: { table: string; to: string };
  /** The field that marks a row as fixed. The database protects such rows, and pages offer no actions on them. */
  fixedBy?: string;
  /** A field of a few words whose rows stand together in the list, below the word: the first of `labelFields`. */
  groupedBy?: string;
  /** Deleting a row needs confirmation, and the other Admins are notified. */
  isRemovalReported?: boolean;
  /** Users put the rows in order; otherwise rows are sorted by name. */
  isOrdered?: boolean;
  /** The messages for broken constraints, by constraint name, each with its field. */
  constraintMessages?: Record<string, { field: string; message: ConstraintWords }>;
}

export type Values = Record<string, unknown>;

export interface MasterRow extends Values {
  id: number;
  version: number;
  isActive: boolean;
  /** The row's name. */
  displayName: string;
  /** The number of records that use the row; 1 001 stands for more than a thousand. */
  usedBy: number;
  /** The names of the rows that its fields point to. */
  names: Record<string, string>;
}

export const mostExported = 10_000;

export const isActiveLabel = text`Active`;
/** Whether a row is active, as a field of its form and of files. */
export const activeField = field.yesNo(isActiveLabel);
const sorted = z._default(z.string().check(z.maxLength(60)), '');
/** Names that the list's own inputs use, and fields must not. */
const taken = [
  'id',
  'version',
  'search',
  'after',
  'before',
  'sort',
  'state',
  'columns',
  'names',
  'displayName',
  'usedBy',
  'placed',
  'placedId',
];

/**
 * Creates a master from a definition: its schemas and its operations. Throws where the definition contradicts itself.
 */
export function defineMaster(definition: MasterGiven) {
  const { table, path, access, fields, labelFields = ['name'], isOrdered = false } = definition;
  const { readAccess = access, optionAccess = readAccess } = definition;
  const wrong =
    [
      ...labelFields,
      ...(definition.key ?? []),
      ...(definition.fixedBy ? [definition.fixedBy] : []),
      ...(definition.groupedBy ? [definition.groupedBy] : []),
    ].find((name) => !Object.hasOwn(fields, name)) ?? taken.find((name) => Object.hasOwn(fields, name));
  if (wrong) throw new Error(`The master ${table} cannot have or lacks the field ${wrong}.`);

  const draft = Object.fromEntries(enteredOf(definition).map(([name, field]) => [name, schemaOf(field)]));
  const isActive = z._default(z.boolean(), true).register(fieldInfo, { label: isActiveLabel, optional: true });
  const values = { ...draft, isActive };
  const filters = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (isFilter(field) ? [[name, filterOf(field)]] : [])),
  );
  const query = { search: paging.search, sort: sorted, state: activeState, ...filters };
  const row = z.looseObject({
    id: z.number(),
    version: z.number(),
    isActive: z.boolean(),
    displayName: z.string(),
    usedBy: z.number(),
    names: z.record(z.string(), z.string()),
  });
  /** A second person decides on what is held. */
  const done = z.object({ id: z.number(), version: z.number(), isHeld: z.optional(z.boolean()) });
  const rowPath = `${path}/:id`;
  const changes = [wordOf(definition)];
  const shows = [
    ...new Set([
      wordOf(definition),
      ...refsOf(definition).map(([, { to }]) => wordOf(to === 'self' ? definition : to)),
    ]),
  ];

  const api = {
    /** Counts the uses of each row, which any act may change, so it has no `shows`. */
    list: endpoint({
      method: 'GET',
      path,
      access: readAccess,
      input: z.object({ ...paging, ...query }),
      output: pageOf(row),
    }),
    /** The choices for fields that point here: at most a thousand, inactive ones marked. */
    options: endpoint({
      method: 'GET',
      path: `${path}/option`,
      access: optionAccess,
      shows,
      input: z.object(optionsInput),
      output: nameOptions,
    }),
    export: endpoint({
      method: 'GET',
      path: `${path}/export`,
      access: readAccess,
      input: z.object({ ...query, as: z.enum(tableKinds), ids: someIds }),
      output: servedFile,
    }),
    history: historyOf(path, readAccess, shows),
    /** The id is 0 for a row that is held. */
    create: endpoint({ method: 'POST', path, access, changes, input: z.object(values), output: done }),
    update: endpoint({
      method: 'PUT',
      path: rowPath,
      access,
      changes,
      input: z.object({ ...values, ...idAndVersion }),
      output: done,
    }),
    remove: endpoint({
      method: 'DELETE',
      path: rowPath,
      access,
      changes,
      ...(definition.isRemovalReported && { isConfirmed: true, isReported: true }),
      input: z.object(idAndVersion),
      output: z.object({}),
    }),
    /** Activates or deactivates the selected rows, and says which were left as they are and why. */
    setActive: endpoint({
      method: 'POST',
      path: `${path}/active`,
      access,
      changes,
      input: z.object({ selection, isActive: z.boolean() }),
      output: z.object({
        changed: z.array(z.number()),
        skipped: z.array(z.object({ message: anyText, count: z.number() })),
      }),
    }),
    /** Swaps a row with the previous or next one, or puts it at the position of the row with this id. */
    ...(isOrdered && {
      move: endpoint({
        method: 'POST',
        path: `${rowPath}/move`,
        access,
        changes,
        input: z.object({ id, to: z.union([z.enum(['up', 'down']), id]) }),
        output: z.object({}),
      }),
    }),
    ...importApi({
      path: `${path}/import`,
      access,
      changes,
      columns: { ...definition.fields, isActive: { label: isActiveLabel } },
      needed: definition.key ?? labelFields,
    }),
    ...viewOperations(table, path, readAccess),
  };
  return { ...definition, labelFields, key: definition.key ?? labelFields, isOrdered, query, api };
}

export type Master = ReturnType<typeof defineMaster>;

/** The fields that can filter a list: no colours, and no columns that are hidden at first. */
export const isFilter = (field: Field): boolean => {
  if (field.kind === 'ref') return field.to !== 'self';
  if (field.isAside) return false;
  return field.kind === 'yesNo' || (field.kind === 'oneOf' && field.options !== colours);
};

/** The fields that users fill in. */
export const enteredOf = ({ fields }: Pick<Named, 'fields'>) =>
  Object.entries(fields).filter(([, { isReadOnly }]) => !isReadOnly);

/** The columns of a file to be imported. */
export const importedOf = (master: Pick<Named, 'fields'>): Record<string, Field> => ({
  ...Object.fromEntries(enteredOf(master)),
  isActive: activeField,
});

/** The target of a field of this master. */
export const targetOf = (master: Named, field: RefField): Named => (field.to === 'self' ? master : field.to);

/** A master as a target of other masters' fields. */
export const namedBy = ({ table, labelFields, fields, isOrdered, api }: Master): NamedThings => ({
  table,
  labelFields,
  fields,
  isOrdered,
  options: api.options,
});

/** A master's word in `shows` and `changes`: its table without the feature's prefix. */
const wordOf = ({ table }: Pick<Named, 'table'>) => table.slice(table.indexOf('_') + 1).replaceAll('_', '-');

/** The initial values of a new row. */
export const emptyValues = (master: Pick<Master, 'fields'>): Values => ({
  ...emptyValuesOf(Object.fromEntries(enteredOf(master))),
  isActive: true,
});

function filterOf(field: Field) {
  if (field.kind === 'ref') return z._default(z.string().check(z.regex(/^[0-9]{0,9}$/)), '');
  const options = field.kind === 'oneOf' ? field.options : ['yes', 'no'];
  return z._default(z.enum(['', ...options]), '');
}
