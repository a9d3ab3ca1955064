import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import { AppError } from '#kit/contract/errors.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import { openPool } from '#kit/server/work/pool.ts';
import { type Caller, openQueue } from '#kit/server/work/queue.ts';

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
}

/** A line for a signature: the signer's name or office below it, and above it the signature that the school keeps. */
interface Signature<Words> {
  who: Words;
  picture?: Uint8Array;
}

/** Facts under a heading that stays with the first of them: a label at the left, its value at the right. */
interface Section<Words> {
  title: Words;
  /** Groups where several have equal labels. In a value, a line break begins a new line. */
  groups: {
    title?: Words;
    facts: (readonly [label: Words, value: string | Words])[];
  }[];
}

interface Content<Words> {
  head: PaperHead;
  title: Words;
  /** What the paper is about, each fact with its name: "From year", "2026-27". */
  facts: (readonly [name: Words, value: string])[];
  table?: {
    heads: Words[];
    rows: (string | Words)[][];
  };
  sections?: Section<Words>[];
  /** At the foot of each page, beside its number. */
  foot?: Words;
  /** The last line: who made the paper and when. */
  made: Words;
  /** Empty for a list, which nobody signs. */
  signatures: Signature<Words>[];
}

/**
 * A paper that the school issues or keeps: the school's head, facts, and a table or sections. A plain string was
 * entered by a person.
 */
export type Paper = Content<Text>;

/** A section of a paper. */
export type PaperSection = Section<Text>;

/** A paper in the words of its language, as it is set. */
export interface WrittenPaper extends Content<string> {
  /** The number of a page, with {page} and {pages} to be filled in. */
  number: string;
}

interface Card<Words> {
  /** Of `readPortraits`; without one the card has the initials of the name. */
  picture?: Uint8Array;
  name: string;
  facts: (readonly [name: Words, value: string])[];
}

interface Cards<Words> {
  /** On each card: the name and the logo. */
  head: PaperHead;
  /** What each card is. */
  title: Words;
  cards: Card<Words>[];
  /** The last line of each card. */
  foot?: Words;
  /** Beside the cards, on each sheet: how to print it, and who made it. */
  notes: Words[];
}

/** Cards of 85.6 × 54 mm, eight to a sheet, with lines to cut along. */
export type CardSheet = Cards<Text>;
export type WrittenCards = Cards<string>;

interface SlipOf<Words> {
  head: PaperHead;
  /** Whom the slip is for; '' where not known. */
  name: string;
  title: Words;
  /** Printed as a QR code, and as text to type. */
  address: string;
  lines: Words[];
}

/** A slip of A6 with an address, to hand over. */
export type Slip = SlipOf<Text>;
export type WrittenSlip = SlipOf<string>;

/** With a capital letter at its beginning. */
const headed = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

type AnyPaper = Paper | CardSheet | Slip;

/** The words are English until the server knows a reader's language. */
function write(paper: AnyPaper): WrittenPaper | WrittenCards | WrittenSlip {
  if ('address' in paper) return { ...paper, title: english(paper.title), lines: paper.lines.map(english) };
  return 'cards' in paper ? writeCards(paper) : writePaper(paper);
}

const written = (words: string | Text) => (typeof words === 'string' ? words : english(words));

function writePaper({ title, facts, table, sections, foot, made, signatures, ...paper }: Paper): WrittenPaper {
  return {
    ...paper,
    title: headed(english(title)),
    facts: facts.map(([name, value]) => [english(name), value]),
    ...(table && { table: { heads: table.heads.map(english), rows: table.rows.map((row) => row.map(written)) } }),
    ...(sections && { sections: sections.map(writeSection) }),
    ...(foot && { foot: english(foot) }),
    number: english(text({ message: 'Page {page} of {pages}' })),
    made: english(made),
    signatures: signatures.map((signature) => ({ ...signature, who: english(signature.who) })),
  };
}

const writeSection = ({ title, groups }: PaperSection): Section<string> => ({
  title: english(title),
  groups: groups.map(({ title: part, facts }) => ({
    ...(part && { title: english(part) }),
    facts: facts.map(([label, value]) => [english(label), written(value)]),
  })),
});

const writeCards = ({ title, cards, foot, notes, ...sheet }: CardSheet): WrittenCards => ({
  ...sheet,
  title: headed(english(title)),
  cards: cards.map(({ facts, ...card }) => ({
    ...card,
    facts: facts.map(([name, value]) => [english(name), value]),
  })),
  foot: foot && english(foot),
  notes: [text`Print at actual size. Each card is 85.6 × 54 mm.`, ...notes].map(english),
});

const megabyte = 1024 * 1024;
const tooMuch = text`This list is too long. Filter it first.`;

/** The limits of a paper. A page takes a processor for a second, so one paper is set at a time, beside uploads. */
const limits = {
  program: new URL('../work/paper-work.ts', import.meta.url),
  // A list of 1,000 students in Gujarati letters takes 600 MB.
  memory: 900 * megabyte,
  result: 32 * megabyte,
  jobs: 1,

  broken: tooMuch,
  tooLarge: tooMuch,
};
/** A kept paper is made once, so it may take long, and has its own queue. */
const uses = {
  printed: openPool({ ...limits, queue: openQueue(1, 20), seconds: 180 }),
  kept: openPool({ ...limits, queue: openQueue(1, 20), seconds: 900 }),
};

/** A paper being made, with the requests that still wait for it. */
interface Making {
  bytes: Promise<Buffer>;
  callers: Set<Caller>;
  unwanted: AbortController;
}
const inTheMaking = new Map<string, Making>();

/**
 * Makes a PDF with the school's head, in a child process; equal papers requested at once are made once (W16).
 * Throws `unavailable` while too many wait, and `conflict` over the memory limit or after 3 minutes, kept papers 15.
 */
export function makePaper(paper: AnyPaper, caller: Caller, use: keyof typeof uses = 'printed'): Promise<Buffer> {
  const payload = serialize(write(paper));
  const key = createHash('sha256').update(payload).digest('hex');
  const making = inTheMaking.get(key) ?? begin(key, payload, { owner: caller.owner, use });
  making.callers.add(caller);
  const leave = () => {
    making.callers.delete(caller);
    if (making.callers.size === 0) making.unwanted.abort();
  };
  if (caller.signal?.aborted) leave();
  else caller.signal?.addEventListener('abort', leave, { once: true });
  return making.bytes;
}

function begin(key: string, payload: Buffer, { owner, use }: { owner: string; use: keyof typeof uses }): Making {
  const unwanted = new AbortController();
  const make = async () => {
    const made = await uses[use](() => payload, { owner, signal: unwanted.signal });
    if ('refused' in made) throw new AppError('conflict', made.refused);
    return made.bytes;
  };
  const making: Making = { bytes: make(), callers: new Set(), unwanted };
  inTheMaking.set(key, making);
  const forget = () => inTheMaking.delete(key);
  making.bytes.then(forget, forget);
  return making;
}
