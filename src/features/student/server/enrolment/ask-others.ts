import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import type { ActingContext } from '#kit/server/context.ts';
import { ask } from '#kit/server/hook.ts';
import { type EnrolmentChange, enrolmentHook } from '../../contract/hooks.ts';

/** What the other features say of changed enrolments, for the preview of the act and its token. */
export async function askOthers(ctx: ActingContext, changes: readonly EnrolmentChange[]) {
  const others = changes.length > 0 ? await ask(ctx, enrolmentHook, changes) : [];
  return {
    texts: others.flatMap(({ output }) => output.texts),
    blocks: others.flatMap(({ output }) => output.blocks),
    basis: others.map(({ output }) => output.basis),
    each: others.flatMap(({ output }) => output.each ?? []),
    /** By enrolment and the word of the feature that keeps it. */
    kept: Object.fromEntries(
      changes.map(({ enrollmentId: id }) => [
        id,
        Object.fromEntries(
          others.flatMap(({ by, output }) => (output.kept && id in output.kept ? [[by, output.kept[id]]] : [])),
        ),
      ]),
    ) as Record<number, Record<string, unknown>>,
  };
}

/** The same, for acts without a preview: throws `conflict` where another feature blocks it. */
export async function askUnblocked(ctx: ActingContext, changes: readonly EnrolmentChange[]) {
  const others = await askOthers(ctx, changes);
  const [block] = others.blocks;
  if (block) throw new AppError('conflict', block);
  return others;
}

/** Locks the enrolments of open years that a category of students applies to from a day, and returns the changes. */
export async function lockForCategory(
  { db }: Pick<ActingContext, 'db'>,
  studentIds: readonly number[],
  from: string,
): Promise<EnrolmentChange[]> {
  const years = await db
    .selectFrom('academic_year')
    .where('status', '<>', 'Closed')
    .where('ends_on', '>=', from)
    .select('id')
    .orderBy('id')
    .forShare()
    .execute();
  const { rows } = await sql<{ id: number; student_id: number; academic_year_id: number; day: string }>`
    select id, student_id, academic_year_id, greatest(joined_on, ${from}::date) as day from student_enrollment
    where student_id = any(${studentIds}::integer[]) and academic_year_id = any(${years.map(({ id }) => id)}::integer[])
      and is_standing and coalesce(left_on, 'infinity') >= ${from}::date
    order by id for update`.execute(db);
  return rows.map(({ id, student_id, academic_year_id, day }) => ({
    studentId: student_id,
    enrollmentId: id,
    yearId: academic_year_id,
    kind: 'category',
    day,
  }));
}
