import type * as z from 'zod/mini';
import { type Endpoint, linkNameOf } from '#kit/contract/endpoint.ts';
import { fieldInfo } from '#kit/contract/fields.ts';
import { servedFile } from '#kit/contract/served-file.ts';
import type { Sent } from './exchange.ts';

type Schema = z.ZodMiniType;

/** The parts of a zod schema that are used here. */
interface Def {
  type: string;
  shape?: Record<string, Schema>;
  element?: Schema;
  innerType?: Schema;
  in?: Schema;
  out?: Schema;
  options?: Schema[];
  entries?: Record<string, unknown>;
  values?: unknown[];
  keyType?: Schema;
  valueType?: Schema;
}
const defOf = (schema: Schema) => schema.def as unknown as Def;

/** Values that some field accepts, the longest first. */
export const candidates = [
  '7f6d1a52-3c1e-4a86-9d43-0f5f3f3c7a11',
  'asha@example.in',
  '2026-2027',
  '2016-05-04',
  '08:30',
  '2026-06-01T08:30',
  '9825012345',
  'Teak-Bridge-48',
  'GJ01AB1234',
  'school@bank',
  '{seq:5}',
  '2026-05',
  '395007',
  '1234',
  'A1B2C',
  'Asha',
  'C',
  '1',
  'up',
  1,
  60,
  true,
  false,
  '',
  null,
  undefined,
];

/** A place in an operation's input that holds a value. */
export interface InputField {
  /** As `bands.0.grade`. */
  path: string;
  schema: Schema;
  kind: 'leaf' | 'list' | 'names';
  /** A valid value for it. */
  sample: unknown;
  /** The whole input with another value in this place. */
  put: (value: unknown) => Record<string, unknown>;
}

/** A value that the schema accepts, judged by its fields alone. Throws where none is found. */
export function sampleOf(schema: Schema): unknown {
  const inner = withoutWrappers(schema);
  const { type, shape, element, keyType, valueType } = defOf(inner);
  if (type === 'object')
    return Object.fromEntries(Object.entries(shape ?? {}).map(([name, field]) => [name, sampleOf(field)]));
  if (type === 'array' && element) return [sampleOf(element)];
  if (type === 'record' && keyType && valueType) {
    const { entries } = defOf(keyType);
    const word = keyType.safeParse('word').success ? 'word' : sampleOf(keyType);
    const names = (entries ? Object.values(entries) : [word]) as string[];
    return Object.fromEntries(names.map((name) => [name, sampleOf(valueType)]));
  }
  const found = [...wordsOf(schema), ...candidates].find((value) => schema.safeParse(value).success);
  if (found === undefined && !schema.safeParse(undefined).success)
    throw new Error(`No sample is known for a field of the type ${type}.`);
  return found;
}

/** The least that a schema accepts by its fields alone: absent or empty where it may be. */
export function leastOf(schema: Schema): unknown {
  const empty = [undefined, null, '', 1, '1'].find((value) => schema.safeParse(value).success);
  if (empty !== undefined || schema.safeParse(undefined).success) return empty;
  const inner = withoutWrappers(schema);
  const { type, shape, element } = defOf(inner);
  if (type === 'object')
    return Object.fromEntries(
      Object.entries(shape ?? {}).flatMap(([name, field]) => {
        const value = leastOf(field);
        return value === undefined ? [] : [[name, value]];
      }),
    );
  if (schema.safeParse([]).success) return [];
  return type === 'array' && element ? [leastOf(element)] : sampleOf(schema);
}

/**
 * Every place of an input: each field, also within lists and objects, each list, and each object with arbitrary names.
 */
export function placesOf(schema: Schema): InputField[] {
  const whole = sampleOf(schema);
  const walk = (schema: Schema, sample: unknown, path: string[]): InputField[] => {
    const inner = withoutWrappers(schema);
    const { type, shape, element, valueType } = defOf(inner);
    const put = (value: unknown) => putAt(whole, path, value) as Record<string, unknown>;
    const place = (kind: InputField['kind']): InputField => ({ path: path.join('.'), schema, kind, sample, put });
    if (type === 'object') {
      const fields = Object.entries(shape ?? {}).flatMap(([name, field]) =>
        walk(field, (sample as Record<string, unknown>)[name], [...path, name]),
      );
      return [place('names'), ...fields];
    }
    if (type === 'array' && element) return [place('list'), ...walk(element, (sample as unknown[])[0], [...path, '0'])];
    if (type === 'record' && valueType) {
      const [[name, value] = ['word', undefined]] = Object.entries(sample as object);
      return [place('names'), ...walk(valueType, value, [...path, name])];
    }
    return [place('leaf')];
  };
  return walk(schema, whole, []);
}

/** The options of a field, where it has a fixed list. */
export function wordsOf(schema: Schema): readonly unknown[] {
  const { options, entries, values, innerType } = defOf(schema);
  const known = fieldInfo.get(schema)?.options ?? values ?? (entries && Object.values(entries));
  if (known) return known.filter((word) => word !== '');
  if (innerType) return wordsOf(innerType);
  return (options ?? []).flatMap(wordsOf);
}

/** The names of the texts and files in what a schema describes, such as `rows.name`. */
export function textsIn(schema: Schema, name = ''): string[] {
  if (schema === servedFile) return [name];
  const def = defOf(schema);
  if (['string', 'any', 'unknown', 'custom'].includes(def.type)) return [name];
  const parts = [def.element, def.innerType, def.in, def.out, def.valueType, ...(def.options ?? [])];
  const inner = Object.entries(def.shape ?? {}).flatMap(([part, field]) =>
    textsIn(field, name ? `${name}.${part}` : part),
  );
  return [...inner, ...parts.flatMap((part) => (part ? textsIn(part, name) : []))];
}

/** The schema inside optional, nullable and default, and inside a list with a length check. */
function withoutWrappers(schema: Schema): Schema {
  const { type, innerType, out } = defOf(schema);
  if (innerType) return withoutWrappers(innerType);
  if (type === 'pipe' && out && ['array', 'object'].includes(defOf(out).type)) return withoutWrappers(out);
  return schema;
}

function putAt(whole: unknown, [name, ...rest]: string[], value: unknown): unknown {
  if (name === undefined) return value;
  const inner = putAt((whole as Record<string, unknown>)[name], rest, value);
  return Array.isArray(whole)
    ? whole.map((item, index) => (String(index) === name ? inner : item))
    : { ...(whole as object), [name]: inner };
}

/** A request with an input as the operation expects it: in the path, and in the query, the body or as parts. */
export function requestOf({ method, path, files, access }: Endpoint, input: Record<string, unknown>, link = ''): Sent {
  const rest = { ...input };
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = textOf(rest[name]);
    delete rest[name];
    return encodeURIComponent(value.toWellFormed());
  });
  const query = new URLSearchParams();
  if (method === 'GET') for (const [name, value] of Object.entries(rest)) query.set(name, textOf(value).toWellFormed());
  // The link's name in the query is also a name of the form's own inputs.
  if (link) query.set(linkNameOf(access) ?? '', link);
  const url = `/api${filled}?${query}`;
  if (method === 'GET') return { method, url };
  if (!files) return { method, url, body: rest };
  const body = new FormData();
  for (const [name, value] of Object.entries(rest)) if (value !== undefined) body.append(name, textOf(value));
  return { method, url, body };
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
