import type * as z from 'zod/mini';
import type { UploadRule } from './uploads.ts';

/** Who may call: anyone, or whoever holds the link of the record the call is about. */
export type Access = 'public' | 'link';

type Fields = z.ZodMiniObject | z.ZodMiniType<object>;

/** One operation: what the server serves and the browser calls. Plain data, so that both sides can read it. */
export interface Endpoint<
  Input extends Fields = Fields,
  Output extends z.ZodMiniType = z.ZodMiniType,
  Allowed extends Access = Access,
> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Below /api; `:name` parts become fields of the input. */
  path: string;
  access: Allowed;
  /** Parameters of path and query and the body, taken together as one object. */
  input: Input;
  output: Output;
  /** Sent as multipart, each part named as here, at most one file of each. */
  files?: Record<string, UploadRule>;
  /** Refusals in the envelope of the admission form (`isSuccess`, `code`, `message`, `errors`) rather than `{ error }`. */
  envelope?: boolean;
}

/** Declares an operation. Its types are the schemas'; forgetting `access` does not compile. */
export function endpoint<Input extends Fields, Output extends z.ZodMiniType, const Allowed extends Access>(
  operation: Endpoint<Input, Output, Allowed>,
): Endpoint<Input, Output, Allowed> {
  return operation;
}

/** What a caller gives. */
export type InputOf<Operation extends Endpoint> = z.input<Operation['input']>;
/** What the server's function is given. */
export type ParsedOf<Operation extends Endpoint> = z.output<Operation['input']>;
/** What a caller gets back. */
export type OutputOf<Operation extends Endpoint> = z.output<Operation['output']>;
