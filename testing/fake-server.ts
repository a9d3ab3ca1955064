import { vi } from 'vitest';
import { type ErrorCode, errorStatus, type FieldErrors } from '#kit/contract/errors.ts';

/** A call that a page made. */
interface Call {
  method: string;
  path: string;
  query: Record<string, string>;
  body: Record<string, unknown>;
  key: string | null;
}

/**
 * Answers the calls of a component test: what a page asks for as "GET /api/…" gets the answer of that name, or what the
 * function of that name gives. Anything else gets the refusal `not_found`. Gives the calls in their order.
 */
export function fakeServer(answers: Record<string, unknown>) {
  const calls: Call[] = [];
  vi.stubGlobal('fetch', async (address: string, { method = 'GET', body, headers }: RequestInit = {}) => {
    const { pathname: path, searchParams } = new URL(address, 'http://127.0.0.1');
    const query = Object.fromEntries(searchParams);
    const key = new Headers(headers).get('idempotency-key');
    const call: Call = { method, path, query, body: typeof body === 'string' ? JSON.parse(body) : {}, key };
    calls.push(call);
    const answer = answers[`${method} ${path}`] ?? refusal('not_found', 'The test has no answer to this.');
    const given: unknown = typeof answer === 'function' ? await answer(call) : answer;
    return given instanceof Response ? given.clone() : Response.json(given);
  });
  return calls;
}

interface More {
  fields?: FieldErrors;
  data?: Record<string, unknown>;
}

/** A refusal, as the server answers it. */
export const refusal = (code: ErrorCode, message: string, more: More = {}) =>
  Response.json({ error: { code, message, ...more } }, { status: errorStatus[code] });
