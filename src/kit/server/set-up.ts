import type { Text } from '#kit/contract/text.ts';
import type { UserContext } from './context.ts';

/** What is entered first into an empty system, with the page where that is done. */
export interface SetUpStep {
  key: string;
  /** Its place among the steps. */
  order: number;
  title: Text;
  /** The page, below the shell, and the words of its button. */
  to: string;
  act: Text;
  /** At most two statements. */
  read: (ctx: UserContext) => Promise<SetUpState>;
}

export interface SetUpState {
  isDone: boolean;
  /** What is there, with its count. */
  found: Text;
  /** What is still to be entered. */
  missing: Text;
}
