import type * as z from 'zod/mini';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { allMasters } from '../src/app/features.server.ts';
import { candidates, type InputField, placesOf } from './inputs.ts';
import { isSoak } from './soak.ts';
import { wrongValues } from './wrong-values.ts';

type Schema = z.ZodMiniType;

/** What differs between two fields of one builder: their words, which no rule reads. */
const words = ['params', 'error', 'message', 'entries', 'shape', 'when'];

/** Values by which fields of one builder with other limits or patterns differ. */
const probes = [...candidates, ...wrongValues, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, String(2 ** 31), '1e12'];

const rules = new WeakMap<object, number>();
let ruleCount = 0;

/** The number of a rule across fields: all of them are built by the same function, and each is a kind of its own. */
function ruleNumber(check: object): number {
  const number = rules.get(check) ?? ++ruleCount;
  rules.set(check, number);
  return number;
}

interface Internals {
  _zod: { def: Record<string, unknown>; check?: unknown };
}

/** How a schema is built, without the words of its field. */
function buildOf(value: unknown): unknown {
  if (typeof value === 'function' || value instanceof RegExp) return String(value);
  if (Array.isArray(value)) return value.map(buildOf);
  if (typeof value !== 'object' || value === null) return value;
  if (!('_zod' in value)) return buildOf(Object.entries(value));
  const { def, check } = (value as Internals)._zod;
  if (def.when) return ['rule', ruleNumber(value)];
  const parts = Object.entries(def).filter(([name]) => !words.includes(name));
  return [...buildOfEach(parts), ...(def.check ? [String(check)] : [])];
}
const buildOfEach = (parts: [string, unknown][]) => parts.map(([name, part]) => [name, buildOf(part)]);

const kinds = new WeakMap<Schema, string>();

/** The same for fields of one builder that have the same pattern and limits, and other for any others. */
function kindOf(schema: Schema): string {
  const known = kinds.get(schema);
  if (known !== undefined) return known;
  const taken = probes.map((value) => (schema.safeParse(value).success ? 1 : 0)).join('');
  const kind = JSON.stringify([buildOf(schema), taken]);
  kinds.set(schema, kind);
  return kind;
}

const hasRules = ({ input }: Endpoint) => ((input.def as { checks?: unknown[] }).checks ?? []).length > 0;

/** A place, and whether it is the first of its kind. */
export interface PlaceOfKind extends InputField {
  isFirst: boolean;
}

/**
 * Operations with the places of their input to test: every place where a rule reads across fields, and of all others
 * the first of each kind, since a field by itself behaves the same in every operation. Soak tests all places.
 */
export function placesOfEachKind(
  endpoints: readonly Endpoint[],
): [name: string, endpoint: Endpoint, places: PlaceOfKind[]][] {
  const met = new Set<string>();
  const isNew = ({ kind, schema }: InputField) => {
    const made = `${kind} ${kindOf(schema)}`;
    const isFirst = !met.has(made);
    met.add(made);
    return isFirst;
  };
  return endpoints.flatMap((endpoint) => {
    const all = placesOf(endpoint.input).map((place) => ({ ...place, isFirst: isNew(place) }));
    const places = isSoak || hasRules(endpoint) ? all : all.filter(({ isFirst }) => isFirst);
    return places.length > 0 ? [[`${endpoint.method} ${endpoint.path}`, endpoint, places] as const] : [];
  }) as [string, Endpoint, PlaceOfKind[]][];
}

const operations = new Map<Endpoint, string>(
  allMasters.flatMap(({ api }) =>
    Object.entries(api).map(([name, operation]): [Endpoint, string] => [operation as Endpoint, `${name} of a master`]),
  ),
);

/** What an operation is of: those of masters are served by the same code, every other has its own handler. */
export const handlerOf = (endpoint: Endpoint): string =>
  operations.get(endpoint) ?? `${endpoint.method} ${endpoint.path}`;

/** What an operation asks of a caller: nothing, a link of a kind, or a session, whatever its grants. */
export const proofOf = ({ access }: Pick<Endpoint, 'access'>): unknown => (Array.isArray(access) ? 'session' : access);

/** How callers of an operation are known: without a session, by a link, or as which roles, some of them with a set. */
export const callersOf = ({ access }: Endpoint): unknown =>
  Array.isArray(access) ? access.map(({ role, sets }) => [role, sets.length > 0]) : access;
