import { sql } from 'kysely';
import { showDate } from '#kit/contract/day.ts';
import { AppError, type FieldErrors, problemMessage } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { readSetting } from '#kit/server/settings.ts';
import { isEntry } from '../../contract/correction.ts';
import { openDays } from '../settings.ts';

export interface EntryLock {
  /** Since which day entries change by a correction alone; '' while they are open. */
  closedOn: string;
  /** The last day on which they are edited freely. */
  openUntil: string;
}

/** Whether the register entries of these students are closed: a certificate was issued, or their open days are over. */
export async function readEntryLocks(
  ctx: Pick<Context, 'db'>,
  today: string,
  ids: readonly number[],
): Promise<Map<number, EntryLock>> {
  const days = await readSetting(ctx, openDays);
  const { rows } = await sql<{ id: number; issuedOn: string | null; openUntil: string; nextDay: string }>`
    select student.id, (student.added_on + ${days}::integer)::text as "openUntil",
      (student.added_on + ${days}::integer + 1)::text as "nextDay",
      (select min(issued_on) from student_certificate where student_id = student.id)::text as "issuedOn"
    from student where id = any(${[...ids]}::integer[])`.execute(ctx.db);
  return new Map(
    rows.map(({ id, issuedOn, openUntil, nextDay }) => {
      const over = openUntil < today ? nextDay : '';
      const first = [issuedOn ?? '', over].filter(Boolean).sort()[0] ?? '';
      return [id, { closedOn: first, openUntil }];
    }),
  );
}

const closedWords = (closedOn: string) =>
  text`Closed since ${{ day: showDate(closedOn) }}. Correct the register entry.`;

/** Throws where one of these changes is of a closed entry. */
export async function refuseClosedEntries(
  ctx: Pick<Context, 'db' | 'now'>,
  id: number,
  changed: readonly string[],
  before: Readonly<Record<string, unknown>>,
): Promise<void> {
  const names = changed.filter((name) => isEntry(name, before[name]));
  if (names.length === 0) return;
  const { closedOn = '' } = (await readEntryLocks(ctx, toLocalDate(ctx.now()), [id])).get(id) ?? {};
  if (closedOn === '') return;
  const errors: FieldErrors = Object.fromEntries(names.map((name) => [name, closedWords(closedOn)]));
  throw new AppError('invalid', problemMessage, { fields: errors });
}
