import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Grant } from '#kit/contract/endpoint.ts';
import type { Fields } from '#kit/contract/field.ts';
import type { FieldPlace } from '#kit/contract/record.ts';
import { columnIn, sent, stored } from '#kit/server/database/row-map.ts';
import { nameOf, orderOf } from '#kit/server/master/sql.ts';

/** The names of those columns or filters that show a field of a record. */
export type FieldNames<Some> = {
  [Name in keyof Some]: Some[Name] extends { of: FieldPlace } ? Name : never;
}[keyof Some];

/** The table of a record in a query. */
export interface FieldSource {
  alias: string;
  /** The condition of the rows of which the user reads the fields of a group with readers of its own. */
  sees?: (readers: readonly Grant[]) => Expression<SqlBool>;
}

/** The fields that some columns or filters show. */
export const placesIn = (some: Readonly<Record<string, { of?: FieldPlace }>>): [name: string, FieldPlace][] =>
  Object.entries(some).flatMap(([name, { of }]): [string, FieldPlace][] => (of ? [[name, of]] : []));

const only = ({ name, field }: FieldPlace): Fields => ({ [name]: field });
const columnRef = ({ name, field }: FieldPlace, alias: string) => sql.ref(`${alias}.${columnIn(name, field)}`);

/** What a column shows, as SQL: of a reference its name; null where the user does not read it. */
export function selectOf(place: FieldPlace, { alias, sees }: FieldSource): RawBuilder<unknown> {
  const { name, field, read } = place;
  const value = field.kind === 'ref' ? nameOf({ fields: only(place) }, name, field, alias) : columnRef(place, alias);
  return read && sees ? sql`case when ${sees(read)} then ${value} end` : value;
}

/** The selected value of a column in the form of the wire. */
export function shownOf({ field }: FieldPlace, value: unknown): unknown {
  if (field.kind === 'ref') return value ?? '';
  return field.kind === 'someOf' && value === null ? '' : sent(field, value);
}

/** Whether a row passes a filter by a field; none does whose field the user does not read. */
export function passes(place: FieldPlace, { alias, sees }: FieldSource, value: string): Expression<SqlBool> {
  const { field, read } = place;
  const isSame = sql<boolean>`${columnRef(place, alias)} = ${field.kind === 'ref' ? Number(value) : stored(field, value)}`;
  return read && sees ? sql<boolean>`(${sees(read)} and ${isSame})` : isSame;
}

/** The sort key of a column, for which the database needs an index. */
export const sortOf = (place: FieldPlace, { alias }: FieldSource) =>
  orderOf({ fields: only(place) }, place.name, alias);
