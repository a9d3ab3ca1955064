import { Worker } from 'node:worker_threads';
import { slots } from './slots.ts';

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

/** Somebody who signs: a line with who it is below, and their signature above where the school keeps it. */
export interface Signature {
  who: string;
  picture?: Uint8Array;
}

/** A paper that the school gives out or keeps: who it is from, what it is, and a table. */
export interface Paper {
  head: PaperHead;
  title: string;
  /** What it is about, each with its name: "From the year", "2026-27". */
  facts: [name: string, value: string][];
  table: {
    heads: string[];
    rows: string[][];
  };
  /** The last line: who made it and when. */
  made: string;
  /** Who signs, each below a line; nobody signs a list. */
  signatures: Signature[];
}

/** Setting a page takes a processor for a second: one paper at a time. */
const inSlot = slots(1, 20);
const secondsToSet = 180;

/**
 * A paper as a PDF: A4, upright or lying as the table is wide, with the school's head, the table's heads on each page, and
 * "1 / 3" below. Text may be in Latin, Gujarati or Devanagari letters. It is set in a thread of its own, since that takes some
 * milliseconds a row. Throws `unavailable` while too many wait, and a plain error when it takes over three minutes.
 */
export const makePaper = (paper: Paper): Promise<Buffer> => inSlot(() => setInThread(paper));

function setInThread(paper: Paper): Promise<Buffer> {
  return new Promise((done, fail) => {
    const worker = new Worker(new URL('./paper-worker.ts', import.meta.url), {
      workerData: paper,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
    });
    const end = (say: () => void) => {
      clearTimeout(timer);
      void worker.terminate();
      say();
    };
    const timer = setTimeout(() => end(() => fail(new Error('A paper took too long to set.'))), secondsToSet * 1000);
    worker.once('message', (bytes: Uint8Array) => end(() => done(Buffer.from(bytes))));
    worker.once('error', (error) => end(() => fail(error)));
    worker.once('exit', () => end(() => fail(new Error('A paper ended before it was set.'))));
  });
}
