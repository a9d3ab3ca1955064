import { useState } from 'react';
import { useConfirmed } from '#kit/browser/ui/confirmed.ts';
import type { Endpoint, InputOf, OutputOf } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import type { Previewed } from '#kit/contract/preview.ts';
import { text } from '#kit/contract/text.ts';
import { useActKey } from './act-key.ts';
import { type Attempt, useAttempt } from './attempt.tsx';
import { call } from './call.ts';

type AnswerOf<Operation extends Endpoint> = OutputOf<Operation> & Previewed;

interface Shown<Operation extends Endpoint> {
  input: InputOf<Operation>;
  answer: AnswerOf<Operation>;
}

export interface Preview<Operation extends Endpoint> extends Omit<Attempt, 'attempt'> {
  /** The previewed input and its effects; undefined before the first preview and after `close`. */
  shown: Shown<Operation> | undefined;
  /** Requests a preview and shows it. An input may have to be read first, for example from a file. */
  show: (input: InputOf<Operation> | (() => Promise<InputOf<Operation>>)) => Promise<AnswerOf<Operation> | undefined>;
  /** Shows a preview that a form has requested. */
  take: (input: InputOf<Operation>, answer: OutputOf<Operation>) => void;
  /** Applies the preview. If the effects have changed, shows the new preview and says so. */
  apply: () => Promise<AnswerOf<Operation> | undefined>;
  close: () => void;
}

const changed = text`The data has changed since the preview. Check the new preview.`;

const isReader = <Input,>(input: Input | (() => Promise<Input>)): input is () => Promise<Input> =>
  typeof input === 'function';

/**
 * An act that is previewed before it is applied: `previewOrApply` on the server, `PreviewDialog` on the page. A preview
 * that `isPlain` is applied without a question.
 */
export function usePreview<Operation extends Endpoint>(
  operation: Operation,
  isPlain: (answer: AnswerOf<Operation>) => boolean = () => false,
): Preview<Operation> {
  const { attempt, ...state } = useAttempt();
  const confirmed = useConfirmed();
  const actKey = useActKey();
  const [shown, setShown] = useState<Shown<Operation>>();
  const ask = async (input: InputOf<Operation>): Promise<Shown<Operation>> => {
    const answer = await confirmed(() => call(operation, input));
    return { input, answer: answer as AnswerOf<Operation> };
  };
  const apply = async ({ input, answer: { confirmToken } }: Shown<Operation>) => {
    const confirmedInput = { ...(input as object), confirmToken } as InputOf<Operation>;
    try {
      const key = actKey.keyFor(confirmedInput);
      const answer = await confirmed(() => call(operation, confirmedInput, { key }));
      actKey.end();
      return answer as AnswerOf<Operation>;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'stale') throw error;
      setShown(await ask(input));
      throw new AppError('stale', changed);
    }
  };
  return {
    ...state,
    shown,
    show: (input) =>
      attempt(async () => {
        const asked = await ask(isReader(input) ? await input() : input);
        if (isPlain(asked.answer)) return apply(asked);
        setShown(asked);
        return asked.answer;
      }),
    take: (input, answer) => setShown({ input, answer: answer as AnswerOf<Operation> }),
    apply: () => attempt(async () => shown && apply(shown)),
    close: () => {
      setShown(undefined);
      state.forget();
    },
  };
}
