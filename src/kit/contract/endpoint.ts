import type * as z from 'zod/mini';
import type { Text } from './text.ts';
import type { UploadRule } from './uploads.ts';

/** The name of the value of an `access: 'link'` in the query, and nowhere else. */
export const linkParameter = 'inquiryNo';

/** Sessions of this role may call; where `sets` is not empty, they need one of them. */
export interface Grant {
  role: string;
  sets: readonly string[];
}

/** The kind of a link: the word of its value in the query. */
export interface LinkKind {
  link: string;
  /** The holder has proved on this device, by a code, to be the person of the link. */
  isProven?: true;
}

/** Who may call: anyone, the holder of the record's link or of a link of another kind, or a user with one of the grants. */
export type Access = 'public' | 'link' | LinkKind | readonly Grant[];

/** The name of the link's value in the query of an operation behind a link; undefined for every other. */
export const linkNameOf = (access: Access): string | undefined =>
  access === 'link' ? linkParameter : typeof access === 'object' ? (access as Partial<LinkKind>).link : undefined;

/** Whether a user with this role and these sets holds one of the grants. */
export const isGranted = (access: Access, { role, sets }: { role: string; sets: readonly string[] }): boolean =>
  Array.isArray(access) &&
  access.some(
    (grant: Grant) => grant.role === role && (grant.sets.length === 0 || grant.sets.some((set) => sets.includes(set))),
  );

/** Whether an operation behind a link asks for a proof besides it. */
export const needsProof = (access: Access): boolean =>
  typeof access === 'object' && (access as Partial<LinkKind>).isProven === true;

/** What is known of a caller: the name of the link that they hold, or the user who is signed in. */
export interface KnownCaller {
  link?: string;
  isProven?: boolean;
  user?: { role: string; sets: readonly string[] };
}

/** Whether a caller may call. The server and the access matrix both decide by this function alone. */
export function mayCall(access: Access, { link, isProven = false, user }: KnownCaller): boolean {
  const name = linkNameOf(access);
  if (name !== undefined) return link === name && (isProven || !needsProof(access));
  return access === 'public' || (user !== undefined && isGranted(access, user));
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The columns that a table may have, by field name, and the fields of those that it must have. */
export interface TableColumns {
  columns: Readonly<Record<string, { label: Text; alsoNamed?: readonly string[]; kind?: string }>>;
  needed: readonly string[];
  /** The fields that a column of whole names becomes, first to last, and its usual headings. */
  whole?: { parts: readonly string[]; alsoNamed: readonly string[]; elder?: string };
  /** The fields that a column such as "5-A" becomes, where the second one has no column of its own. */
  pair?: readonly [first: string, second: string];
  /** What is read: the rows by field (by default), those with their own cells, or what the user decides on. */
  reads?: 'rows' | 'own' | 'stage';
}

type Fields = z.ZodMiniObject | z.ZodMiniType<object>;

/** One operation, served by the server and called by the browser. Plain data, so that both sides can read it. */
export interface Endpoint<
  Input extends Fields = Fields,
  Output extends z.ZodMiniType = z.ZodMiniType,
  Allowed extends Access = Access,
  Verb extends Method = Method,
> {
  method: Verb;
  /** Below /api; `:name` parts become fields of the input. */
  path: string;
  access: Allowed;
  /** The parameters of path and query and the body, merged into one object. */
  input: Input;
  output: Output;
  /** Sent as multipart: at most one file for each of these names. */
  files?: Record<string, UploadRule>;
  /** Its field `file` holds a table with these columns, which is parsed before the handler runs. */
  table?: TableColumns;
  /**
   * Other programs send it: its body, a form of names and values or JSON of at most 64 kB, is kept as the bytes that came, for
   * the handler to read. Its input is the address alone.
   */
  isRaw?: true;
  /** What a GET shows, as words such as `student`: it is read again after an act that changes one of them. */
  shows?: readonly string[];
  /** What an act changes, in the same words. */
  changes?: readonly string[];
  /** The largest body in bytes, where it exceeds the default. */
  mostBytes?: number;
  /** Refusals in the envelope of the admission form (`isSuccess`, `code`, `message`, `errors`) rather than `{ error }`. */
  envelope?: boolean;
  /** Refusals carry their message as `title` too, as the specification's sign-in expects it. */
  titled?: boolean;
  /** The kind of record of a person that it reads or gives a link to, by `id`: openings are counted by account and hour. */
  opens?: string;
  /** Its answer shows what is audited at each showing, so it is not kept for an Idempotency-Key. */
  isReveal?: boolean;
  /** Its answer has a link that opens a page of a family: counted by account and hour, and not kept either. */
  givesLink?: boolean;
  /** The caller must have proved their identity within the last ten minutes (A24). */
  isConfirmed?: boolean;
  /** An act that is far-reaching or can't be undone: the other Admins are notified by email. */
  isReported?: boolean;
  /** Repeating it changes nothing, so its answer is not stored for an Idempotency-Key. */
  isRepeatable?: boolean;
  /** The page reads it by itself, again and again: that keeps no session alive, and asks nobody to sign in. */
  isBackground?: boolean;
  /** Its handler opens transactions itself, since its work between them takes long. */
  ownTransactions?: boolean;
}

/** Declares an operation. Its types come from the schemas; it does not compile without `access`. */
export function endpoint<
  Input extends Fields,
  Output extends z.ZodMiniType,
  const Allowed extends Access,
  const Verb extends Method,
>(operation: Endpoint<Input, Output, Allowed, Verb>): Endpoint<Input, Output, Allowed, Verb> {
  return operation;
}

/** Whether its answer is stored for an Idempotency-Key, and given again to a repeated request. */
export const keepsAnswer = ({ method, isRepeatable, isReveal, givesLink, ownTransactions }: Endpoint): boolean =>
  method !== 'GET' && !isRepeatable && !isReveal && !givesLink && !ownTransactions;

/** An operation that only reads. */
export type ReadEndpoint = Endpoint<Fields, z.ZodMiniType, Access, 'GET'>;

/** The input a caller passes. */
export type InputOf<Operation extends Endpoint> = z.input<Operation['input']>;
/** The parsed input of the server's function. */
export type ParsedOf<Operation extends Endpoint> = z.output<Operation['input']>;
/** The output a caller receives. */
export type OutputOf<Operation extends Endpoint> = z.output<Operation['output']>;
