import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Services } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';

/** An advisory lock: any number works if every process uses the same. */
const sealersLock = 7_364_253;
const page = 500;
const noSeal = Buffer.alloc(32);
/**
 * A row may be committed after rows with higher ids: the sealer searches this many ids below the highest sealed one.
 */
const lateIds = 50_000;

/**
 * Every column of an audit row as one text, whose form must never change; a column added later must be omitted or come
 * last.
 */
const rowText = sql<string>`jsonb_build_array(audit.id, audit.at at time zone 'UTC', actor, action, entity, entity_id, version,
  request_id, host(address), details, account_id, role, session, result)::text`;

const sealOf = (key: Buffer, before: Buffer, text: string) =>
  createHmac('sha256', key).update('shala audit').update(before).update(text).digest();

type Sealing = Pick<Services, 'db' | 'keys'>;

/**
 * Seals new audit rows into the chain in the order of their ids, one process at a time (H4, K8). Returns their number.
 * Rows older than `lateIds` allows stay unsealed, and `verifyAudit` reports them.
 */
export async function sealAudit({ db, keys }: Sealing): Promise<number> {
  let sealed = 0;
  for (;;) {
    const count = await db.transaction().execute((inside) => sealPage({ db: inside, keys }));
    sealed += count;
    if (count < page) return sealed;
  }
}

async function sealPage({ db, keys }: Sealing): Promise<number> {
  const { rows } = await sql<{ own: boolean }>`select pg_try_advisory_xact_lock(${sealersLock}) as own`.execute(db);
  if (!rows[0]?.own) return 0;
  const last = await selectLast(db).executeTakeFirst();
  const from = String(Number(last?.audit_id ?? 0) - lateIds);
  const found = await db
    .selectFrom('audit')
    // The bound is on both sides, so that neither index is read from its start.
    .leftJoin('audit_seal', (join) =>
      join.onRef('audit_seal.audit_id', '=', 'audit.id').on('audit_seal.audit_id', '>', from),
    )
    .where('audit_seal.audit_id', 'is', null)
    .where('audit.id', '>', from)
    .select(['audit.id', rowText.as('text')])
    .orderBy('audit.id')
    .limit(page)
    .execute();
  const { id: key_id, key } = keys.code.current;
  let { number, seal } = { number: Number(last?.number ?? 0), seal: last?.seal ?? noSeal };
  const values = found.map(({ id, text }) => {
    seal = sealOf(key, seal, text);
    return { number: ++number, audit_id: id, key_id, seal };
  });
  if (values.length > 0) await db.insertInto('audit_seal').values(values).execute();
  return values.length;
}

const selectLast = (db: Database) =>
  db.selectFrom('audit_seal').select(['number', 'audit_id', 'seal']).orderBy('number', 'desc').limit(1);

/** The end of the chain. Stored outside the database, such as in a backup, it shows later whether rows were cut off. */
export interface Head {
  /** The number of the last seal; 0 before the first. */
  number: number;
  /** The last seal in 64 hex digits. */
  hash: string;
  /** When the last sealed row was written, in ISO 8601; '' before the first. */
  at: string;
}

/** Reads the end of the chain. */
export async function readHead(db: Database): Promise<Head> {
  const last = await selectLast(db)
    .leftJoin('audit', 'audit.id', 'audit_seal.audit_id')
    .select('audit.at')
    .executeTakeFirst();
  const hash = (last?.seal ?? noSeal).toString('hex');
  return { number: Number(last?.number ?? 0), hash, at: last?.at?.toISOString() ?? '' };
}

export interface Verdict {
  /** How many rows are sealed. */
  sealed: number;
  /** The number of the first seal that does not match: its row was edited, moved or cut, or a seal is missing. */
  brokenAt?: number;
  /** The number of rows still unsealed after a minute: they were written past the application. */
  unsealed: number;
  /** The id of the first row that is over a minute older than the previous row by id, or that was sealed late. */
  timeBackAt?: number;
  /** Whether the chain lacks the expected head: its end was cut or replaced. */
  isCut: boolean;
  /** The last seal's first eight hex digits. */
  head: string;
}

/** Whether the verdict has no fault. */
export const isIntact = ({ brokenAt, unsealed, timeBackAt, isCut }: Verdict): boolean =>
  brokenAt === undefined && unsealed === 0 && timeBackAt === undefined && !isCut;

/** Checks the whole chain: whether every row is unchanged since it was sealed, and whether each row is sealed. */
export async function verifyAudit({ db, keys }: Sealing, expected?: Pick<Head, 'number' | 'hash'>): Promise<Verdict> {
  const { lateAt, ...chain } = await walkChain({ db, keys });
  const timeBackAt = await findTimeBack(db);
  return {
    ...chain,
    unsealed: await countUnsealed(db),
    timeBackAt: timeBackAt && lateAt ? Math.min(timeBackAt, lateAt) : (timeBackAt ?? lateAt),
    isCut: expected !== undefined && !(await hasHead(db, expected)),
  };
}

/**
 * Longer than any transaction, in milliseconds. A row sealed after one this much newer was written later than it
 * claims.
 */
const mostLate = 10 * 60_000;

type Walked = Pick<Verdict, 'sealed' | 'brokenAt' | 'head'> & {
  /** The id of the first row that was sealed late. */
  lateAt?: number;
};

async function walkChain({ db, keys }: Sealing): Promise<Walked> {
  let [sealed, seal] = [0, noSeal as Buffer];
  let [newest, lateAt] = [0, undefined as number | undefined];
  for (;;) {
    const rows = await pageAfter(db, sealed);
    for (const row of rows) {
      const key = keys.code.find(row.key_id);
      const fits =
        Number(row.number) === sealed + 1 && row.text !== null && key && sealOf(key, seal, row.text).equals(row.seal);
      if (!fits) return { sealed, brokenAt: sealed + 1, head: headOf(seal), lateAt };
      const at = row.at?.getTime() ?? 0;
      if (at < newest - mostLate) lateAt ??= Number(row.audit_id);
      newest = Math.max(newest, at);
      sealed++;
      seal = row.seal;
    }
    if (rows.length < page) return { sealed, head: headOf(seal), lateAt };
  }
}

const headOf = (seal: Buffer) => seal.toString('hex').slice(0, 8);

const pageAfter = (db: Database, number: number) =>
  db
    .selectFrom('audit_seal')
    .leftJoin('audit', 'audit.id', 'audit_seal.audit_id')
    .where('audit_seal.number', '>', String(number))
    .select([
      'audit_seal.number',
      'audit_seal.audit_id',
      'audit_seal.key_id',
      'audit_seal.seal',
      'audit.at',
      sql<string | null>`case when audit.id is not null then ${rowText} end`.as('text'),
    ])
    .orderBy('number')
    .limit(page)
    .execute();

/** Includes rows with a future time, which the database never assigns. */
async function countUnsealed(db: Database): Promise<number> {
  const { count } = await db
    .selectFrom('audit')
    .leftJoin('audit_seal', 'audit_seal.audit_id', 'audit.id')
    .where('audit_seal.audit_id', 'is', null)
    .where(sql<boolean>`audit.at not between now() - interval '1 minute' and now() + interval '1 minute'`)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Number and time are assigned in the same moment, so times follow the ids except for clock changes and delays. */
async function findTimeBack(db: Database): Promise<number | undefined> {
  const { rows } = await sql<{ id: string | null }>`
    select min(id) as id from (select id, at, lag(at) over (order by id) as before from audit) as entry
    where at < before - interval '1 minute'`.execute(db);
  return rows[0]?.id ? Number(rows[0].id) : undefined;
}

async function hasHead(db: Database, { number, hash }: Pick<Head, 'number' | 'hash'>): Promise<boolean> {
  if (number === 0) return true;
  const row = await db.selectFrom('audit_seal').where('number', '=', String(number)).select('seal').executeTakeFirst();
  return row?.seal.toString('hex') === hash;
}
