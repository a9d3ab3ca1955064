import { english, type Text, text, verbatim } from './text.ts';

/** The codes of every refusal, with their HTTP status. Browsers branch on these codes only. */
export const errorStatus = {
  malformed: 400,
  signed_out: 401,
  forbidden: 403,
  confirm_required: 403,
  sign_in_again: 403,
  cross_site: 403,
  consent_required: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  stale: 409,
  already_submitted: 409,
  too_large: 413,
  too_long: 414,
  unsupported: 415,
  invalid: 422,
  too_many_tries: 429,
  unexpected: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** Why fields were refused, by the name of the field. */
export type FieldErrors = Record<string, Text>;

interface More {
  fields?: FieldErrors;
  /** Data for offering a choice in the browser, such as the two times of a stale save. */
  data?: Record<string, unknown>;
  /** Seconds after which a retry makes sense. */
  retryAfter?: number;
}

/** A failure whose message may be shown to people. Any other thrown error is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly text: Text;
  readonly fields: FieldErrors;
  readonly data: Record<string, unknown> | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, text: Text, { fields = {}, data, retryAfter }: More = {}) {
    super(english(text));
    this.name = 'AppError';
    this.code = code;
    this.text = text;
    this.fields = fields;
    this.data = data;
    this.retryAfter = retryAfter;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** A request that none of our pages sends. The reason is for the programmer who sent it, so it is in English only. */
export const malformed = (why: string, code: 'malformed' | 'unsupported' = 'malformed') =>
  new AppError(code, verbatim(why));
/** The message of a refusal that concerns fields; each field has its own message too. */
export const problemMessage = text`There is a problem`;
/** The refusal of one field, with its message. */
export const fieldRefusal = (field: string, message: Text) =>
  new AppError('invalid', problemMessage, { fields: { [field]: message } });
/** The message of an internal failure. */
export const unexpectedMessage = text`Something went wrong on our side. Nothing you entered is lost. Try again.`;
export const unavailableMessage = text`The school’s system is busy. Nothing you entered is lost. Try again in a minute.`;
/** Shown when there was no answer: no connection, or a timeout. */
export const noConnectionMessage = text`No connection. Your answers are still here. Try again.`;
/** Shown when there was no answer and no input could be lost. */
export const awayMessage = text`The school’s system can’t be reached. Try again.`;
export const notFoundMessage = text`Not found.`;
/** Shown when a save was made from an older version. */
export const staleMessage = text`Someone else has changed this. Check it and try again.`;
/** Shown for every invalid link, whatever the reason. */
export const deadLinkMessage = text`This link no longer works. Open our latest message. Your answers are kept on this device.`;
export const signedOutMessage = text`Sign in to continue.`;
export const forbiddenMessage = text`You do not have access to this page`;
/** Shown to the holder of a link who has not proved on this device to be its person. */
export const proveMessage = text`Confirm with a code that it is you.`;
export const confirmMessage = text`Enter your password again to continue.`;
/** Shown to a user who has no password to confirm with. */
export const signInAgainMessage = text`Sign in again to do this. Your last sign-in was over 10 minutes ago.`;
