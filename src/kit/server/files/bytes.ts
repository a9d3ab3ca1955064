/** Where the sealed bytes of files are: a folder, or a bucket that several machines reach. */
export interface Bytes {
  /** The place, for people. */
  place: string;
  /** Resolves once the bytes would survive a power cut. A reader sees all of them or none. */
  put: (id: string, bytes: Buffer) => Promise<void>;
  /** Undefined when there are none. */
  get: (id: string) => Promise<Buffer | undefined>;
  /** Removes them if they are there. */
  remove: (id: string) => Promise<void>;
  /** All names with these first two hex digits, including incomplete files. */
  list: (start: string) => Promise<Stored[]>;
  isEmpty: () => Promise<boolean>;
}

/** A name in the store, and the time its bytes were written. */
export interface Stored {
  name: string;
  writtenAt: Date;
}

/** The first two hex digits of all possible ids. */
export const starts = Array.from({ length: 256 }, (_, number) => number.toString(16).padStart(2, '0'));

/** Empties the store of a demo that is made again. */
export async function removeAll(bytes: Bytes) {
  for (const start of starts) for (const { name } of await bytes.list(start)) await bytes.remove(name);
}
