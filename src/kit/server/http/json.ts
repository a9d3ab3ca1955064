import { malformed } from '#kit/contract/errors.ts';

const deepest = 10;
/** Of one object. No form has this many questions, and each name is costly to process. */
const mostNames = 500;
/** Characters outside strings. A list of 2,000 changes has 80,000; an imported file is one string. */
const mostOutside = 128 * 1024;
const unreadable = (why: string) => malformed(`This request can’t be read: ${why}.`);

/**
 * Parses a JSON body more strictly than JSON.parse: no duplicate names, no `__proto__`, at most 10 levels and 500 names
 * in one object, and few characters outside strings. Throws `malformed`.
 */
export function parseJson(source: string): unknown {
  // Checked before parsing: a million small values are quickly sent, and would block the process.
  if (source.length > mostOutside && outsideTexts(source) > mostOutside) throw unreadable('it holds too many values');
  let value: unknown;
  try {
    value = JSON.parse(source);
  } catch {
    throw unreadable('it is not JSON');
  }
  inspectNames(source);
  return value;
}

/** The number of characters outside strings, quotes included; stops counting beyond the limit. */
function outsideTexts(source: string): number {
  let count = 0;
  for (let at = 0; at < source.length && count <= mostOutside; ) {
    const start = source.indexOf('"', at);
    if (start < 0) return count + source.length - at;
    count += start - at + 2;
    at = endOfText(source, start + 1);
  }
  return count;
}

/** The position after a string's closing quote: the first quote after an even number of backslashes. */
function endOfText(source: string, from: number): number {
  for (let quote = source.indexOf('"', from); quote >= 0; quote = source.indexOf('"', quote + 1)) {
    let slashes = 0;
    while (source[quote - 1 - slashes] === '\\') slashes++;
    if (slashes % 2 === 0) return quote + 1;
  }
  return source.length;
}

/** Walks the tokens of valid JSON. Skips texts by their end: an expression over a long one takes ten times as long. */
function inspectNames(source: string) {
  const open: (Set<string> | 'array')[] = [];
  const [mark, colon] = [/["{}[\]]/g, /\s*:/y];
  for (let found = mark.exec(source); found; found = mark.exec(source)) {
    const [token] = found;
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push('array');
    else if (token !== '"') open.pop();
    else {
      mark.lastIndex = colon.lastIndex = endOfText(source, found.index + 1);
      if (colon.test(source)) claim(open.at(-1), JSON.parse(source.slice(found.index, mark.lastIndex)));
    }
    if (open.length > deepest) throw unreadable('it is nested too deeply');
  }
}

function claim(names: Set<string> | 'array' | undefined, name: string) {
  if (!(names instanceof Set)) return;
  if (name === '__proto__') throw unreadable('it names __proto__');
  if (names.has(name)) throw unreadable(`${name.slice(0, 40)} comes twice`);
  if (names.size >= mostNames) throw unreadable('it has too many names');
  names.add(name);
}
