import { createHash } from 'node:crypto';
import { serialize } from 'node:v8';
import { AppError } from '#kit/contract/errors.ts';
import { english, type Text, text } from '#kit/contract/text.ts';
import { type Asker, openLane } from '#kit/server/work/lane.ts';
import { openPool } from '#kit/server/work/pool.ts';

/** Who a paper is from: the school's name, the lines below it, who leads it, and its pictures. */
export interface PaperHead {
  name: string;
  lines: string[];
  /** Who leads the school; '' where that is not known. */
  principal: string;
  /** PNG or JPEG pictures. */
  logo?: Uint8Array;
  signature?: Uint8Array;
}

/** A line for a signature: the signer's name or office below it, and above it the signature that the school keeps. */
interface Signature<Words> {
  who: Words;
  picture?: Uint8Array;
}

interface Content<Words> {
  head: PaperHead;
  title: Words;
  /** What the paper is about, each fact with its name: "From year", "2026-27". */
  facts: (readonly [name: Words, value: string])[];
  table: {
    heads: Words[];
    rows: (string | Words)[][];
  };
  /** The last line: who made the paper and when. */
  made: Words;
  /** Empty for a list, which nobody signs. */
  signatures: Signature<Words>[];
}

/** A paper that the school gives out or keeps: the school's head, what it is, and a table. A plain string is something a person entered. */
export type Paper = Content<Text>;

/** A paper in the words of its language, as it is set. */
export type WrittenPaper = Content<string>;

/** The words are English until the server knows a reader's language. */
function write({ title, facts, table, made, signatures, ...paper }: Paper): WrittenPaper {
  return {
    ...paper,
    title: english(title),
    facts: facts.map(([name, value]) => [english(name), value]),
    table: {
      heads: table.heads.map(english),
      rows: table.rows.map((row) => row.map((cell) => (typeof cell === 'string' ? cell : english(cell)))),
    },
    made: english(made),
    signatures: signatures.map((signature) => ({ ...signature, who: english(signature.who) })),
  };
}

const megabyte = 1024 * 1024;
const tooMuch = text`This list is too long to export. Filter it first.`;

/** What a paper may take. Setting a page takes a processor for a second, so one is set at a time, beside the uploads. */
const limits = {
  program: new URL('../work/paper-work.ts', import.meta.url),
  // A list of 1,000 students in Gujarati letters takes 600 MB.
  memory: 900 * megabyte,
  result: 32 * megabyte,
  jobs: 1,

  broken: tooMuch,
  tooLarge: tooMuch,
};
/** One that is kept is made once and for good, so it may take long, and has a place of its own. */
const uses = {
  printed: openPool({ ...limits, lane: openLane(1, 20), seconds: 180 }),
  kept: openPool({ ...limits, lane: openLane(1, 20), seconds: 900 }),
};

/** A paper that is being made, for everyone who has asked for it and not gone. */
interface Making {
  bytes: Promise<Buffer>;
  askers: Set<Asker>;
  unwanted: AbortController;
}
const inTheMaking = new Map<string, Making>();

/**
 * A paper as a PDF: A4, upright or lying as the table is wide, with the school's head, the table's heads on each page, and
 * "1 / 3" below. Text may be in Latin, Gujarati or Devanagari letters. It is set in a process of its own, since that takes some
 * milliseconds a row. The same paper, asked for by several at once, is made once; one that nobody waits for any more is not
 * begun (W16). Throws `unavailable` while too many wait, and `conflict` when it takes too much memory, or over three minutes; one that
 * is kept may take fifteen.
 */
export function makePaper(paper: Paper, asker: Asker, use: keyof typeof uses = 'printed'): Promise<Buffer> {
  const payload = serialize(write(paper));
  const key = createHash('sha256').update(payload).digest('hex');
  const making = inTheMaking.get(key) ?? begin(key, payload, { owner: asker.owner, use });
  making.askers.add(asker);
  const leave = () => {
    making.askers.delete(asker);
    if (making.askers.size === 0) making.unwanted.abort();
  };
  if (asker.signal?.aborted) leave();
  else asker.signal?.addEventListener('abort', leave, { once: true });
  return making.bytes;
}

function begin(key: string, payload: Buffer, { owner, use }: { owner: string; use: keyof typeof uses }): Making {
  const unwanted = new AbortController();
  const make = async () => {
    const made = await uses[use](() => payload, { owner, signal: unwanted.signal });
    if ('refused' in made) throw new AppError('conflict', made.refused);
    return made.bytes;
  };
  const making: Making = { bytes: make(), askers: new Set(), unwanted };
  inTheMaking.set(key, making);
  const forget = () => inTheMaking.delete(key);
  making.bytes.then(forget, forget);
  return making;
}
