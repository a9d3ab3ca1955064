import { sql } from 'kysely';
import { AppError, proveMessage } from '#kit/contract/errors.ts';
import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { newToken, tokenHash } from '#kit/server/security/session.ts';

/** The cookie of a proven phone: the tokens of up to four guardians, such as two parents with one phone. */
export const deviceCookie = '__Host-family';

const mostGuardians = 4;
/** Days without use after which a phone is asked for a code again. */
const deviceDays = 400;
const seconds = deviceDays * 24 * 3600;

const tokenShape = /^[\w-]{43}$/;
const tokensOf = (cookie: string): string[] =>
  cookie
    .split('.')
    .filter((token) => tokenShape.test(token))
    .slice(0, mostGuardians);

/** The hashes of a cookie's tokens, as an array of the database. */
export const hashesOf = (cookie: string): string =>
  `{${tokensOf(cookie)
    .map((token) => `"\\\\x${tokenHash(token).toString('hex')}"`)
    .join(',')}}`;

const write = ({ http }: Context, tokens: readonly string[]) =>
  http.setCookie(deviceCookie, tokens.join('.'), tokens.length > 0 ? seconds : 0);

const until = ({ now }: Pick<Context, 'now'>) =>
  sql<Date>`${now()}::timestamptz + make_interval(days => ${deviceDays})`;

/** The tokens of this phone that work, of whichever guardian, and those of one of them. */
async function findTokens({ db, http, now }: Context, guardianId: number) {
  const tokens = tokensOf(http.cookie(deviceCookie));
  const rows = await db
    .selectFrom('family_device')
    .where('token_hash', '=', sql<Buffer>`any(${hashesOf(tokens.join('.'))}::bytea[])`)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now())
    .select(['token_hash', 'guardian_id'])
    .execute();
  const working = tokens.flatMap((token) => {
    const row = rows.find((one) => one.token_hash.equals(tokenHash(token)));
    return row ? [{ token, isOwn: row.guardian_id === guardianId }] : [];
  });
  return {
    others: working.flatMap(({ token, isOwn }) => (isOwn ? [] : [token])),
    own: working.flatMap(({ token, isOwn }) => (isOwn ? [token] : [])),
  };
}

const endAll = ({ db, now }: Context, guardianId: number, hashes: string, isThose: boolean) =>
  db
    .updateTable('family_device')
    .set({ ended_at: now() })
    .where('guardian_id', '=', guardianId)
    .where('ended_at', 'is', null)
    .where(sql<boolean>`(token_hash = any(${hashes}::bytea[])) = ${isThose}::boolean`)
    .execute();

/** Gives this phone a new token of the guardian, which takes the place of an earlier one of this phone. */
export async function keepPhone(ctx: Context, guardianId: number): Promise<void> {
  const { others, own } = await findTokens(ctx, guardianId);
  await endAll(ctx, guardianId, hashesOf(own.join('.')), true);
  const { value, hash } = newToken();
  await ctx.db
    .insertInto('family_device')
    .values({
      guardian_id: guardianId,
      token_hash: hash,
      proven_at: ctx.now(),
      used_on: toLocalDate(ctx.now()),
      expires_at: until(ctx),
    })
    .execute();
  write(ctx, [value, ...others].slice(0, mostGuardians));
}

/** Minutes after a code was typed in which the phone changes the number or address itself. */
const freshMinutes = 30;

/** The phones of this cookie that the guardian has proven. */
const provenPhones = ({ db, http, now }: Context, guardianId: number) =>
  db
    .selectFrom('family_device')
    .where('token_hash', '=', sql<Buffer>`any(${hashesOf(http.cookie(deviceCookie))}::bytea[])`)
    .where('guardian_id', '=', guardianId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now())
    .select('id');

/** Whether the guardian typed a code on this phone just now. */
export async function isFreshPhone(ctx: Context, guardianId: number): Promise<boolean> {
  const found = await provenPhones(ctx, guardianId)
    .where('proven_at', '>', sql<Date>`${ctx.now()}::timestamptz - make_interval(mins => ${freshMinutes})`)
    .executeTakeFirst();
  return found !== undefined;
}

/** Throws unless the phone is still proven, for an act that has waited for a lock. */
export async function requireProven(ctx: Context, guardianId: number): Promise<void> {
  if (!(await provenPhones(ctx, guardianId).executeTakeFirst())) throw new AppError('confirm_required', proveMessage);
}

/** Use keeps a phone proven: its time begins again, once a day. */
export async function extendPhone(ctx: Context, guardianId: number): Promise<void> {
  const { others, own } = await findTokens(ctx, guardianId);
  if (own.length === 0) return;
  const { numUpdatedRows } = await ctx.db
    .updateTable('family_device')
    .set({ used_on: toLocalDate(ctx.now()), expires_at: until(ctx) })
    .where('token_hash', '=', sql<Buffer>`any(${hashesOf(own.join('.'))}::bytea[])`)
    .where('used_on', '<', toLocalDate(ctx.now()))
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) write(ctx, [...own, ...others]);
}

/** Ends the proof of this phone, or of all others of the guardian. */
export async function endPhones(ctx: Context, guardianId: number, which: 'this' | 'others'): Promise<void> {
  const { others, own } = await findTokens(ctx, guardianId);
  await endAll(ctx, guardianId, hashesOf(own.join('.')), which === 'this');
  if (which === 'this') write(ctx, others);
}
