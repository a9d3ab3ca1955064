import { vi } from 'vitest';
import { type ErrorCode, errorStatus } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';

/** A request of a page. A file is represented by its name. */
export interface Sent {
  method: string;
  /** With `/api`, without the query. */
  path: string;
  query: Record<string, string>;
  fields: Record<string, unknown>;
  isMultipart: boolean;
  /** The Idempotency-Key. */
  key: string | null;
}

/** The body of an answer, a complete Response, or undefined for a lost connection. */
type Answer = object | undefined;
export type Answers = Record<string, Answer | ((sent: Sent) => Answer | Promise<Answer>)>;

/** Replaces the server: answers by "GET /api/thing/:id", can get other answers later, and records all requests. */
export function fakeServer(answers: Answers) {
  const sent: Sent[] = [];
  const find = ({ method, path }: Sent) => {
    const name = `${method} ${path}`;
    const isLike = (known: string) => new RegExp(`^${known.replace(/:\w+/g, '[^/]+')}$`).test(name);
    const template = name in answers ? name : Object.keys(answers).find(isLike);
    if (!template) return refusal('not_found', `The test has no answer to ${name}.`);
    return answers[template];
  };
  const ask = async (address: string, { method = 'GET', headers, body }: RequestInit = {}) => {
    const { pathname: path, searchParams } = new URL(address, 'http://school.example');
    const isMultipart = body instanceof FormData;
    const request: Sent = {
      method,
      path,
      query: Object.fromEntries(searchParams),
      fields: isMultipart ? plain(body) : body ? JSON.parse(String(body)) : {},
      isMultipart,
      key: new Headers(headers).get('idempotency-key'),
    };
    sent.push(request);
    const found = find(request);
    const answer = typeof found === 'function' ? await found(request) : found;
    if (!answer) throw new TypeError('The line is gone.');
    return answer instanceof Response ? answer.clone() : Response.json(answer);
  };
  vi.stubGlobal('fetch', ask);
  vi.stubGlobal('XMLHttpRequest', uploadsTo(ask));
  return { answers, sent };
}

interface More {
  fields?: Record<string, string | Text>;
  data?: Record<string, unknown>;
}

const asText = (words: string | Text): Text => (typeof words === 'string' ? { id: words } : words);

/** A refusal, as the server answers it. */
export function refusal(code: ErrorCode, message: string | Text, { fields = {}, data }: More = {}) {
  const texts = Object.fromEntries(Object.entries(fields).map(([name, words]) => [name, asText(words)]));
  return Response.json({ error: { code, text: asText(message), texts, data } }, { status: errorStatus[code] });
}

const plain = (form: FormData) =>
  Object.fromEntries([...form].map(([name, value]) => [name, typeof value === 'string' ? value : value.name]));

/** The part of XMLHttpRequest that the kit's `sendFiles` uses. Half of the files is sent before the answer comes. */
const uploadsTo = (ask: (address: string, init: RequestInit) => Promise<Response>) =>
  class {
    upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
    onload?: () => void;
    onerror?: () => void;
    onabort?: () => void;
    status = 0;
    responseText = '';
    #address = '';
    #init: { method?: string; headers: Record<string, string> } = { headers: {} };
    #isAborted = false;

    open(method: string, address: string) {
      this.#address = address;
      this.#init.method = method;
    }
    setRequestHeader(name: string, value: string) {
      this.#init.headers[name] = value;
    }
    abort() {
      this.#isAborted = true;
      this.onabort?.();
    }
    async send(body: RequestInit['body']) {
      this.upload.onprogress?.({ loaded: 1, total: 2 });
      const answer = await ask(this.#address, { ...this.#init, body }).catch(() => undefined);
      if (this.#isAborted) return;
      this.status = answer?.status ?? 0;
      this.responseText = (await answer?.text()) ?? '';
      if (answer) this.onload?.();
      else this.onerror?.();
    }
  };
