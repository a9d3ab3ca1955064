/** Every way a request can be refused, with its HTTP status. Browsers branch on these codes and on nothing else. */
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

/** Messages by the name of the form field they belong to. */
export type FieldErrors = Record<string, string>;

interface More {
  fields?: FieldErrors;
  /** What the browser needs to offer a choice, such as the two times of a stale save. */
  data?: Record<string, unknown>;
  /** Seconds after which trying again makes sense. */
  retryAfter?: number;
}

/** A failure a person can be told about. Whatever else is thrown is a bug. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors;
  readonly data: Record<string, unknown> | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, { fields = {}, data, retryAfter }: More = {}) {
    super(message);
    this.name = 'AppError';
    this.code = code;
    this.fields = fields;
    this.data = data;
    this.retryAfter = retryAfter;
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** The message of a refusal that concerns fields; each field says the rest. */
export const problemMessage = 'There is a problem';
/** The refusal of one field, and what is said beside it. */
export const fieldRefusal = (field: string, message: string) =>
  new AppError('invalid', problemMessage, { fields: { [field]: message } });
/** What anyone is told about a failure that is ours. */
export const unexpectedMessage = 'Something went wrong on our side. Nothing you entered is lost. Please try again.';
export const unavailableMessage =
  'The school’s system is busy just now. Nothing you entered is lost. Please try again in a minute.';
/** Said when no answer came: the line is gone, or it took too long. */
export const noConnectionMessage = 'No connection. Your answers are still here. Please try again.';
/** Said where nothing was entered that could be lost, and no answer came. */
export const awayMessage = 'The school’s system cannot be reached just now. Please try again.';
export const notFoundMessage = 'Not found.';
/** Said for every link that opens nothing, whatever the reason. */
export const deadLinkMessage =
  'This link does not open the form. What you typed is kept on this device. Open the school’s newest message.';
export const signedOutMessage = 'Please sign in.';
export const forbiddenMessage = 'You do not have access to this page';
export const confirmMessage = 'Please confirm that it is you.';
/** Said to who has no password to confirm with. */
export const signInAgainMessage =
  'This can be done within ten minutes of signing in. Please sign out, sign in again, and do it then.';
