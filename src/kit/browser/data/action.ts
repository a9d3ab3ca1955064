import { useConfirmed } from '#kit/browser/ui/confirmed.ts';
import type { Endpoint, InputOf, OutputOf } from '#kit/contract/endpoint.ts';
import { AppError, type ErrorCode, unexpectedMessage } from '#kit/contract/errors.ts';
import { useActKey } from './act-key.ts';
import { type Attempt, useAttempt } from './attempt.tsx';
import { call, readAgain } from './call.ts';

interface Action<Operation extends Endpoint> extends Omit<Attempt, 'attempt'> {
  /** Gives the answer; undefined where the act was refused, and where the one before is not over yet. */
  run: (input: InputOf<Operation>) => Promise<OutputOf<Operation> | undefined>;
}

interface Options {
  /** Told of a refusal, for a page that shows it elsewhere than beside the button. */
  onRefused?: (refused: AppError) => unknown;
}

/** Refusals after which the page may be as old as the act. */
const outdated: readonly ErrorCode[] = ['stale', 'conflict', 'not_found'];

/**
 * One act of the server, asked for by a button: a second press does nothing while the first is under way, a lost answer is
 * asked for again under the same Idempotency-Key, a fresh proof is asked for where the act wants one, and what the act
 * changes is read again before `run` ends. `problem` says why it was refused; what may be out of date then is read again, too.
 */
export function useAction<Operation extends Endpoint>(
  operation: Operation,
  { onRefused }: Options = {},
): Action<Operation> {
  const { attempt, ...state } = useAttempt();
  const confirmed = useConfirmed();
  const actKey = useActKey();
  const run = (input: InputOf<Operation>) =>
    attempt(async () => {
      const key = actKey.keyFor(input);
      try {
        const answer = await confirmed(() => call(operation, input, { key }));
        actKey.end();
        return answer;
      } catch (error) {
        const refused = error instanceof AppError ? error : new AppError('unexpected', unexpectedMessage);
        if (outdated.includes(refused.code)) await readAgain(operation, input as object);
        onRefused?.(refused);
        throw error;
      }
    });
  return { run, ...state };
}
