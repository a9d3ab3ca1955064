import * as z from 'zod/mini';
import { type Access, type Endpoint, endpoint } from './endpoint.ts';
import type { FieldKind, Named, OptionsEndpoint } from './field.ts';
import { someIds, viewOperations } from './list-view.ts';
import { pageOf, paging } from './paging.ts';
import { type AnyRecord, type FieldPlace, placeOf } from './record.ts';
import { servedFile, type TableKind, tableKinds } from './served-file.ts';
import type { Text } from './text.ts';

/** A column of a list of records: a field of the record, or what else is known of it. A reference is shown by its name. */
export interface ListColumn {
  label: Text;
  /** Its head above the column, where the label is long. */
  head?: Text;
  kind: FieldKind | 'someText';
  options?: readonly string[];
  /** The field that it shows. */
  of?: FieldPlace;
  /** An export of the list leaves it out. */
  needsReason?: boolean;
  /** The list can be sorted by it; the server has an index for it. */
  isSorted?: boolean;
  /** Its words are the program's own, such as why a record waits, and are shown in the reader's language. */
  isSaid?: boolean;
  /** Hidden unless the user shows it. */
  isAside?: boolean;
  /** On a phone its label stands before each value, as before dates and numbers. */
  isLabelled?: boolean;
  /** On a phone: at the end of the first line, as a status, or not at all. Usually it is in the second line while there is room. */
  onPhone?: 'end' | 'away';
}

/** The value of a filter for all rows, where the page has a usual one: no row has this id. */
export const everyone = '0';

/** What a list can be filtered by: a word of a fixed list, which may be shown in other words, or a row of another table. */
export type ListFilter = { label: Text; of?: FieldPlace } & (
  | { kind: 'oneOf'; options: readonly string[]; words?: readonly Text[] }
  | {
      kind: 'ref';
      options: OptionsEndpoint;
      /** The filters whose values its options are asked with, under their names: sections of a chosen grade. */
      narrowedBy?: readonly string[];
    }
);

/** The filter of a field that points to another record. */
export const filterBy = ({ label, to }: { label: Text; to: { options: OptionsEndpoint } }) =>
  ({ kind: 'ref', label, options: to.options }) as const;

/** What the options of a filter are asked with, of the values that are set. */
export const givenTo = (
  filter: { narrowedBy?: readonly string[] },
  values: Readonly<Record<string, string | undefined>>,
) =>
  Object.fromEntries(
    (filter.narrowedBy ?? []).flatMap((name) => (Number(values[name]) > 0 ? [[name, values[name]]] : [])),
  );

type FilterOf<One> = One extends { kind: 'ref'; to: { options: infer Options extends OptionsEndpoint } }
  ? { kind: 'ref'; label: Text; options: Options; of: FieldPlace }
  : One extends { kind: 'oneOf'; options: infer Options extends readonly string[] }
    ? { kind: 'oneOf'; label: Text; options: Options; of: FieldPlace }
    : never;

/** Fields of a record as filters of a list, under their names: references, and words of a fixed list. */
export const filtersOf = <const Given extends AnyRecord, Name extends keyof Given['fields'] & string>(
  record: Given,
  ...names: Name[]
) =>
  Object.fromEntries(
    names.map((name) => {
      const { field, ...of } = placeOf(record, name);
      const options = field.kind === 'ref' ? (field.to as Named).options : (field as { options?: unknown }).options;
      return [name, { kind: field.kind, label: field.label, options, of: { ...of, field } }];
    }),
  ) as unknown as { [Each in Name]: FilterOf<Given['fields'][Each]> };

interface ListGiven<
  Columns extends Record<string, ListColumn>,
  Filters extends Record<string, ListFilter>,
  Tab extends string,
  Extra extends z.core.$ZodShape,
> {
  /** The list's name, under which its views are saved. */
  name: string;
  /** Below /api. */
  path: string;
  singular: Text;
  plural: Text;
  access: Access;
  /** The words of `Endpoint.shows`. */
  shows: readonly string[];
  /** The first column is the record's name. */
  columns: Columns;
  filters: Filters;
  /** Parts of the list with their counts; the first is shown at first. */
  tabs: Record<Tab, Text>;
  /** How the list is sorted at first: a sorted column, with `-` before it for descending; by default the first one. */
  sort?: string;
  /** How a tab is sorted at first, where it differs. */
  tabSorts?: Partial<Record<Tab, string>>;
  /** Users put the records in order: the list is in that order at first. */
  isOrdered?: boolean;
  /** While the list has its usual order, records with the same word in this field have a heading, which begins their names. */
  groupedBy?: string;
  /** An export has every column, whichever are shown. */
  exportsAll?: boolean;
  /** What a row has besides its id and its columns. */
  extra: Extra;
}

const { search, ...pages } = paging;

type FilterSchema = z.ZodMiniDefault<z.ZodMiniString<string>>;

/** The endpoint inputs that filter a list: search, tab ('' is the first), sort and the list's filters. */
const queryOf = <Filters extends Record<string, ListFilter>>(
  columns: Record<string, ListColumn>,
  filters: Filters,
  tabs: readonly string[],
) => ({
  search: z._default(search, ''),
  tab: z._default(z.enum(['', ...tabs]), ''),
  sort: z._default(z.enum(['', ...sortsOf(columns)]), ''),
  ...(Object.fromEntries(
    Object.entries(filters).map(([name, filter]) => [
      name,
      filter.kind === 'ref'
        ? z._default(z.string().check(z.regex(/^[0-9]{0,9}$/)), '')
        : z._default(z.enum(['', everyone, ...filter.options]), ''),
    ]),
  ) as { [Name in keyof Filters]: FilterSchema }),
});

/** The names of sorted columns, with `-` before them for descending order. */
const sortsOf = (columns: Record<string, ListColumn>) =>
  Object.keys(columns).flatMap((name) => (columns[name]?.isSorted ? [name, `-${name}`] : []));

const schemaOf = ({ kind }: ListColumn) => {
  if (kind === 'number' || kind === 'money' || kind === 'percent') return z.nullable(z.number());
  if (kind === 'yesNo') return z.boolean();
  return kind === 'someText' ? z.array(z.string()) : z.string();
};

type ValueOf<Column extends ListColumn> = Column['kind'] extends 'number' | 'money' | 'percent'
  ? z.ZodMiniNullable<z.ZodMiniNumber>
  : Column['kind'] extends 'yesNo'
    ? z.ZodMiniBoolean
    : Column['kind'] extends 'someText'
      ? z.ZodMiniArray<z.ZodMiniString>
      : z.ZodMiniString;

/** A list of records with its operations: page, counts of the tabs, export, and saved views. */
export function defineList<
  const Columns extends Record<string, ListColumn>,
  const Filters extends Record<string, ListFilter>,
  const Tab extends string,
  Extra extends z.core.$ZodShape,
>(given: ListGiven<Columns, Filters, Tab, Extra>) {
  const { name, path, access, shows, columns, filters, tabs, extra } = given;
  const query = queryOf(columns, filters, Object.keys(tabs));
  const values = Object.fromEntries(Object.entries(columns).map(([column, how]) => [column, schemaOf(how)])) as {
    [Name in keyof Columns]: ValueOf<Columns[Name]>;
  };
  const row = z.object({ id: z.number(), ...values, ...extra });
  const api = {
    list: endpoint({
      method: 'GET',
      path,
      access,
      shows,
      input: z.object({ ...pages, ...query }),
      output: pageOf(row),
    }),
    /** The number of records in each tab under the current filters; exact up to a thousand. */
    counts: endpoint({
      method: 'GET',
      path: `${path}/count`,
      access,
      shows,
      input: z.object(query),
      output: z.record(z.string(), z.object({ total: z.number(), isMore: z.boolean() })),
    }),
    /** The filtered records, or the selected ones whatever the filters are, with the columns in this order. */
    export: endpoint({
      method: 'GET',
      path: `${path}/export`,
      access,
      input: z.object({
        ...query,
        as: z.enum(tableKinds),
        /** Column names joined by commas; all by default. Unknown ones are ignored. */
        columns: z._default(z.string().check(z.maxLength(1000)), ''),
        ids: someIds,
      }),
      output: servedFile,
    }),
    ...viewOperations(name, path, access),
  };
  return { ...given, query, row, api };
}

/** The sort of a list, in a tab, whose address names none. */
export const usualSort = (
  { sort, tabSorts, columns }: Pick<RecordListDefinition, 'sort' | 'tabSorts' | 'columns'>,
  tab = '',
): string => tabSorts?.[tab] ?? sort ?? Object.keys(columns)[0] ?? '';

/** A row of any list. */
export interface ListRow {
  id: number;
  [name: string]: unknown;
}

/** What filters and sorts any list: search, tab, sort and the values of its filters. */
export interface ListQuery {
  search: string;
  tab: string;
  sort: string;
  [filter: string]: string;
}

type Reads<Input extends object, Output extends z.ZodMiniType> = Endpoint<z.ZodMiniType<Input>, Output, Access, 'GET'>;
type AnyApi = ReturnType<typeof defineList>['api'];

/** A list's operations, whatever its columns and filters are. A list without tabs is not asked for counts. */
export type ListOperations = Pick<AnyApi, 'views' | 'saveView' | 'removeView'> & {
  list: Reads<
    ListQuery & { after: string; before: string; countsAll: '' | 'yes' },
    z.ZodMiniType<Omit<z.output<AnyApi['list']['output']>, 'rows'> & { rows: ListRow[] }>
  >;
  counts: Reads<ListQuery, AnyApi['counts']['output']>;
  export: Reads<ListQuery & { as: TableKind; columns: string; ids: string }, typeof servedFile>;
};

/** A list as the kit's components and routes take it, whatever its columns and filters are. */
export interface RecordListDefinition
  extends Omit<ListGiven<Record<string, ListColumn>, Record<string, ListFilter>, string, z.core.$ZodShape>, 'extra'> {
  query: Readonly<Record<string, z.ZodMiniType<string>>>;
  row: z.ZodMiniType<ListRow>;
  api: ListOperations;
}
