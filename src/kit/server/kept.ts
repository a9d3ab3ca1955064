/** Slow answers that this process keeps for each account, so that a page opened again does not count everything again. */
export interface Kept {
  /** The answer kept under the key, or what `read` gives; another account never gets it. */
  read: <Answer>(accountId: number, key: string, read: () => Promise<Answer>) => Promise<Answer>;
  /** Drops all of an account: its own acts are seen at once. */
  forget: (accountId: number) => void;
}

interface Own {
  /** When to drop them, in milliseconds since the process began. */
  until: number;
  answers: Map<string, unknown>;
}

const mostAccounts = 1000;

/**
 * Keeps answers that took at least `slow` milliseconds for `keptFor` milliseconds, counted for all of an account from the
 * first.
 */
export function openKept({ slow, keptFor = 60_000 }: { slow: number; keptFor?: number }): Kept {
  const accounts = new Map<number, Own>();
  const ownOf = (accountId: number): Own => {
    const own = accounts.get(accountId);
    if (own && performance.now() < own.until) return own;
    accounts.delete(accountId);
    const [oldest] = accounts.keys();
    if (accounts.size >= mostAccounts && oldest !== undefined) accounts.delete(oldest);
    const next = { until: performance.now() + keptFor, answers: new Map<string, unknown>() };
    accounts.set(accountId, next);
    return next;
  };
  return {
    read: async <Answer>(accountId: number, key: string, read: () => Promise<Answer>): Promise<Answer> => {
      // If the account acts during the read, this map has been dropped, and the outdated answer with it.
      const { answers } = ownOf(accountId);
      if (answers.has(key)) return answers.get(key) as Answer;
      const from = performance.now();
      const answer = await read();
      if (performance.now() - from >= slow) answers.set(key, answer);
      return answer;
    },
    forget: (accountId) => {
      accounts.delete(accountId);
    },
  };
}
