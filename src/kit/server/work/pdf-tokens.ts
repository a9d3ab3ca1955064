/** A value of the PDF language. A dictionary keeps duplicate names, since viewers differ in which one they use. */
export type Value =
  | { kind: 'name' | 'text' | 'word'; text: string }
  | { kind: 'number' | 'ref'; number: number }
  | { kind: 'array'; items: Value[] }
  | { kind: 'dict'; entries: [key: string, value: Value][] };

export interface Parsed {
  /** All values, one after another. */
  values: Value[];
  /** All names, at any depth. */
  names: Set<string>;
  /** Whether a token is in an invalid place. */
  isMalformed: boolean;
  /** The keyword at the end, and the position after it. */
  endedBy: string;
  end: number;
}

/** Names and keywords end at whitespace or one of these. */
const [regular, blank, delimiter] = [0, 1, 2];
const sorts = new Uint8Array(256).fill(regular);
// PDFium, the viewer of Chrome and Edge, treats 0x80 and 0xFF as whitespace.
for (const byte of [0, 9, 10, 12, 13, 32, 0x80, 0xff]) sorts[byte] = blank;
for (const byte of Buffer.from('()<>[]{}/%')) sorts[byte] = delimiter;
const [percent, slash, openText, openHex, closeHex, openArray, closeArray] = Buffer.from(
  '%/(<>[]',
) as unknown as number[];

const ends = new Set(['endobj', 'obj', 'stream', 'endstream', 'xref', 'trailer', 'startxref']);

/**
 * Parses values from `at`, as tolerantly as viewers do: up to a keyword that ends an object, or with `isOne` up to the
 * end of the first value. Never throws; unclear input is `isMalformed`.
 */
export function parseValues(bytes: Buffer, at: number, isOne = false): Parsed {
  const names = new Set<string>();
  const open: { isDict: boolean; items: Value[] }[] = [];
  const values: Value[] = [];
  let items = values;
  let isMalformed = false;
  let endedBy = '';
  let position = at;

  const close = (isDict: boolean) => {
    const container = open.pop();
    if (container?.isDict !== isDict) isMalformed = true;
    if (!container) return;
    items = open.at(-1)?.items ?? values;
    items.push(container.isDict ? dictOf(container.items) : { kind: 'array', items: container.items });
  };
  const dictOf = (items: Value[]): Value => {
    const entries: [string, Value][] = [];
    if (items.length % 2 === 1) isMalformed = true;
    for (let index = 0; index + 1 < items.length; index += 2) {
      const [key, value] = [items[index], items[index + 1]];
      if (key?.kind === 'name' && value) entries.push([key.text, value]);
      else isMalformed = true;
    }
    return { kind: 'dict', entries };
  };

  while (position < bytes.length) {
    const byte = bytes[position];
    if (byte === undefined) break;
    const next = bytes[position + 1];
    if (sorts[byte] === blank) position++;
    else if (byte === percent) position = endOfComment(bytes, position);
    else if (byte === slash) {
      const end = endOfRegular(bytes, position + 1);
      const raw = bytes.toString('latin1', position + 1, end);
      const text = decodeName(raw);
      // Viewers differ in how they read such a name.
      if (/#(?![0-9A-Fa-f]{2})/.test(raw)) isMalformed = true;
      names.add(text);
      items.push({ kind: 'name', text });
      position = end;
    } else if (byte === openText) {
      const { text, end } = readText(bytes, position);
      if (end > bytes.length) isMalformed = true;
      items.push({ kind: 'text', text });
      position = end;
    } else if ((byte === openHex && next === openHex) || byte === openArray) {
      const isDict = byte === openHex;
      open.push({ isDict, items: [] });
      items = open.at(-1)?.items ?? values;
      position += isDict ? 2 : 1;
    } else if (byte === openHex) {
      const end = bytes.indexOf('>', position);
      if (end < 0) isMalformed = true;
      const digits = bytes.toString('latin1', position + 1, end < 0 ? undefined : end).replace(/[^0-9A-Fa-f]/g, '');
      items.push({
        kind: 'text',
        text: Buffer.from(`${digits}${digits.length % 2 ? '0' : ''}`, 'hex').toString('latin1'),
      });
      position = end < 0 ? bytes.length : end + 1;
    } else if ((byte === closeHex && next === closeHex) || byte === closeArray) {
      close(byte === closeHex);
      position += byte === closeHex ? 2 : 1;
    } else if (sorts[byte] === delimiter) {
      isMalformed = true;
      position++;
    } else {
      const end = endOfRegular(bytes, position);
      const text = bytes.toString('latin1', position, end);
      position = end;
      // Within a dictionary or array these keywords end nothing: viewers read on.
      if (ends.has(text) && open.length === 0) {
        endedBy = text;
        break;
      }
      if (!addWord(items, text)) isMalformed = true;
    }
    if (isOne && open.length === 0 && isWhole(values)) break;
  }
  if (open.length > 0) isMalformed = true;
  while (open.length > 0) close(open.at(-1)?.isDict === true);
  return { values, names, isMalformed, endedBy, end: position };
}

/** Numbers may be the start of a reference: two numbers and R. */
const isWhole = (values: Value[]) => values.length > 2 || (values.length > 0 && values.at(-1)?.kind !== 'number');

/** False for a reference that viewers read in different ways. */
function addWord(items: Value[], text: string): boolean {
  // Some viewers end a number after its digits: 0R is 0 and R.
  const glued = /^(\d+)R$/.exec(text)?.[1];
  if (glued !== undefined) items.push({ kind: 'number', number: Number(glued) });
  if (text === 'R' || glued !== undefined) {
    const [object, generation] = items.splice(-2);
    if (object?.kind !== 'number' || generation?.kind !== 'number' || !Number.isInteger(object.number)) return false;
    items.push({ kind: 'ref', number: object.number });
  } else if (/^[+-]?\d*(\.\d*)?$/.test(text)) items.push({ kind: 'number', number: Number(text) });
  else items.push({ kind: 'word', text });
  return true;
}

function endOfRegular(bytes: Buffer, at: number): number {
  let end = at;
  while (end < bytes.length && sorts[bytes[end] ?? 0] === regular) end++;
  return end;
}

function endOfComment(bytes: Buffer, at: number): number {
  let end = at;
  while (end < bytes.length && bytes[end] !== 10 && bytes[end] !== 13) end++;
  return end;
}

/**
 * Any character of a name may be written as # and two hex digits: /J#53 is /JS. For some viewers a name ends at #00.
 */
const decodeName = (raw: string) =>
  raw
    .replace(/#00.*$/s, '')
    .replace(/#[0-9A-Fa-f]{2}/g, (sign) => String.fromCharCode(Number.parseInt(sign.slice(1), 16)));

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };

/** A string in brackets, which may nest; `end` is past the last byte when it is not closed. */
function readText(bytes: Buffer, at: number): { text: string; end: number } {
  const parts: string[] = [];
  let depth = 0;
  for (let end = at; end < bytes.length; end++) {
    const character = String.fromCharCode(bytes[end] ?? 0);
    if (character === '\\') {
      const octal = /^[0-7]{1,3}/.exec(bytes.toString('latin1', end + 1, end + 4))?.[0];
      const escaped = String.fromCharCode(bytes[end + 1] ?? 0);
      if (octal) parts.push(String.fromCharCode(Number.parseInt(octal, 8) % 256));
      else if (escaped !== '\n' && escaped !== '\r') parts.push(escapes[escaped] ?? escaped);
      end += octal?.length ?? (escaped === '\r' && bytes[end + 2] === 10 ? 2 : 1);
      continue;
    }
    if (character === '(' && ++depth === 1) continue;
    if (character === ')' && --depth === 0) return { text: parts.join(''), end: end + 1 };
    parts.push(character);
  }
  return { text: parts.join(''), end: bytes.length + 1 };
}
