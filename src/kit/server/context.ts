import type { Text } from '#kit/contract/text.ts';
import type { Database } from '#kit/server/database/database.ts';
import type { CheckedUpload } from '#kit/server/files/inspect.ts';
import type { FileStore } from '#kit/server/files/store.ts';
import type { FileRow } from '#kit/server/import/read-csv.ts';
import type { PaperHead } from '#kit/server/paper/paper.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';
import type { Keys } from '#kit/server/security/keys.ts';
import type { Config } from './config.ts';
import type { Asker } from './work/lane.ts';

/** What lives as long as the process and every request may use. */
export interface Services {
  db: Database;
  keys: Keys;
  files: FileStore;
  now: () => Date;
  /** The folder for what is on its way: bodies that are arriving. */
  temp: string;
  /** The address people reach the system at, for links in messages. */
  publicUrl: string;
  /** The provider Staff may sign in with, where there is one. */
  google: Config['google'];
  /** What is said of the rules that acts of several features can break, by the name of the constraint. */
  constraintMessages: Readonly<Record<string, Text>>;
  /** What the audit log calls acts and the records they are about. */
  auditWords: AuditWords;
  /** What stands over every paper of the school. */
  readPaperHead: (services: Services) => Promise<PaperHead>;
  /** Tells the other Admins of the act that an audit row is about, in the same transaction (G3). */
  reportAct: (ctx: UserContext, auditId: number) => Promise<void>;
  /** Finds whose record a link value opens; undefined for every value that opens nothing. */
  findLinkHolder: (services: Services, link: string) => Promise<LinkHolder | undefined>;
  /** Finds who is signed in with what the session cookie holds; undefined for everything that is no live session. */
  findUser: (services: Services, token: string) => Promise<User | undefined>;
}

/** Who is signed in, as the server knows them at this request. */
export interface User {
  /** The account. */
  id: number;
  staffId: number;
  name: string;
  role: string;
  sets: readonly string[];
  /** The session's number, as lists and the audit name it. */
  session: number;
  /** When they last proved who they are, in seconds before now. */
  confirmedFor: number;
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
  /** The rows of the table that came with the request, where the operation takes one. Throws `invalid` with what is wrong with it. */
  table: () => FileRow[];
  /** Who waits for the work of this request, to be done in processes of its own. */
  asker: Asker;
  /** Does something once the business transaction is safe on disk, such as removing a file nobody refers to any more. */
  afterCommit: (act: () => Promise<void>) => void;
  /** Takes something back if the business transaction is not kept. */
  onRollback: (act: () => Promise<void>) => void;
  /** What travels beside the answer. */
  http: CookiesAndHeaders;
}

/** Cookies and headers of a request and of its answer; what is set goes out only if the request is not refused. */
export interface CookiesAndHeaders {
  /** What a cookie of ours holds; '' without it. */
  cookie: (name: string) => string;
  /** Sets a cookie only the server can read; without `seconds` it ends with the browser, with 0 at once. */
  setCookie: (name: string, value: string, seconds?: number) => void;
  header: (name: string) => string;
  setHeader: (name: string, value: string) => void;
}

/** As `Context`, for whoever is signed in. */
export interface UserContext extends Context {
  user: User;
}

/** As `Context`, for whoever came with a link. */
export interface LinkContext extends Context {
  inquiry: LinkHolder;
  /** The link value the request came with. */
  link: string;
}

/** For work that no request asked for: a command, the demo, a job. Its cookies go nowhere. */
export const contextOutside = (services: Services, requestId: string): Context => ({
  ...services,
  requestId,
  address: '127.0.0.1',
  uploads: {},
  table: () => [],
  asker: { owner: 'server' },
  afterCommit: () => undefined,
  onRollback: () => undefined,
  http: { cookie: () => '', setCookie: () => undefined, header: () => '', setHeader: () => undefined },
});
