import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';

interface Limit {
  kind: string;
  /** Most hits within the window. */
  most: number;
  windowSeconds: number;
}

/**
 * True, to stand in a counting statement. One that is a transaction of its own does not wait for the disk, which gets it
 * within a second: else all who count on one row would wait for each other's writing.
 */
const unhurried = ({ isTransaction }: Database) =>
  isTransaction ? sql`true` : sql`set_config('synchronous_commit', 'off', true) = 'off'`;

/**
 * Counts one hit of `subject` and says how many seconds it must wait; 0 while it is within the limit. One statement,
 * so that requests at the same instant cannot pass together. The window starts with its first hit, by the database's clock.
 */
export async function countHit(db: Database, { kind, most, windowSeconds }: Limit, subject: string): Promise<number> {
  const { hits, wait } = await addHits(db, { kind, windowSeconds }, subject, 1);
  return hits > most ? wait : 0;
}

interface Hits {
  /** All of this window. */
  hits: number;
  /** Seconds until the window ends; at least 1. */
  wait: number;
}

/** Counts several hits of `subject` at once, as `countHit` does one; with 0 none is added. */
export async function addHits(
  db: Database,
  { kind, windowSeconds }: Pick<Limit, 'kind' | 'windowSeconds'>,
  subject: string,
  added: number,
): Promise<Hits> {
  const { rows } = await sql<Hits>`
    insert into attempt (kind, subject, hits, window_ends)
    select ${kind}, ${subject}, ${added}::integer, now() + make_interval(secs => ${windowSeconds}) where ${unhurried(db)}
    on conflict (kind, subject) do update set
      hits = case when attempt.window_ends < now() then excluded.hits else attempt.hits + excluded.hits end,
      window_ends = case when attempt.window_ends < now() then excluded.window_ends else attempt.window_ends end
    returning hits, greatest(ceil(extract(epoch from window_ends - now())), 1)::integer as wait
  `.execute(db);
  return rows[0] ?? { hits: added, wait: 1 };
}

/** Seconds until `subject` is within the limit again, without counting a hit; 0 while it is. */
export async function waitWithin(db: Database, { kind, most }: Limit, subject: string): Promise<number> {
  const row = await db
    .selectFrom('attempt')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .where('hits', '>=', most)
    .select(sql<number>`greatest(ceil(extract(epoch from window_ends - now())), 0)::integer`.as('wait'))
    .executeTakeFirst();
  return row?.wait ?? 0;
}

/** Where a request comes from. A proxy may pass on a word that is no address; then its own has to do. */
export const addressOf = ({ ip, raw }: FastifyRequest): string =>
  isIP(ip ?? '') ? ip : (raw.socket.remoteAddress ?? ip);

/**
 * Whose limits an address counts for: its own, or of an IPv6 address those of its network of 64 bits, which is what one
 * household is given: in it there is a fresh address for every try.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:([0-9.]+)$/i.exec(address)?.[1];
  if (mapped || !isIPv6(address)) return mapped ?? address;
  const [left = '', right] = address.split('::');
  const groups = left === '' ? [] : left.split(':');
  const after = right ? right.split(':') : [];
  const zeros = right === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - after.length)).fill('0');
  const network = [...groups, ...zeros, ...after].slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16));
  return `${network.join(':')}::/64`;
}

/** Failures that cost more and more waiting, from the fifth on; forgotten an hour after the last. */
interface Patience {
  kind: string;
  longestSeconds: number;
}

const free = 4;

/**
 * Takes one try for `subject`, to be given back by `forgive` if it does not fail. Gives how many seconds it must wait
 * first; 0 if it may be made now. From the fifth on each failure doubles the wait. One statement, so that tries at the same
 * instant cannot pass together.
 */
export async function claimTry(db: Database, { kind, longestSeconds }: Patience, subject: string): Promise<number> {
  const { rows } = await sql`
    insert into attempt (kind, subject, hits, window_ends)
    select ${kind}, ${subject}, 1, now() + interval '1 hour' where ${unhurried(db)}
    on conflict (kind, subject) do update set
      hits = case when attempt.window_ends < now() then 1 else attempt.hits + 1 end,
      window_ends = excluded.window_ends,
      not_before = case when attempt.window_ends >= now() and attempt.hits >= ${free}
        then now() + make_interval(secs => least(power(2, least(attempt.hits - ${free}, 20)), ${longestSeconds})) end
    where attempt.not_before is null or attempt.not_before <= now()
    returning hits
  `.execute(db);
  return rows.length > 0 ? 0 : Math.max(1, await waitOf(db, kind, subject));
}

/** Seconds until `subject` may try again; 0 if now. */
export async function waitOf(db: Database, kind: string, subject: string): Promise<number> {
  const row = await db
    .selectFrom('attempt')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .select(sql<number>`coalesce(greatest(ceil(extract(epoch from not_before - now())), 0), 0)::integer`.as('wait'))
    .executeTakeFirst();
  return row?.wait ?? 0;
}

/** Forgets the failures of `subject`, who has just succeeded. */
export async function forgive(db: Database, kind: string, subject: string) {
  await db.deleteFrom('attempt').where('kind', '=', kind).where('subject', '=', subject).execute();
}
