import type { Database } from './database.ts';
import type { FileStore } from './files.ts';
import type { CheckedUpload } from './inspect.ts';
import type { Keys } from './keys.ts';

/** What lives as long as the process and every request may use. */
export interface Services {
  db: Database;
  keys: Keys;
  files: FileStore;
  now: () => Date;
  /** The address people reach the system at, for links in messages. */
  publicUrl: string;
  /** Finds whose record a link value opens; undefined for every value that opens nothing. */
  findLinkHolder: (services: Services, link: string) => Promise<LinkHolder | undefined>;
}

/** The record an unguessable link opens, and the only one its holder may touch. */
export interface LinkHolder {
  id: number;
  number: string;
  submittedAt: Date | null;
  status: string;
}

/** What a server function may touch. `db` is a transaction in everything but a GET. */
export interface Context extends Services {
  requestId: string;
  /** Where the request came from. */
  address: string;
  /** Files that came with the request, checked and cleaned, by the name of their field. */
  uploads: Partial<Record<string, CheckedUpload>>;
  /** Does something once the business transaction is safe on disk, such as removing a file nobody refers to any more. */
  afterCommit: (act: () => Promise<void>) => void;
  /** Takes something back if the business transaction is not kept. */
  onRollback: (act: () => Promise<void>) => void;
}

/** As `Context`, for whoever came with a link. */
export interface LinkContext extends Context {
  inquiry: LinkHolder;
  /** The link value the request came with. */
  link: string;
}
