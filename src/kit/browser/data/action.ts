import { useConfirmed } from '#kit/browser/ui/confirmed.ts';
import type { Endpoint, InputOf, OutputOf } from '#kit/contract/endpoint.ts';
import { AppError, type ErrorCode, unexpectedMessage } from '#kit/contract/errors.ts';
import { useActKey } from './act-key.ts';
import { type Attempt, useAttempt } from './attempt.tsx';
import { call, readAgain } from './call.ts';

interface Action<Operation extends Endpoint> extends Omit<Attempt, 'attempt'> {
  /**
   * Returns the answer; undefined where the act was refused or the previous one is still running. A key that outlives the
   * page replaces its own Idempotency-Key.
   */
  run: (
    input: InputOf<Operation>,
    key?: string,
    files?: Record<string, File>,
  ) => Promise<OutputOf<Operation> | undefined>;
}

interface Options {
  /** Called on a refusal, for a page that shows it elsewhere than beside the button. */
  onRefused?: (refused: AppError) => unknown;
}

/** Refusals after which the page's data may be outdated. */
const outdated: readonly ErrorCode[] = ['stale', 'conflict', 'not_found'];

/**
 * Runs an act of the server from a button, one at a time: it retries under the same Idempotency-Key, asks for the
 * password where needed, and reads the changed data again before `run` ends. `problem` is the reason of a refusal.
 */
export function useAction<Operation extends Endpoint>(
  operation: Operation,
  { onRefused }: Options = {},
): Action<Operation> {
  const { attempt, ...state } = useAttempt();
  const confirmed = useConfirmed();
  const actKey = useActKey();
  const run = (input: InputOf<Operation>, key = actKey.keyFor(input), files?: Record<string, File>) =>
    attempt(async () => {
      try {
        const answer = await confirmed(() => call(operation, input, { key, ...(files && { files }) }));
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
