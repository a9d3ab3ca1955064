import type { Random } from '../../src/kit/server/random.ts';
import { longTexts } from '../long-values.ts';

const nested = (depth: number, open: string, close: string) => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Values in JSON, most of them invalid for any field. */
const jsonValues = [
  'null',
  'true',
  '0',
  '-1',
  '1e309',
  '-1e309',
  'NaN',
  'Infinity',
  '9007199254740993',
  '99999999999999999999999999',
  '2147483648',
  '-4294967297',
  '1.5',
  '-0',
  '""',
  '" "',
  '"a"',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udfff\\ud800"',
  '"\\u202e\\u200f"',
  '"\\ufeff"',
  '"2026-02-30"',
  '"0000-00-00"',
  '"12026-01-01"',
  '"true"',
  '"NaN"',
  '"[object Object]"',
  '"../../etc/passwd"',
  '"\'; drop table file; --"',
  '[]',
  '[1]',
  '["a",["b"]]',
  '{}',
  '{"a":1}',
  '{"toString":1,"valueOf":2}',
  '{"toString":null}',
  '{"then":1}',
  '{"length":-1}',
];

/** A JSON text for one field. */
export function badJson(random: Random): string {
  if (random.isOnceIn(12)) return JSON.stringify('x'.repeat(10 ** (1 + random.upTo(5))));
  if (random.isOnceIn(20)) return JSON.stringify(`a${'\u0301'.repeat(200 + random.upTo(2000))}`);
  if (random.isOnceIn(40)) return JSON.stringify(random.oneOf(longTexts)[1](30_000));
  if (random.isOnceIn(20)) return nested(1 + random.upTo(14), '[', ']');
  if (random.isOnceIn(40)) return nested(5000, '{"a":', '}');
  if (random.isOnceIn(10)) return JSON.stringify(String.fromCharCode(random.upTo(65_536), random.upTo(65_536)));
  return random.oneOf(jsonValues);
}

/** The same as plain text, for forms, queries and paths. */
export function badText(random: Random): string {
  const json = badJson(random);
  if (!json.startsWith('"')) return json;
  return JSON.parse(json) as string;
}

/** Names that no field has, some with a special meaning in JavaScript. */
export const badNames = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  '',
  ' ',
  'a[b]',
  'a.b',
  'a[]',
  '\u0000',
  'x'.repeat(300),
  'inquiryNo',
  'inquiryNoMD5',
  'admissionID',
  'id',
  'createdBy',
  'isFormSubmitted',
] as const;
