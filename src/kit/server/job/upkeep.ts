import type { Logger } from 'pino';
import type { Services } from '#kit/server/context.ts';

/** A piece of what every start and every hour do. */
export interface Piece {
  name: string;
  act: () => Promise<unknown>;
}

interface Upkeep {
  /** Does the pieces that are due, one after another, so that they take one connection at a time. */
  look: () => Promise<void>;
  stop: () => Promise<void>;
}

const minute = 60_000;
const hour = 60 * minute;

/** A piece that failed is due after 1, 2, 4 … minutes, at most an hour. */
const pauseAfter = (tries: number) => Math.min(hour, minute * 2 ** (tries - 1));

/**
 * Keeps a school in order: each piece at the start and every hour, in this order. One that fails holds up no other. With
 * `findDue`, the pieces that it names are done at each look instead.
 */
export function openUpkeep(
  { db, now }: Pick<Services, 'db' | 'now'>,
  log: Pick<Logger, 'warn'>,
  pieces: readonly Piece[],
  findDue?: () => Promise<ReadonlySet<string>>,
): Upkeep {
  const states = pieces.map((piece) => ({ ...piece, dueAt: 0, tries: 0 }));
  let isStopping = false;

  const attempt = async (state: (typeof states)[number]) => {
    try {
      await state.act();
      state.tries = 0;
      state.dueAt = findDue ? 0 : now().getTime() + hour;
      await write(state.name, { last_ok_at: now(), tries: 0, error: '' });
    } catch (error) {
      state.tries++;
      state.dueAt = now().getTime() + pauseAfter(state.tries);
      const minutes = pauseAfter(state.tries) / minute;
      log.warn({ error }, `Upkeep "${state.name}" failed; it is tried again in ${minutes} minutes`);
      const message = (error as Error).message.slice(0, 200);
      await write(state.name, { failed_at: now(), tries: state.tries, error: message });
    }
  };
  /** While the database is unreachable the log alone has it. */
  const write = (name: string, row: { last_ok_at?: Date; failed_at?: Date; tries: number; error: string }) =>
    db
      .insertInto('upkeep')
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column('name').doUpdateSet(row))
      .execute()
      .catch(() => undefined);

  const look = async () => {
    // An unreachable database is reported by whatever needs it.
    const due = await findDue?.().catch(() => new Set<string>());
    for (const state of states) {
      if (isStopping) return;
      if (state.dueAt <= now().getTime() && (due?.has(state.name) ?? true)) await attempt(state);
    }
  };
  let looking: Promise<void> = Promise.resolve();
  return {
    look: () => {
      looking = looking.then(look);
      return looking;
    },
    stop: () => {
      isStopping = true;
      return looking;
    },
  };
}
