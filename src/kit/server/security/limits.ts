import { isIP, isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Database } from '#kit/server/database/database.ts';

interface Limit {
  kind: string;
  /** The most hits within the window. */
  most: number;
  windowSeconds: number;
}

/**
 * A condition that is always true and turns off synchronous commit: counts that share a row need not wait for each
 * other's disk writes, which follow within a second.
 */
const unhurried = ({ isTransaction }: Database) =>
  isTransaction ? sql`true` : sql`set_config('synchronous_commit', 'off', true) = 'off'`;

/**
 * Counts one hit of `subject` and returns the seconds it must wait; 0 within the limit. One statement, so that
 * simultaneous requests cannot all pass. The window starts with its first hit, by the database's clock.
 */
export async function countHit(db: Database, { kind, most, windowSeconds }: Limit, subject: string): Promise<number> {
  const { hits, wait } = await addHits(db, { kind, windowSeconds }, subject, 1);
  return hits > most ? wait : 0;
}

interface Hits {
  /** All hits of this window. */
  hits: number;
  /** Seconds until the window ends; at least 1. */
  wait: number;
}

/** Counts several hits of `subject` at once, as `countHit` does one; 0 adds none. */
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

/** Counts one hit of each subject; returns the subjects that were at the limit already. */
export async function countEach(
  db: Database,
  { kind, most, windowSeconds }: Limit,
  subjects: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ subject: string }>`
    with counted as (
      insert into attempt (kind, subject, hits, window_ends)
      select ${kind}, subject, 1, now() + make_interval(secs => ${windowSeconds})
      from unnest(${subjects}::text[]) as subject order by subject
      on conflict (kind, subject) do update set
        hits = case when attempt.window_ends < now() then 1 else attempt.hits + 1 end,
        window_ends = case when attempt.window_ends < now() then excluded.window_ends else attempt.window_ends end
      returning subject, hits
    )
    select subject from counted where hits > ${most}
  `.execute(db);
  return new Set(rows.map(({ subject }) => subject));
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

/** The caller's address. If a proxy passes on a text that is not an address, the proxy's own address is used. */
export const addressOf = ({ ip, raw }: FastifyRequest): string =>
  isIP(ip ?? '') ? ip : (raw.socket.remoteAddress ?? ip);

/**
 * The unit of limits for an address: itself, or for IPv6 its network of 64 bits, which one household gets and within
 * which it could use a new address for every try.
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

/** Failures that wait longer and longer from the fifth on; forgotten an hour after the last. */
interface Patience {
  kind: string;
  longestSeconds: number;
}

const free = 4;

/**
 * Takes one try for `subject`, which `forgive` returns after a success. Returns the seconds to wait first; from the
 * fifth on each failure doubles them. One statement, so that simultaneous tries cannot all pass.
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

/** Seconds until the next try of `subject`; 0 if it may try now. */
export async function waitOf(db: Database, kind: string, subject: string): Promise<number> {
  const row = await db
    .selectFrom('attempt')
    .where('kind', '=', kind)
    .where('subject', '=', subject)
    .select(sql<number>`coalesce(greatest(ceil(extract(epoch from not_before - now())), 0), 0)::integer`.as('wait'))
    .executeTakeFirst();
  return row?.wait ?? 0;
}

/** Deletes the failures of `subject` after a success. */
export async function forgive(db: Database, kind: string, subject: string) {
  await db.deleteFrom('attempt').where('kind', '=', kind).where('subject', '=', subject).execute();
}
