import { type ReactNode, useState } from 'react';
import { said } from '#kit/browser/text.ts';
import { AppError, awayMessage, unexpectedMessage } from '#kit/contract/errors.ts';

/** Why something did not happen, in words for whoever asked for it outside a form. */
export function whyNot(error: unknown): string {
  if (!(error instanceof AppError)) return said(unexpectedMessage);
  if (error.code === 'unavailable') return said(awayMessage);
  const [problem = error.message] = Object.values(error.fields);
  return said(problem);
}

interface Attempt {
  /** Ends when the deed is done, or why it is not is said. */
  attempt: (deed: () => Promise<unknown>) => Promise<void>;
  /** Takes back what is said, once it is about something else. */
  forget: () => void;
  /** Stands beside the button, and says why it did not happen. */
  problem: ReactNode;
}

/** For a button that does something at once, outside a form. */
export function useAttempt(): Attempt {
  const [problem, setProblem] = useState('');
  return {
    attempt: async (deed) => {
      setProblem('');
      await deed().catch((error: unknown) => setProblem(whyNot(error)));
    },
    forget: () => setProblem(''),
    problem: (
      <p role="alert" className="error attempt">
        {problem}
      </p>
    ),
  };
}
