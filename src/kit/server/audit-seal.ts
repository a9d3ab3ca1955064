import { createHmac } from 'node:crypto';
import { sql } from 'kysely';
import type { Services } from './context.ts';
import type { Database } from './database.ts';

/** Any number works, as long as every process uses the same. */
const sealersLock = 7_364_253;
const page = 500;
const noSeal = Buffer.alloc(32);

/** Every column of an audit row as one text, the same for ever; a column that is added later has to be left out or come last. */
const rowText = sql<string>`jsonb_build_array(audit.id, audit.at at time zone 'UTC', actor, action, entity, entity_id, version,
  request_id, host(address), details, account_id, role, session, result)::text`;

const sealOf = (key: Buffer, before: Buffer, text: string) =>
  createHmac('sha256', key).update('shala audit').update(before).update(text).digest();

type Sealing = Pick<Services, 'db' | 'keys'>;

/**
 * Seals the audit's new rows into the chain, in the order they are found, by one process at a time (H4, K8). Gives how
 * many. A row is looked for until an hour after those that are sealed: no transaction lasts as long.
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
  const last = await db
    .selectFrom('audit_seal')
    .innerJoin('audit', 'audit.id', 'audit_seal.audit_id')
    .select(['number', 'seal', 'audit.at'])
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst();
  const found = await db
    .selectFrom('audit')
    .leftJoin('audit_seal', 'audit_seal.audit_id', 'audit.id')
    .where('audit_seal.audit_id', 'is', null)
    .$if(last !== undefined, (query) =>
      query.where('audit.at', '>', sql<Date>`${last?.at}::timestamptz - interval '1 hour'`),
    )
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

export interface Verdict {
  /** How many rows are sealed. */
  sealed: number;
  /** The number of the first seal that does not fit: its row was edited, moved or cut, or a seal is missing. */
  brokenAt?: number;
  /** The last seal's first eight hex digits: who wrote them down elsewhere notices a cut at the end. */
  head: string;
}

/** Walks the whole chain and says whether every row is still what was sealed. */
export async function verifyAudit({ db, keys }: Sealing): Promise<Verdict> {
  let [sealed, seal] = [0, noSeal as Buffer];
  for (;;) {
    const rows = await pageAfter(db, sealed);
    for (const row of rows) {
      const key = keys.code.find(row.key_id);
      const fits =
        Number(row.number) === sealed + 1 && row.text !== null && key && sealOf(key, seal, row.text).equals(row.seal);
      if (!fits) return { sealed, brokenAt: sealed + 1, head: headOf(seal) };
      sealed++;
      seal = row.seal;
    }
    if (rows.length < page) return { sealed, head: headOf(seal) };
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
      'audit_seal.key_id',
      'audit_seal.seal',
      sql<string | null>`case when audit.id is not null then ${rowText} end`.as('text'),
    ])
    .orderBy('number')
    .limit(page)
    .execute();
