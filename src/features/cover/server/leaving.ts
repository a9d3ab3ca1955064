import { sql } from 'kysely';
import { relieveHook } from '#features/staff/contract/hooks.ts';
import { text } from '#kit/contract/text.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { answer } from '#kit/server/hook.ts';
import { endCovers } from './give.ts';

interface Asked {
  staffId: number;
  lastDay: string;
}

const laterOf = ({ db }: Pick<ActingContext, 'db'>, { staffId, lastDay }: Asked) =>
  sql<{ id: number; version: number }>`select id, version from cover
    where ${staffId} in (staff_id, absent_id) and day > ${lastDay}::date and state = 'Given'
    order by id for update`.execute(db);

/** Covers after the last day of a teacher end: those they take, and those of their own classes. */
export const answerLeaving = answer(relieveHook, { by: 'cover', step: 7, lock: laterOf }, async (ctx, asked) => {
  const { rows } = await laterOf(ctx, asked);
  if (rows.length > 0)
    await endCovers(
      ctx,
      rows.map(({ id }) => id),
    );
  return {
    ends:
      rows.length > 0
        ? [
            text(
              { message: '{n, plural, one {# substitute} other {# substitutes}} after the last day will end.' },
              { n: rows.length },
            ),
          ]
        : [],
    blocks: [],
    basis: rows.map(({ id, version }) => [id, version]),
  };
});
