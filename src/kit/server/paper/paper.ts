import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { serialize } from 'node:v8';
import { AppError } from '#kit/contract/errors.ts';
import { initialsOf } from '#kit/contract/initials.ts';
import type { Language } from '#kit/contract/languages.ts';
import { isText, type Text, text } from '#kit/contract/text.ts';
import { say } from '#kit/server/language/say.ts';
import { openPool } from '#kit/server/work/pool.ts';
import { type Caller, openQueue } from '#kit/server/work/queue.ts';
import type { QrCode } from './qr-code.ts';

/** The head of a paper: the school's name, the lines below it, its principal, and its pictures. */
export interface PaperHead {
  name: string;
  lines: string[];
  /** The principal; '' where not known. */
  principal: string;
  phone?: string;
  /** PNG or JPEG pictures. */
  logo?: Uint8Array;
  signature?: Uint8Array;
  /** As papers in another language have it; absent where nothing is entered. */
  local?: { language: Language; name: string; address: string; lines: string[] };
}

/** The head of a paper in these languages: of two, the other name and address stand below the first. */
export function headIn(head: PaperHead, languages: readonly Language[]): PaperHead {
  const { local } = head;
  if (!local || !languages.includes(local.language)) return head;
  const { name, address, lines } = local;
  if (languages.length === 1) return { ...head, name: name || head.name, lines };
  return { ...head, lines: [[name, address].filter(Boolean).join(', '), ...head.lines] };
}

/** A kind of paper: its template, and what it is set from. */
export interface Template<Data extends PaperData> {
  /** The template's text. It imports `parts.typ`, and has no words of its own. */
  source: string;
  /** What the template reads, where it is more than the data. */
  prepare: (data: Data) => object;
}

/** What every paper is set from. A plain string was entered by a person. */
export interface PaperData {
  head: PaperHead;
  title: Text;
  /** The reader's; English where it is not said. */
  language?: Language;
}

const unchanged = (data: object) => data;

/** A template in a file beside the code that declares it. */
export const openTemplate = <Data extends PaperData>(
  file: URL,
  prepare: (data: Data) => object = unchanged,
): Template<Data> => ({ source: readFileSync(file, 'utf8'), prepare });

/** A line for a signature: the signer's name or office below it, and above it the signature that the school keeps. */
export interface Signature {
  who: Text;
  picture?: Uint8Array;
}

/** Facts under a heading that stays with the first of them: a label at the left, its value at the right. */
export interface PaperSection {
  title: Text;
  /** Groups where several have equal labels. In a value, a line break begins a new line. */
  groups: {
    title?: Text;
    facts: (readonly [label: Text, value: string | Text])[];
  }[];
}

/** Rows under heads that each page repeats; `record-table` of `parts.typ` sets them. */
export interface PaperTable {
  heads: Text[];
  rows: (string | Text | Photo)[][];
  /** Below the last row, one for each column. */
  sums?: (string | Text)[];
  /** The columns of figures, aligned at their right. */
  right?: readonly number[];
}

/** A picture of `readPortraits` in a cell, and whom it shows. */
interface Photo {
  picture: Uint8Array;
  name: string;
}

/** A paper that the school issues or keeps: the school's head, facts, and a table or sections. */
export interface Paper extends PaperData {
  /** What the paper is about, each fact with its name: "From year", "2026-27". */
  facts: (readonly [name: Text, value: string | Text])[];
  table?: PaperTable;
  sections?: PaperSection[];
  /** At the foot of each page, beside its number. */
  foot?: Text;
  /** The last line: who made the paper and when. */
  made: Text;
  /** Empty for a list without signatures. */
  signatures: Signature[];
}
export const sheet = openTemplate<Paper>(new URL('./templates/sheet.typ', import.meta.url));

/** Cards of 85.6 × 54 mm, eight to a page, with lines to cut along; on each are the school's name and logo. */
export interface CardSheet extends PaperData {
  cards: {
    /** Of `readPortraits`; without one the card has the initials of the name. */
    picture?: Uint8Array;
    name: string;
    facts: (readonly [name: Text, value: string])[];
  }[];
  /** The last line of each card. */
  foot?: Text;
  /** Beside the cards, on each page: who made them. */
  notes: Text[];
}
export const cardSheet = openTemplate<CardSheet>(new URL('./templates/cards.typ', import.meta.url), (data) => ({
  ...data,
  cards: data.cards.map((card) => ({ ...card, initials: initialsOf(card.name) })),
  notes: [text`Print at actual size. Each card is 85.6 × 54 mm.`, ...data.notes],
}));

/** A slip of A6 with an address, to hand over. */
export interface Slip extends PaperData {
  /** Whom the slip is for; '' where not known. */
  name: string;
  /** The address, also printed as text to type. */
  code: QrCode;
  lines: Text[];
}
export const slip = openTemplate<Slip>(new URL('./templates/slip.typ', import.meta.url));

const parts = readFileSync(new URL('./templates/parts.typ', import.meta.url), 'utf8');

/** A paper as the process that makes it gets it. */
export interface WrittenPaper {
  /** Texts of files by name; the first is the template. */
  sources: { main: string; parts: string };
  /** JSON, in which a picture is the name of its file. */
  data: string;
  pictures: Map<string, Uint8Array>;
}

/** With a capital letter at its beginning. */
const headed = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

/** Writes a paper for its process, in the language of its reader; what is not translated is in English. */
export function writePaper<Data extends PaperData>({ source, prepare }: Template<Data>, data: Data): WrittenPaper {
  const { language = 'en' } = data;
  const write = say(language);
  const names = new Map<Uint8Array, string>();
  const nameOf = (picture: Uint8Array) => {
    const name = names.get(picture) ?? `picture-${names.size}`;
    names.set(picture, name);
    return name;
  };
  const written = (value: unknown): unknown => {
    if (isText(value)) return write(value);
    if (value instanceof Uint8Array) return nameOf(value);
    if (Array.isArray(value)) return value.map(written);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, written(part)]));
  };
  const paper = {
    ...(written(prepare(data)) as object),
    title: headed(write(data.title)),
    language,
    words: { page: write(text({ message: 'Page {page} of {pages}' })) },
  };
  const pictures = new Map([...names].map(([picture, name]) => [name, picture]));
  return { sources: { main: source, parts }, data: JSON.stringify(paper), pictures };
}

const megabyte = 1024 * 1024;
const tooMuch = text`This list is too long. Filter it first.`;

/** One paper is set at a time, beside uploads. */
const setPaper = openPool({
  program: new URL('../work/paper-work.ts', import.meta.url),
  queue: openQueue(1, 20, 'paper'),
  // A list of 5,000 rows and eight columns takes two seconds and 500 MB.
  seconds: 60,
  memory: 900 * megabyte,
  result: 32 * megabyte,
  jobs: 100,
  isNative: true,
  broken: tooMuch,
  tooLarge: tooMuch,
});

/** A paper being made, with the requests that still wait for it. */
interface Making {
  bytes: Promise<Buffer>;
  callers: Set<Caller>;
  unwanted: AbortController;
}
const inTheMaking = new Map<string, Making>();

/** Makes a PDF from a template and its data. */
export type MakePaper = <Data extends PaperData>(
  template: Template<Data>,
  data: Data,
  caller: Caller,
) => Promise<Buffer>;

/**
 * Makes a PDF with the school's head, in a child process; equal papers requested at once are made once (W16).
 * Throws `unavailable` while too many wait, and `conflict` over the limits of memory and time.
 */
export const makePaper: MakePaper = (template, data, caller) => {
  const payload = serialize(writePaper(template, data));
  const key = createHash('sha256').update(payload).digest('hex');
  const making = inTheMaking.get(key) ?? begin(key, payload, caller.owner);
  making.callers.add(caller);
  const leave = () => {
    making.callers.delete(caller);
    if (making.callers.size === 0) making.unwanted.abort();
  };
  if (caller.signal?.aborted) leave();
  else caller.signal?.addEventListener('abort', leave, { once: true });
  return making.bytes;
};

function begin(key: string, payload: Buffer, owner: string): Making {
  const unwanted = new AbortController();
  const make = async () => {
    const made = await setPaper(() => payload, { owner, signal: unwanted.signal });
    if ('refused' in made) throw new AppError('conflict', made.refused);
    return made.bytes;
  };
  const making: Making = { bytes: make(), callers: new Set(), unwanted };
  inTheMaking.set(key, making);
  const forget = () => inTheMaking.delete(key);
  making.bytes.then(forget, forget);
  return making;
}
