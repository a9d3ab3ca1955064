import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { ask } from '#kit/server/hook.ts';
import { calendarMessages } from '../contract/calendar.ts';
import { schoolDaysChanged } from '../contract/hooks.ts';

interface Change {
  yearId: number;
  from: string;
  to: string;
}

interface Stored {
  day: string;
  gradeId: number | null;
  kind: string;
  work: number;
}

/**
 * Changes days of a locked calendar, with all that depends on them. Where there is such, it is refused with what the features
 * say, and done once their token comes back.
 */
export async function askAndChange<Answer>(
  ctx: UserContext,
  { warned, ...change }: Change & { warned: string },
  act: () => Promise<Answer>,
): Promise<Answer> {
  const { answer, texts, basis } = await changeDays(ctx, change, act);
  const token = createHash('sha256').update(JSON.stringify(basis)).digest('base64url');
  if (texts.length > 0 && warned !== token)
    throw new AppError('conflict', calendarMessages.changesOthers, { data: { texts, token } });
  return answer;
}

/** Changes days of a locked calendar, lets the features follow, and returns what they say. */
export async function changeDays<Answer>(
  ctx: UserContext,
  { yearId, from, to }: Change,
  act: () => Promise<Answer>,
): Promise<{ answer: Answer; texts: Text[]; basis: unknown }> {
  if (from > to) return { answer: await act(), texts: [], basis: [] };
  const read = async () => {
    const { rows } = await sql<Stored>`select days.day::text, days.grade_id as "gradeId", days.kind, days.work
      from academic_school_days(${yearId}, ${from}, ${to}) as days`.execute(ctx.db);
    return rows;
  };
  const before = new Map((await read()).map((stored) => [`${stored.day} ${stored.gradeId}`, stored]));
  const answer = await act();
  const days = (await read()).flatMap(({ day, gradeId, kind, work }) => {
    const was = before.get(`${day} ${gradeId}`);
    return was?.kind === kind && was.work === work ? [] : [{ day, gradeId, was: was?.work ?? 0, work }];
  });
  if (days.length === 0) return { answer, texts: [], basis: [] };
  const said = await ask(ctx, schoolDaysChanged, { yearId, from, to, days });
  return { answer, texts: said.flatMap(({ output: { moves, warns } }) => [...moves, ...warns]), basis: said };
}
