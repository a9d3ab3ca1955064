import { type ReactNode, useRef, useState } from 'react';
import { translate } from '#kit/browser/text.ts';
import { keepFocus } from '#kit/browser/ui/keep-focus.ts';
import { AppError, awayMessage, unexpectedMessage } from '#kit/contract/errors.ts';

/** Why something failed, in the reader's words. */
export function errorMessage(error: unknown): string {
  if (!(error instanceof AppError)) return translate(unexpectedMessage);
  if (error.code === 'unavailable') return translate(awayMessage);
  const [problem = error.text] = Object.values(error.fields);
  return translate(problem);
}

export interface Attempt {
  /** Returns undefined where the work failed or the previous one is still running. */
  attempt: <Result>(work: () => Promise<Result>) => Promise<Result | undefined>;
  isBusy: boolean;
  /** The reason of a failure, shown beside the button. */
  problem: ReactNode;
  /** The data of a failure, from which the page offers a choice. */
  data: AppError['data'];
  /** Clears the problem when it no longer applies. */
  forget: () => void;
}

/** For a button whose work is not one act of the server, such as a download. One at a time. */
export function useAttempt(): Attempt {
  // Not its words: they follow the reader's language.
  const [failure, setFailure] = useState<{ error: unknown }>();
  const [data, setData] = useState<AppError['data']>();
  const [isBusy, setBusy] = useState(false);
  // A second press may come before the page shows the first one.
  const isGoing = useRef(false);
  return {
    attempt: async (work) => {
      if (isGoing.current) return undefined;
      isGoing.current = true;
      const pressed = document.activeElement;
      setBusy(true);
      setFailure(undefined);
      setData(undefined);
      try {
        return await work();
      } catch (error) {
        setFailure({ error });
        if (error instanceof AppError) setData(error.data);
        return undefined;
      } finally {
        isGoing.current = false;
        setBusy(false);
        keepFocus(pressed);
      }
    },
    isBusy,
    data,
    forget: () => {
      setFailure(undefined);
      setData(undefined);
    },
    problem: (
      <p role="alert" className="error attempt">
        {failure && errorMessage(failure.error)}
      </p>
    ),
  };
}
