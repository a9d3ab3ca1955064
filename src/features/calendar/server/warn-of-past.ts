import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { Text } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { ask } from '#kit/server/hook.ts';
import { calendarMessages } from '../contract/calendar.ts';
import { calendarHook } from '../contract/hooks.ts';

interface Change {
  yearId: number;
  from: string;
  to: string;
}

interface Worked {
  day: string;
  gradeId: number;
  work: number;
}

/**
 * Changes days of a locked calendar. Where work of days until today changes on which another feature depends, it is refused with
 * a warning, and done once the warning comes back.
 */
export async function warnOfPast<Answer>(
  ctx: UserContext,
  { warned, ...change }: Change & { warned: string },
  act: () => Promise<Answer>,
): Promise<Answer> {
  const { answer, texts, basis } = await changePast(ctx, change, act);
  const token = createHash('sha256').update(JSON.stringify(basis)).digest('base64url');
  if (texts.length > 0 && warned !== token)
    throw new AppError('conflict', calendarMessages.changesPast, { data: { texts, token } });
  return answer;
}

/** Changes days of a locked calendar, and returns what depends on days until today whose work has changed. */
export async function changePast<Answer>(
  ctx: UserContext,
  { yearId, from, to }: Change,
  act: () => Promise<Answer>,
): Promise<{ answer: Answer; texts: Text[]; basis: unknown }> {
  const today = toLocalDate(ctx.now());
  const last = to < today ? to : today;
  if (from > last) return { answer: await act(), texts: [], basis: [] };
  const read = async () => {
    const { rows } = await sql<Worked>`select days.day::text, days.grade_id as "gradeId", days.work
      from academic_school_days(${yearId}, ${from}, ${last}) as days where days.grade_id is not null`.execute(ctx.db);
    return rows;
  };
  const before = new Map((await read()).map(({ day, gradeId, work }) => [`${day} ${gradeId}`, work]));
  const answer = await act();
  const days = (await read()).filter(({ day, gradeId, work }) => before.get(`${day} ${gradeId}`) !== work);
  if (days.length === 0) return { answer, texts: [], basis: [] };
  const said = await ask(ctx, calendarHook, { yearId, days: days.map(({ day, gradeId }) => ({ day, gradeId })) });
  return { answer, texts: said.flatMap(({ output }) => output.texts), basis: said };
}
