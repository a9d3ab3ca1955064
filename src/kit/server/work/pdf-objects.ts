import { inflateSync } from 'node:zlib';
import { type Parsed, parseValues, type Value } from './pdf-tokens.ts';

/** Names of entries that run programs or scripts, embed or fetch files, or send form data. */
const activeNames = new Set([
  'JavaScript',
  'JS',
  'Launch',
  'EmbeddedFile',
  'EmbeddedFiles',
  'FileAttachment',
  'RichMedia',
  'XFA',
  'SubmitForm',
  'ImportData',
  'GoToR',
  'GoToE',
  'GoToDp',
]);
/** Actions and annotations that play media, which may be external. */
const activeKinds = new Set(['Movie', 'Sound', 'Rendition', 'Screen', 'Thread', '3D']);
/** Address schemes a user may choose to open. Nothing else, such as a file or a network share. */
const allowedAddress = /^(https?:\/\/|mailto:|tel:|www\.|[\w.+-]+@[\w.-]+$|$)/i;

const mostInflated = 4 * 1024 * 1024;
const mostInflatedInAll = 8 * 1024 * 1024;
const mostDepth = 200;

/** 'locked' and 'opaque' are encrypted: harmless as far as it is readable, and not readable enough. */
type Finding = 'active' | 'unclear' | 'locked' | 'opaque';

/** A parsed object, and its number where it has one. */
interface Found extends Parsed {
  number: number | undefined;
}

class Unclear extends Error {}

/**
 * Looks for active content in a PDF: 'active', 'unclear' when an object cannot be decided, undefined when harmless. Names
 * stay readable in an encrypted file, except in its object streams; its texts, such as addresses, do not.
 * Parses every object a viewer could find: after each `obj` or `trailer` in the bytes, and in object streams.
 */
export function findActive(bytes: Buffer): Finding | undefined {
  try {
    const objects = readObjects(bytes);
    const has = (isWanted: (name: string) => boolean) => objects.some(({ names }) => [...names].some(isWanted));
    if (has((name) => activeNames.has(name))) return 'active';
    const numbered = Map.groupBy(objects, ({ number }) => number);
    const lookUp = (number: number) => numbered.get(number)?.flatMap(({ values }) => values) ?? [];
    const dicts = objects.flatMap(({ values }) => [...dictsOf(values)]);
    const isFound = dicts.some((dict) => isActive(dict, lookUp));
    if (!has((name) => name === 'Encrypt')) return isFound ? 'active' : undefined;
    return isFound || dicts.some(isObjectStream) ? 'opaque' : 'locked';
  } catch (error) {
    if (error instanceof Unclear) return bytes.includes('/Encrypt') ? 'opaque' : 'unclear';
    throw error;
  }
}

function readObjects(bytes: Buffer): Found[] {
  const found: Found[] = [];
  // Nested objects are parsed several times; a file that consists of them is not worth it.
  let left = 4 * (bytes.length + mostInflatedInAll);
  let inflated = mostInflatedInAll;
  const parse = (from: Buffer, at: number, number: number | undefined, isOne = false) => {
    const parsed = { ...parseValues(from, at, isOne), number };
    left -= parsed.end - at;
    if (left < 0) throw new Unclear();
    found.push(parsed);
    return parsed;
  };

  for (const at of placesOf(bytes, 'trailer')) parse(bytes, at + 'trailer'.length, undefined);
  for (const at of placesOf(bytes, 'obj')) {
    if (!isKeyword(bytes, at, 'obj')) continue;
    const number = numberBefore(bytes, at);
    const object = parse(bytes, at + 'obj'.length, number);
    // Three letters within picture bytes are no object, and random bytes follow them.
    if (object.isMalformed && number !== undefined) throw new Unclear();
    if (object.endedBy !== 'stream') continue;
    for (const dict of object.values) {
      if (dict.kind !== 'dict' || !isObjectStream(dict)) continue;
      const content = contentOf(bytes, object.end, dict, Math.min(mostInflated, inflated));
      inflated -= content.length;
      // Viewers find objects by their offsets, which may overlap or be in any order.
      parse(content, 0, undefined).values = [];
      for (const { number, place } of placesIn(content, dict)) {
        if (parse(content, place, number, true).isMalformed) throw new Unclear();
      }
    }
  }
  return found;
}

function* placesOf(bytes: Buffer, word: string) {
  for (let at = bytes.indexOf(word); at >= 0; at = bytes.indexOf(word, at + 1)) yield at;
}

/** Whether a keyword stands alone, not within another word, though a number may touch it. */
function isKeyword(bytes: Buffer, at: number, word: string): boolean {
  const around = [bytes[at - 1], bytes[at + word.length]];
  return around.every((byte) => byte === undefined || !/[A-Za-z_]/.test(String.fromCharCode(byte)));
}

const beforeObject =
  /([\d+.-]+)(?:[\0\t\n\f\r \x80\xff]|%[^\r\n]*[\r\n])+[\d+.-]+(?:[\0\t\n\f\r \x80\xff]|%[^\r\n]*[\r\n])*$/;
/** The end of the spaces or the comment before a position, including the generation number. */
const longBeforeObject =
  /(?:^[\0\t\n\f\r \x80\xff]*|(?:^|%)[^\r\n]*[\r\n][\0\t\n\f\r \x80\xff]*)(?:[\d+.-]+[\0\t\n\f\r \x80\xff]*)?$/;
const furthestBefore = 100;

/**
 * The number of the object that a keyword begins, written before it with its generation; comments may stand between.
 * Undefined for a keyword that begins none.
 */
function numberBefore(bytes: Buffer, at: number): number | undefined {
  const before = bytes.toString('latin1', Math.max(0, at - furthestBefore), at);
  const found = beforeObject.exec(before);
  const isCut = before.length === furthestBefore && (found ? found.index === 0 : longBeforeObject.test(before));
  if (isCut || (found && !/^\d+$/.test(found[1] ?? ''))) throw new Unclear();
  return found ? Number(found[1]) : undefined;
}

type Dict = Extract<Value, { kind: 'dict' }>;
const allOf = ({ entries }: Dict, ...keys: string[]) =>
  entries.flatMap(([key, value]) => (keys.includes(key) ? [value] : []));
const isName = (value: Value | undefined, ...names: string[]) => value?.kind === 'name' && names.includes(value.text);

/** By its name, or by the entries that viewers need. */
const isObjectStream = (dict: Dict) =>
  allOf(dict, 'Type').some((type) => isName(type, 'ObjStm')) ||
  (allOf(dict, 'N').length > 0 && allOf(dict, 'First').length > 0);

/** The content of an object stream. Only deflated or uncompressed ones are supported; others hardly occur. */
function contentOf(bytes: Buffer, end: number, dict: Dict, most: number): Buffer {
  const start = bytes[end] === 13 && bytes[end + 1] === 10 ? end + 2 : bytes[end] === 10 ? end + 1 : undefined;
  const filters = allOf(dict, 'Filter', 'F').flatMap((value) => (value.kind === 'array' ? value.items : [value]));
  const [filter, another] = filters;
  if (start === undefined || another || allOf(dict, 'DecodeParms', 'DP', 'FFilter').length > 0) throw new Unclear();
  if (!filter) return bytes.subarray(start, start + most);
  if (!isName(filter, 'FlateDecode', 'Fl')) throw new Unclear();
  try {
    return inflateSync(bytes.subarray(start), { maxOutputLength: Math.max(most, 1) });
  } catch {
    throw new Unclear();
  }
}

/** The objects of an object stream, which starts with the number and the offset of each. */
function placesIn(content: Buffer, dict: Dict) {
  const [count, another] = allOf(dict, 'N').map(wholeOf);
  const [first, second] = allOf(dict, 'First').map(wholeOf);
  if (count === undefined || first === undefined || another !== undefined || second !== undefined) throw new Unclear();
  const head = parseValues(content.subarray(0, first), 0).values;
  const skipped = count > 0 ? wholeOf(head[1]) : 0;
  return Array.from({ length: Math.min(count, content.length) }, (_, index) => {
    const [number, place] = [wholeOf(head[2 * index]), wholeOf(head[2 * index + 1])];
    if (place < skipped || first + place >= content.length) throw new Unclear();
    // Some viewers read the first object at the start of the objects, whatever its offset, and shift the others.
    return [...new Set([place, place - skipped])].map((offset) => ({ number, place: first + offset }));
  }).flat();
}

/** A number used as a count; viewers differ on others, such as 4.7. */
function wholeOf(value: Value | undefined): number {
  if (value?.kind !== 'number' || !Number.isInteger(value.number) || value.number < 0) throw new Unclear();
  return value.number;
}

/** Every dictionary in these values, at any depth. */
function* dictsOf(values: Value[], depth = 0): Generator<Dict> {
  if (depth > mostDepth) throw new Unclear();
  for (const value of values) {
    if (value.kind === 'array') yield* dictsOf(value.items, depth + 1);
    if (value.kind !== 'dict') continue;
    yield value;
    for (const [, inside] of value.entries) yield* dictsOf([inside], depth + 1);
  }
}

type LookUp = (number: number) => Value[];

function isActive(dict: Dict, lookUp: LookUp): boolean {
  const valuesOf = (...keys: string[]) => resolved(allOf(dict, ...keys), lookUp);
  if (valuesOf('S', 'Subtype').some((kind) => isName(kind, ...activeKinds))) return true;
  // A file specification with an embedded file, and a stream whose data is in another file.
  const isFile = (files: Value) => files.kind === 'dict' && allOf(files, 'F', 'UF', 'Unix', 'Mac', 'DOS').length > 0;
  if (valuesOf('EF').some(isFile)) return true;
  if (allOf(dict, 'Length').length > 0 && valuesOf('F').some(({ kind }) => kind === 'text' || kind === 'dict'))
    return true;
  if (valuesOf('URI').some((address) => !isAllowedAddress(address, lookUp))) return true;
  const triggers = [
    ...allOf(dict, 'OpenAction'),
    ...valuesOf('AA').flatMap((acts) => (acts.kind === 'dict' ? acts.entries.map(([, act]) => act) : [acts])),
  ];
  return triggers.some((act) => !isHarmlessByItself(act, lookUp));
}

/** Values with every object that their references may mean. */
function resolved(values: Value[], lookUp: LookUp, depth = 0): Value[] {
  if (depth > mostDepth) throw new Unclear();
  return values.flatMap((value) =>
    value.kind === 'ref' ? resolved(lookUp(value.number), lookUp, depth + 1) : [value],
  );
}

function isAllowedAddress(value: Value, lookUp: LookUp): boolean {
  // The catalogue's URI dictionary has the base of relative addresses.
  if (value.kind === 'dict')
    return resolved(allOf(value, 'Base'), lookUp).every((base) => isAllowedAddress(base, lookUp));
  return value.kind === 'text' && allowedAddress.test(plainText(value.text).trimStart());
}

const plainText = (text: string) =>
  text.startsWith('\xfe\xff')
    ? Buffer.from(text.slice(2, 2 + ((text.length - 2) & ~1)), 'latin1')
        .swap16()
        .toString('utf16le')
    : text.replace(/^\xef\xbb\xbf/, '');

/** Whether an automatic action, such as on opening the file, only turns to a page. */
function isHarmlessByItself(act: Value, lookUp: LookUp, depth = 0): boolean {
  if (depth > mostDepth) throw new Unclear();
  return resolved([act], lookUp).every((value) => {
    if (value.kind !== 'dict') return value.kind !== 'array' || value.items.every(({ kind }) => kind !== 'dict');
    const kinds = resolved(allOf(value, 'S'), lookUp);
    const next = resolved(allOf(value, 'Next'), lookUp).flatMap((action) =>
      action.kind === 'array' ? action.items : [action],
    );
    return (
      kinds.length > 0 &&
      kinds.every((kind) => isName(kind, 'GoTo')) &&
      next.every((action) => isHarmlessByItself(action, lookUp, depth + 1))
    );
  });
}
