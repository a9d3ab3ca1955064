import type * as z from 'zod/mini';
import type { UploadRule } from './uploads.ts';

/** The name a link's value travels under in the query, and nowhere else. */
export const linkParameter = 'inquiryNo';

/** A session of this role may call; one of `sets` must be held where there are any. */
export interface Grant {
  role: string;
  sets: readonly string[];
}

/** Who may call: anyone, whoever holds the link of the record the call is about, or who is signed in by one of the grants. */
export type Access = 'public' | 'link' | readonly Grant[];

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

type Fields = z.ZodMiniObject | z.ZodMiniType<object>;

/** One operation: what the server serves and the browser calls. Plain data, so that both sides can read it. */
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
  /** Parameters of path and query and the body, taken together as one object. */
  input: Input;
  output: Output;
  /** Sent as multipart, each part named as here, at most one file of each. */
  files?: Record<string, UploadRule>;
  /** Its field `file` holds a table, which is parsed before anything is done. */
  hasTable?: boolean;
  /** What a GET shows, as words such as `student`: it is read again after an act that changes one of them. */
  shows?: readonly string[];
  /** What an act changes, in the same words. */
  changes?: readonly string[];
  /** The largest body in bytes, where it takes more than others. */
  mostBytes?: number;
  /** Refusals in the envelope of the admission form (`isSuccess`, `code`, `message`, `errors`) rather than `{ error }`. */
  envelope?: boolean;
  /** Refusals carry their message as `title` too, as the specification's sign-in expects it. */
  titled?: boolean;
  /** Who they are must have been proved within the last ten minutes (A24). */
  isConfirmed?: boolean;
  /** Too much depends on it, or it can't be undone: the other Admins are told of it by email. */
  isReported?: boolean;
  /** Doing it again changes nothing more, so no answer is kept for an Idempotency-Key. */
  isRepeatable?: boolean;
  /** Its function opens its transactions itself, since what it does in between takes long. */
  ownTransactions?: boolean;
}

/** Declares an operation. Its types are the schemas'; forgetting `access` does not compile. */
export function endpoint<
  Input extends Fields,
  Output extends z.ZodMiniType,
  const Allowed extends Access,
  const Verb extends Method,
>(operation: Endpoint<Input, Output, Allowed, Verb>): Endpoint<Input, Output, Allowed, Verb> {
  return operation;
}

/** An operation that only reads. */
export type ReadEndpoint = Endpoint<Fields, z.ZodMiniType, Access, 'GET'>;

/** What a caller gives. */
export type InputOf<Operation extends Endpoint> = z.input<Operation['input']>;
/** What the server's function is given. */
export type ParsedOf<Operation extends Endpoint> = z.output<Operation['input']>;
/** What a caller gets back. */
export type OutputOf<Operation extends Endpoint> = z.output<Operation['output']>;
