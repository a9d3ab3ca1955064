import { createHash } from 'node:crypto';
import { AppError } from '#kit/contract/errors.ts';
import { verbatim } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { prepared } from '#kit/server/database/database.ts';
import { open, seal } from '#kit/server/security/sealed.ts';

interface Request {
  /** The owner of the key; two families may use the same one. */
  owner: string;
  key: string;
  fingerprint: Buffer;
}

/** Without values: one that cannot be converted to text would throw. */
const byName = ([left]: [string, unknown], [right]: [string, unknown]) => (left < right ? -1 : 1);

/** A hash of the whole request: a key that is reused for another request is refused. */
export function fingerprintOf(operation: string, values: object, files: Context['uploads']): Buffer {
  const hash = createHash('sha256')
    .update(operation)
    .update(JSON.stringify(Object.entries(values).sort(byName)));
  for (const [field, file] of Object.entries(files).sort(byName)) hash.update(field).update(file?.sha256 ?? '');
  return hash.digest();
}

/**
 * Runs a request once per Idempotency-Key and returns its first answer for every repetition (K1, B16). The key's row is
 * inserted in the business transaction, so of two simultaneous requests the second waits.
 */
export async function withIdempotency(ctx: Context, request: Request, act: () => Promise<unknown>): Promise<unknown> {
  const { owner, key, fingerprint } = request;
  const place = `repeated_request:${owner}:${key}`;
  const taken = await takeKey(ctx.db, { owner, key, fingerprint });
  if (taken.length === 0) return firstAnswer(ctx, request, place);

  const answer = await act();
  await keepAnswer(ctx.db, { owner, key, answer: seal(ctx.keys.data, place, JSON.stringify(answer)) });
  return answer;
}

const takeKey = prepared((db, row: Request) =>
  db
    .insertInto('repeated_request')
    .values({ ...row, status: 0, answer: Buffer.alloc(0) })
    .onConflict((conflict) => conflict.doNothing())
    .returning('status'),
);

const keepAnswer = prepared((db, { owner, key, answer }: { owner: string; key: string; answer: Buffer }) =>
  db.updateTable('repeated_request').set({ status: 200, answer }).where('owner', '=', owner).where('key', '=', key),
);

async function firstAnswer(ctx: Context, { owner, key, fingerprint }: Request, place: string): Promise<unknown> {
  const first = await ctx.db
    .selectFrom('repeated_request')
    .where('owner', '=', owner)
    .where('key', '=', key)
    .select(['fingerprint', 'answer'])
    .executeTakeFirstOrThrow();
  if (!first.fingerprint.equals(fingerprint)) {
    throw new AppError('invalid', verbatim('This Idempotency-Key was already used for another request.'));
  }
  return JSON.parse(open(ctx.keys.data, place, first.answer).toString());
}
