import type { Endpoint } from '#kit/contract/endpoint.ts';
import { type ErrorCode, errorStatus, type FieldErrors, notFoundMessage } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';

type Answer = () => Promise<Response>;

const answers = new Map<string, Answer>();

/** Sets the answer of an operation in the gallery; a record in its path always has number 1. */
export function answered<Operation extends Endpoint>(operation: Operation, answer: Answer): Operation {
  answers.set(`/api${operation.path.replace(':id', '1')}`, answer);
  return operation;
}

/** The operation succeeds with this output. */
export const done =
  (output: object): Answer =>
  async () =>
    Response.json(output);

/** The operation is refused. */
export const refused =
  (code: ErrorCode, text: Text, { fields: texts, data }: { fields?: FieldErrors; data?: object } = {}): Answer =>
  async () =>
    Response.json({ error: { code, text, texts, data } }, { status: errorStatus[code] });

/** The server does not answer yet. */
export const busy: Answer = () => new Promise(() => undefined);

/** The server cannot be reached. */
export const away: Answer = () => Promise.reject(new TypeError('There is no server.'));

/** Answers in place of the server: the gallery shows its states without one. */
export function answerForServer() {
  window.fetch = (address) => {
    const [path = ''] = String(address).split('?');
    const answer = answers.get(path) ?? refused('not_found', notFoundMessage);
    return answer();
  };
}
