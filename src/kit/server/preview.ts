import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from './context.ts';

interface Outcome<Answer> {
  answer: Answer;
  /** The basis of the token: input, rows and row versions, never generated ids or times. */
  basis: unknown;
  /** The answer lists refusals, so nothing can be applied. */
  isRefused?: boolean;
}

export const changedMessage = text`The data has changed since the preview. Check the new preview.`;

/**
 * Runs an act completely or not at all. Without a token it runs in a savepoint that is rolled back; with the preview's
 * token it is applied, or refused as `stale` if its effects have changed. A preview must draw no official number.
 */
export async function previewOrApply<Answer extends object>(
  ctx: Pick<Context, 'db'>,
  confirmToken: string | undefined,
  act: (isPreview: boolean) => Promise<Outcome<Answer>>,
): Promise<Answer & { isApplied: boolean; confirmToken: string | null }> {
  const isPreview = confirmToken === undefined;
  if (isPreview) await sql`savepoint preview`.execute(ctx.db);
  const { answer, basis, isRefused = false } = await act(isPreview);
  await sql`set constraints all immediate`.execute(ctx.db);
  if (isPreview) await sql`rollback to savepoint preview`.execute(ctx.db);
  const token = createHash('sha256').update(JSON.stringify(basis)).digest('base64url');
  if (!isPreview && (isRefused || confirmToken !== token)) throw new AppError('stale', changedMessage);
  return { ...answer, isApplied: !isPreview, confirmToken: isRefused ? null : token };
}
