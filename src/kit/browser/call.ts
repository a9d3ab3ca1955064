import type { Endpoint, InputOf, OutputOf } from '#kit/contract/endpoint.ts';
import { AppError, type ErrorCode, errorStatus, type FieldErrors, unexpectedMessage } from '#kit/contract/errors.ts';
import { currentLink } from './link.ts';

interface Options {
  files?: Record<string, File>;
  /** Sent as Idempotency-Key: the same request again gets its first answer instead of happening twice. */
  key?: string;
  /** The page is going away: the request outlives it, if it is small. */
  isLeaving?: boolean;
}

/** Said when no answer came: the line is gone, or it took too long. */
export const noConnectionMessage = 'No connection. Your answers are still here. Please try again.';

const patience = 60_000;

/**
 * Calls an operation of the server and gives its output. Throws an AppError with the server's code, message and field
 * errors; `unavailable` when no answer came at all.
 */
export async function call<Operation extends Endpoint>(
  operation: Operation,
  input: InputOf<Operation>,
  { files, key, isLeaving }: Options = {},
): Promise<OutputOf<Operation>> {
  const { url, rest } = addressOf(operation, input as Record<string, unknown>);
  const init: RequestInit = {
    method: operation.method,
    headers: { ...(key && { 'idempotency-key': key }) },
    ...(isLeaving && { keepalive: true }),
    ...(operation.method !== 'GET' && bodyOf(operation, rest, files)),
  };
  if (init.body && !(init.body instanceof FormData))
    init.headers = { ...init.headers, 'content-type': 'application/json' };

  const answer = await send(url, init, key !== undefined || operation.method === 'GET');
  if (!answer.ok) throw await refusalOf(answer);
  return (await answer.json()) as OutputOf<Operation>;
}

function addressOf({ method, path, access }: Endpoint, input: Record<string, unknown>) {
  const rest = { ...input };
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  if (access === 'link') query.set('inquiryNo', currentLink());
  if (method === 'GET') {
    for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, String(value));
  }
  return { url: `/api${filled}${query.size > 0 ? `?${query}` : ''}`, rest };
}

function bodyOf(
  operation: Endpoint,
  fields: Record<string, unknown>,
  files: Options['files'] = {},
): { body: BodyInit } {
  if (!operation.files) return { body: JSON.stringify(fields) };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, value === null ? '' : String(value));
  }
  for (const [name, file] of Object.entries(files)) form.append(name, file);
  return { body: form };
}

/** One more try after a second where that can do no harm: lines of phones are often away for just a moment. */
async function send(url: string, init: RequestInit, mayRepeat: boolean): Promise<Response> {
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(patience) });
  } catch {
    if (!mayRepeat) throw new AppError('unavailable', noConnectionMessage);
  }
  await new Promise((go) => setTimeout(go, 1000));
  try {
    return await fetch(url, { ...init, signal: AbortSignal.timeout(patience) });
  } catch {
    throw new AppError('unavailable', noConnectionMessage);
  }
}

interface Refusal {
  code?: string;
  message?: string;
  errors?: FieldErrors;
  data?: Record<string, unknown>;
  error?: { code?: string; message?: string; fields?: FieldErrors; data?: Record<string, unknown> };
}

/** Both bodies of a refusal: the admission form's envelope and the general `{ error }`. */
async function refusalOf(answer: Response): Promise<AppError> {
  const body = (await answer.json().catch(() => ({}))) as Refusal;
  const { code, message, data, fields } = { ...body, fields: body.errors, ...body.error };
  const isKnown = code !== undefined && code in errorStatus;
  return new AppError(isKnown ? (code as ErrorCode) : 'unexpected', message ?? unexpectedMessage, { fields, data });
}
