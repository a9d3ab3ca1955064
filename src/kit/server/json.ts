import { AppError } from '#kit/contract/errors.ts';

const deepest = 10;
const malformed = (why: string) => new AppError('malformed', `This request cannot be read: ${why}.`);

/**
 * Parses a JSON body more strictly than JSON.parse: no name twice in one object (the last would win in silence), no
 * `__proto__`, and no deeper than 10 levels. Throws `malformed`.
 */
export function parseJson(source: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    throw malformed('it is not JSON');
  }
  inspectNames(source);
  return value;
}

/** Walks the tokens of JSON that is known to be well formed. */
function inspectNames(source: string) {
  const open: (Set<string> | 'array')[] = [];
  for (const [token] of source.matchAll(/"(?:[^"\\]|\\.)*"?\s*:?|[{}[\]]/gs)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push('array');
    else if (token === '}' || token === ']') open.pop();
    else if (token.endsWith(':')) claim(open.at(-1), JSON.parse(token.slice(0, -1)));
    if (open.length > deepest) throw malformed('it is nested too deeply');
  }
}

function claim(names: Set<string> | 'array' | undefined, name: string) {
  if (!(names instanceof Set)) return;
  if (name === '__proto__') throw malformed('it names __proto__');
  if (names.has(name)) throw malformed(`${name.slice(0, 40)} comes twice`);
  names.add(name);
}
