import { malformed } from '#kit/contract/errors.ts';
import type { RawBody } from '#kit/server/context.ts';
import { parseJson } from './json.ts';

/** The names and values of a body that another program sent, as a form or as JSON; throws `malformed`. */
export function readRaw({ bytes, isForm }: RawBody = { bytes: new Uint8Array(), isForm: true }): unknown {
  const words = Buffer.from(bytes).toString('utf8');
  if (!isForm) return words === '' ? {} : parseJson(words);
  const pairs = [...new URLSearchParams(words)];
  if (new Set(pairs.map(([name]) => name)).size < pairs.length) throw malformed('A name comes twice.');
  return Object.fromEntries(pairs);
}
