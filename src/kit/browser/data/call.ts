import { type Endpoint, type InputOf, linkNameOf, type OutputOf } from '#kit/contract/endpoint.ts';
import {
  AppError,
  type ErrorCode,
  errorStatus,
  type FieldErrors,
  noConnectionMessage,
  unexpectedMessage,
} from '#kit/contract/errors.ts';
import { isPreview } from '#kit/contract/preview.ts';
import type { Text } from '#kit/contract/text.ts';
import { uploadMessages } from '#kit/contract/uploads.ts';
import { currentLink } from './link.ts';
import { handleRefusal } from './refusals.ts';
import { sendFiles } from './send-files.ts';

interface Options {
  files?: Record<string, File>;
  /** Sent as Idempotency-Key: a repeated request gets the first answer instead of running twice. */
  key?: string;
  /** The page is being left: the request may outlive it if it is small. */
  isLeaving?: boolean;
  /** Called with the share of the files sent, 0 to 1; undefined while a lost connection is retried. */
  onProgress?: (sent: number | undefined) => void;
  /** Cancels the sending of files; the call then fails like one without an answer. */
  signal?: AbortSignal;
  isFile?: boolean;
  /** The caller itself reads changed data again, with `readAgain`. */
  readsLater?: boolean;
}

const patience = 60_000;

export type AfterAct = (operation: Endpoint) => Promise<unknown>;
let afterAct: AfterAct = () => Promise.resolve();

/** Registers `take` to read changed data again before an act's answer is returned. */
export const onAct = (take: AfterAct) => {
  afterAct = take;
};

/** Reads again the data that an act changes; does nothing after a preview. */
export const readAgain = async (operation: Endpoint, input: object): Promise<void> => {
  if (operation.changes && !isPreview(operation, input)) await afterAct(operation);
};

/**
 * Calls an operation of the server and returns its output. Throws an AppError with the server's code, message and field
 * errors; `unavailable` when there was no answer.
 */
export async function call<Operation extends Endpoint>(
  operation: Operation,
  input: InputOf<Operation>,
  options: Options = {},
): Promise<OutputOf<Operation>> {
  const { files = {}, isLeaving, onProgress, signal, isFile, readsLater } = options;
  const isTried = isPreview(operation, input as object);
  // A preview changes nothing: it may be repeated without a key, and its answer is not stored.
  const key = isTried ? undefined : options.key;
  const { url, rest } = addressOf(operation, input as Record<string, unknown>);
  const init: RequestInit = {
    method: operation.method,
    headers: { ...(key && { 'idempotency-key': key }) },
    ...(isLeaving && { keepalive: true }),
    ...(operation.method !== 'GET' && bodyOf(operation, rest, files)),
  };
  if (init.body && !(init.body instanceof FormData))
    init.headers = { ...init.headers, 'content-type': 'application/json' };

  const mayRepeat = key !== undefined || isTried || operation.method === 'GET';
  const [first] = Object.keys(files);
  const answer =
    first === undefined
      ? await persist(
          () => fetch(url, { ...init, signal: AbortSignal.timeout(patience) }),
          mayRepeat && navigator.onLine ? [1000] : [],
        )
      : await persist(
          () => sendFiles(url, init, { onProgress, signal, patience }),
          mayRepeat ? [1000, 3000, 9000] : [],
          {
            onWait: () => onProgress?.(undefined),
            signal,
          },
        );
  if (!answer) {
    const message = first === undefined ? noConnectionMessage : uploadMessages.failed;
    throw new AppError('unavailable', message, {
      fields: Object.fromEntries(Object.keys(files).map((name) => [name, message])),
    });
  }
  if (answer.ok) {
    const output = (await (isFile ? answer.blob() : answer.json())) as OutputOf<Operation>;
    if (!readsLater) await readAgain(operation, input as object);
    return output;
  }
  await handleRefusal(await refusalOf(answer), operation);
  return call(operation, input, options);
}

/** Loads a file from an operation; throws as `call` does. */
export const callForFile = <Operation extends Endpoint>(
  operation: Operation,
  input: InputOf<Operation>,
): Promise<Blob> => call(operation, input, { isFile: true }) as Promise<Blob>;

function addressOf({ method, path, access }: Endpoint, input: Record<string, unknown>) {
  const rest = { ...input };
  const filled = path.replace(/:(\w+)/g, (_, name: string) => {
    const value = rest[name];
    delete rest[name];
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  const link = linkNameOf(access);
  if (link) query.set(link, currentLink(link));
  if (method === 'GET') {
    for (const [name, value] of Object.entries(rest)) if (value !== undefined) query.set(name, String(value ?? ''));
  }
  return { url: `/api${filled}${query.size > 0 ? `?${query}` : ''}`, rest };
}

function bodyOf(operation: Endpoint, fields: Record<string, unknown>, files: Record<string, File>): { body: BodyInit } {
  if (!operation.files) return { body: JSON.stringify(fields) };
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) form.append(name, value === null ? '' : String(value));
  }
  for (const [name, file] of Object.entries(files)) form.append(name, file);
  return { body: form };
}

/**
 * Retries after each pause, in milliseconds: phones often lose the connection for just a moment. Returns undefined
 * without an answer.
 */
async function persist(
  send: () => Promise<Response>,
  pauses: number[],
  { onWait, signal }: { onWait?: () => void; signal?: AbortSignal } = {},
): Promise<Response | undefined> {
  for (const pause of [...pauses, undefined]) {
    const answer = await send().catch((error: Error) => error);
    if (answer instanceof Response) return answer;
    // A connection that was too slow for this size will be too slow again.
    if (pause === undefined || signal?.aborted || answer.name === 'TimeoutError') return undefined;
    onWait?.();
    await new Promise((go) => {
      const timer = setTimeout(go, pause);
      signal?.addEventListener('abort', () => {
        clearTimeout(timer);
        go(undefined);
      });
    });
    if (signal?.aborted) return undefined;
  }
  return undefined;
}

interface Refusal {
  code?: string;
  text?: Text;
  texts?: FieldErrors;
  data?: Record<string, unknown>;
  error?: { code?: string; text?: Text; texts?: FieldErrors; data?: Record<string, unknown> };
}

/** Both bodies of a refusal: the admission form's envelope and the general `{ error }`. */
async function refusalOf(answer: Response): Promise<AppError> {
  const body = (await answer.json().catch(() => ({}))) as Refusal;
  const { code, text, data, texts } = { ...body, ...body.error };
  const isKnown = code !== undefined && code in errorStatus;
  return new AppError(isKnown ? (code as ErrorCode) : 'unexpected', text ?? unexpectedMessage, {
    fields: texts,
    data,
  });
}
