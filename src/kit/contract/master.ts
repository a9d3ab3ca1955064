import * as z from 'zod/mini';
import { type Access, type Endpoint, endpoint } from './endpoint.ts';
import { chosenId, fieldInfo, freeText, id, oneOf, optionalFreeText, optionalId, optionalOneOf } from './fields.ts';
import { historyOf } from './history.ts';
import { importBytes } from './import-limits.ts';
import { someOf } from './list.ts';
import { pageOf, paging } from './paging.ts';
import { colours } from './palette.ts';
import { confirmToken, previewed } from './preview.ts';
import { servedFile, tableKinds } from './served-file.ts';
import { calendarDay, neededId, wholeNumber } from './shell-fields.ts';
import { anyText, type Text, text } from './text.ts';

/** Rows of a table that have a name, and where the names to choose from are read. */
export interface Named {
  table: string;
  /** The fields that make up what a row is called, in this order: "Grade 1, A". */
  labelFields: readonly string[];
  fields: Record<string, MasterField>;
  isOrdered?: boolean;
  /** The rows are people: an export that names them is counted. */
  isPeople?: boolean;
  options: OptionsEndpoint;
}

interface Common {
  label: Text;
  /** One line below the label, for who fills it in. */
  hint?: Text;
  /** Left out of the list unless somebody asks for it. */
  isAside?: boolean;
  optional?: boolean;
  /** Shown, and set by another operation; of several options a new row has the first. */
  isReadOnly?: boolean;
}

/** One column of a master. A definition is data: what needs a condition is written as an ordinary feature. */
export type MasterField = Common &
  (
    | { kind: 'text'; max: number; like?: RegExp; message?: Text }
    | { kind: 'longText'; max: number }
    | { kind: 'number'; least: number; most: number }
    | { kind: 'date' }
    | { kind: 'yesNo' }
    | { kind: 'oneOf'; options: readonly string[] }
    | { kind: 'someOf'; options: readonly string[] }
    /** A row of another table, or of the same one. */
    | { kind: 'ref'; to: Named | 'self' }
  );

export type RefField = Extract<MasterField, { kind: 'ref' }>;

type More<Kind extends MasterField['kind']> = Omit<Extract<MasterField, { kind: Kind }>, 'kind' | 'label'>;

/** The kinds of field a master may have. */
export const field = {
  text: (label: Text, options: More<'text'>): MasterField => ({ kind: 'text', label, ...options }),
  longText: (label: Text, options: More<'longText'>): MasterField => ({
    kind: 'longText',
    label,
    isAside: true,
    ...options,
  }),
  number: (label: Text, options: More<'number'>): MasterField => ({ kind: 'number', label, ...options }),
  date: (label: Text, options: More<'date'> = {}): MasterField => ({ kind: 'date', label, ...options }),
  yesNo: (label: Text, options: More<'yesNo'> = {}): MasterField => ({ kind: 'yesNo', label, ...options }),
  oneOf: (label: Text, options: More<'oneOf'>): MasterField => ({ kind: 'oneOf', label, ...options }),
  someOf: (label: Text, options: More<'someOf'>): MasterField => ({ kind: 'someOf', label, ...options }),
  ref: (label: Text, options: More<'ref'>): MasterField => ({ kind: 'ref', label, ...options }),
};

/** What a definition says; everything else follows from it. */
export interface MasterGiven {
  /** The table, with the feature's word before it. Its columns are the fields' names in small letters with underscores. */
  table: string;
  /** Below /api. */
  path: string;
  /** What one row and several are called in sentences: "grade", "grades". */
  singular: Text;
  plural: Text;
  /** What the list is for, said while it is empty. */
  description: Text;
  access: Access;
  fields: Record<string, MasterField>;
  /** The fields that make up a row's name; `name` unless it takes more. */
  labelFields?: readonly string[];
  /** The rows that an import finds again: fields that together differ in every row; the name's unless told. */
  key?: readonly string[];
  /**
   * Where names are kept that rows had once: a table with the key's columns, and by which field it points to the row. A
   * search and an import that say such a name find the row.
   */
  aliases?: { table: string; to: string };
  /** The field that says of a row that it stays as it is, as the database sees to; nothing is offered to be done with it. */
  fixedBy?: string;
  /** A row is removed only with a fresh proof, and the other Admins are told. */
  isRemovalReported?: boolean;
  /** Somebody puts the rows in order; otherwise they stand in the order of their names. */
  isOrdered?: boolean;
  /** What is said of the database's own rules, by the name of the constraint, and the field it is said at. */
  constraintMessages?: Record<string, { field: string; message: Text }>;
}

export type Values = Record<string, unknown>;

export interface MasterRow extends Values {
  id: number;
  version: number;
  isActive: boolean;
  /** What the row is called. */
  displayName: string;
  /** In how many places it is used; 1 001 stands for more than a thousand. */
  usedBy: number;
  /** What the rows that its fields point to are called. */
  names: Record<string, string>;
}

export const mostExported = 10_000;

/** What becomes of a row of an imported file. */
export const rowStatuses = ['added', 'changed', 'same', 'wrong'] as const;
export type RowStatus = (typeof rowStatuses)[number];

export const isActiveLabel = text`Active`;
/** What there is to choose from where a record points to another; at most a thousand. */
export const nameOptions = z.array(z.object({ id: z.number(), name: z.string(), isActive: z.boolean() }));
export const mostOptions = 1000;
const sorted = z._default(z.string().check(z.maxLength(60)), '');
const states = ['', 'active', 'inactive'] as const;
const state = z._default(z.enum(states), '');

/** The first rows whose names match, and `chosenId` whether it is among them or not. */
export const optionsInput = {
  search: z._default(paging.search, ''),
  state,
  limit: z._default(id, mostOptions),
  chosenId: optionalId,
};
export type OptionsEndpoint = Endpoint<z.ZodMiniObject<typeof optionsInput>, typeof nameOptions, Access, 'GET'>;

/** Names that the list's own inputs have, and no field may. */
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

/** Makes a master of a definition: its schemas and its operations. Throws where the definition contradicts itself. */
export function defineMaster(definition: MasterGiven) {
  const { table, path, access, fields, labelFields = ['name'], isOrdered = false } = definition;
  const wrong =
    [...labelFields, ...(definition.key ?? []), ...(definition.fixedBy ? [definition.fixedBy] : [])].find(
      (name) => !Object.hasOwn(fields, name),
    ) ?? taken.find((name) => Object.hasOwn(fields, name));
  if (wrong) throw new Error(`The master ${table} cannot have or lacks the field ${wrong}.`);

  const draft = Object.fromEntries(enteredOf(definition).map(([name, field]) => [name, schemaOf(field)]));
  const isActive = z._default(z.boolean(), true).register(fieldInfo, { label: isActiveLabel, optional: true });
  const values = { ...draft, isActive };
  const filters = Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => (isFilter(field) ? [[name, filterOf(field)]] : [])),
  );
  const look = { search: paging.search, sort: sorted, state, ...filters };
  const row = z.looseObject({
    id: z.number(),
    version: z.number(),
    isActive: z.boolean(),
    displayName: z.string(),
    usedBy: z.number(),
    names: z.record(z.string(), z.string()),
  });
  const done = z.object({ id: z.number(), version: z.number() });
  const rowPath = `${path}/:id`;
  const known = { id, version: id };
  const changes = [wordOf(definition)];
  const shows = [
    ...new Set([
      wordOf(definition),
      ...refsOf(definition).map(([, { to }]) => wordOf(to === 'self' ? definition : to)),
    ]),
  ];

  const api = {
    /** Says in how many places a row is used, which any act may change: it has no `shows`. */
    list: endpoint({ method: 'GET', path, access, input: z.object({ ...paging, ...look }), output: pageOf(row) }),
    /** What to choose from, where another record points here: at most a thousand, those switched off marked. */
    options: endpoint({
      method: 'GET',
      path: `${path}/option`,
      access,
      shows,
      input: z.object(optionsInput),
      output: nameOptions,
    }),
    export: endpoint({
      method: 'GET',
      path: `${path}/export`,
      access,
      input: z.object({ ...look, as: z.enum(tableKinds) }),
      output: servedFile,
    }),
    history: historyOf(path, access, shows),
    create: endpoint({ method: 'POST', path, access, changes, input: z.object(values), output: done }),
    update: endpoint({
      method: 'PUT',
      path: rowPath,
      access,
      changes,
      input: z.object({ ...values, ...known }),
      output: done,
    }),
    remove: endpoint({
      method: 'DELETE',
      path: rowPath,
      access,
      changes,
      ...(definition.isRemovalReported && { isConfirmed: true, isReported: true }),
      input: z.object(known),
      output: z.object({}),
    }),
    /** Changes places with the row before or behind, or takes the place of the one that has this id. */
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
    /** Previews what becomes of every row of a file, and does it once that is confirmed. */
    import: endpoint({
      method: 'POST',
      path: `${path}/import`,
      access,
      changes,
      hasTable: true,
      mostBytes: importBytes * 2,
      input: z.object(importInput),
      output: importAnswer,
    }),
  };
  return { ...definition, labelFields, key: definition.key ?? labelFields, isOrdered, api };
}

/** A table's rows as CSV. */
export const importInput = { file: z.string().check(z.maxLength(importBytes)), confirmToken };

/** What becomes of one row of a file. */
export const importRow = z.object({
  line: z.number(),
  displayName: z.string(),
  status: z.enum(rowStatuses),
  messages: z.record(z.string(), anyText),
});
export type ImportRow = z.infer<typeof importRow>;
export const importCounts = z.object({ added: z.number(), changed: z.number(), same: z.number(), wrong: z.number() });

/** What becomes of a file, row by row. */
export const importAnswer = previewed({ rows: z.array(importRow), counts: importCounts });
/** An operation that imports the rows of a file. */
export type ImportEndpoint = Endpoint<z.ZodMiniObject<typeof importInput>, typeof importAnswer>;
export type ImportAnswer = z.infer<typeof importAnswer>;

export type Master = ReturnType<typeof defineMaster>;

/** Refuses what a unique index holds already. */
export const takenMessage = text`Already in use. Enter a different one.`;

/** Refuses to choose an entry that was deactivated. */
export const inactiveMessage = text`This entry is inactive. Choose another one.`;

/** Which fields a list can be narrowed by: nobody looks for a colour, or for what is not shown at first. */
export const isFilter = (field: MasterField): boolean => {
  if (field.kind === 'ref') return field.to !== 'self';
  if (field.isAside) return false;
  return field.kind === 'yesNo' || (field.kind === 'oneOf' && field.options !== colours);
};

/** The fields that point to other rows. */
export const refsOf = ({ fields }: Pick<Named, 'fields'>) =>
  Object.entries(fields).filter((entry): entry is [string, RefField] => entry[1].kind === 'ref');

/** The fields that somebody fills in. */
export const enteredOf = ({ fields }: Pick<Named, 'fields'>) =>
  Object.entries(fields).filter(([, { isReadOnly }]) => !isReadOnly);

/** Where a field of this master points to. */
export const targetOf = (master: Named, field: RefField): Named => (field.to === 'self' ? master : field.to);

/** A master as what other fields may point to. */
export const namedBy = ({ table, labelFields, fields, isOrdered, api }: Master): Named => ({
  table,
  labelFields,
  fields,
  isOrdered,
  options: api.options,
});

/** What a master's rows are called in `shows` and `changes`: its table without the feature's word. */
const wordOf = ({ table }: Pick<Named, 'table'>) => table.slice(table.indexOf('_') + 1).replaceAll('_', '-');

/** What stands in the fields of a new row. */
export const emptyValues = (master: Pick<Master, 'fields'>): Values => ({
  ...Object.fromEntries(
    enteredOf(master).map(([name, { kind }]) => [name, kind === 'yesNo' ? false : kind === 'ref' ? null : '']),
  ),
  isActive: true,
});

function schemaOf(field: MasterField) {
  const { label, optional = false } = field;
  switch (field.kind) {
    case 'text': {
      const shape = { like: field.like, unlike: field.message };
      return optional ? optionalFreeText(label, field.max, shape) : freeText(label, field.max, shape);
    }
    case 'longText':
      return optional ? optionalFreeText(label, field.max) : freeText(label, field.max);
    case 'number':
      return wholeNumber(label, field);
    case 'date':
      return calendarDay(label, optional);
    case 'yesNo':
      return z._default(z.boolean(), false).register(fieldInfo, { label, optional: true });
    case 'oneOf':
      return optional ? optionalOneOf(label, field.options) : oneOf(label, field.options);
    case 'someOf':
      return someOf(label, field.options);
    case 'ref':
      return optional ? chosenId(label) : neededId(label);
  }
}

function filterOf(field: MasterField) {
  if (field.kind === 'ref') return z._default(z.string().check(z.regex(/^[0-9]{0,9}$/)), '');
  const options = field.kind === 'oneOf' ? field.options : ['yes', 'no'];
  return z._default(z.enum(['', ...options]), '');
}
