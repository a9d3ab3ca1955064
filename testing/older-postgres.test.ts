import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { expect, inject, test } from 'vitest';
import { migrate, prepareServer } from '#kit/server/database/migrations.ts';
import { oldestPostgres } from '#kit/server/database/oldest.ts';
import { startEmbeddedPostgres } from '../scripts/embedded-postgres.ts';
import { bringPostgres, canBring, smokeFiles } from './older-postgres.ts';
import { execute, urlOf } from './postgres.ts';
import { soak } from './soak.ts';

/** Starts a PostgreSQL of another major version for a test. */
async function onPostgres<Result>(version: string, act: (url: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'shala-older-postgres-'));
  const binaries = bringPostgres(version);
  const { url, stop } = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), forgetful: true, binaries });
  try {
    return await act(url);
  } finally {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

const schema = `
  select 'column ' || c.relname || '.' || a.attname as what,
      concat_ws(' ', format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, a.attgenerated,
        pg_get_expr(d.adbin, d.adrelid)) as is
    from pg_class c join pg_attribute a on a.attrelid = c.oid and attnum > 0 and not attisdropped
      left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
  union all select 'constraint ' || conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) || convalidated
    from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
  union all select 'index ' || indexname, indexdef from pg_indexes where schemaname = 'public'
  union all select 'function ' || p.oid::regprocedure, md5(pg_get_functiondef(p.oid))
    from pg_proc p where pronamespace = 'public'::regnamespace and prokind = 'f'
      and not exists (select from pg_depend where objid = p.oid and deptype = 'e')
  union all select 'trigger ' || tgrelid::regclass || ' ' || tgname, pg_get_triggerdef(oid)
    from pg_trigger where not tgisinternal and tgrelid in
      (select oid from pg_class where relnamespace = 'public'::regnamespace)
  union all select 'grant ' || c.relname || '.' || coalesce(a.attname, '') || ' ' || x.privilege_type, ''
    from pg_class c left join pg_attribute a on a.attrelid = c.oid and a.attacl is not null,
      aclexplode(coalesce(a.attacl, c.relacl)) as x join pg_roles r on r.oid = x.grantee
    where c.relnamespace = 'public'::regnamespace and r.rolname = 'shala_app'
  order by 1, 2`;

test.runIf(canBring(String(oldestPostgres)))(
  'UP1 all migrations run on PostgreSQL 17 and make the same tables, constraints, functions and grants as on 18',
  async () => {
    const { url, template } = inject('postgres');
    const name = `shala_newest_${process.pid}`;
    await execute(url, `create database ${name} template ${template}`);
    const newest = await execute(urlOf(url, name), schema).finally(() => execute(url, `drop database ${name}`));
    const oldest = await onPostgres(String(oldestPostgres), async (older) => {
      await migrate(older);
      expect(await execute(older, 'show server_version')).toEqual([{ server_version: '17.10' }]);
      const guide = readFileSync(join(import.meta.dirname, '../docs/guide/operate.md'), 'utf8');
      const [creates = ''] = /create database shala[^;]*/.exec(guide) ?? [];
      await execute(older, 'create role shala_owner');
      await execute(older, creates);
      return execute(older, schema);
    });
    expect(newest.length).toBeGreaterThan(3000);
    const lines = (rows: Record<string, unknown>[]) => rows.map((row) => JSON.stringify(row)).sort();
    expect(lines(oldest)).toEqual(lines(newest));
  },
);

test('UP1 an older server is refused by its version before any other statement', async () => {
  const asked: string[] = [];
  const client = {
    query: async (statement: string) => {
      asked.push(statement);
      return { rows: [{ number: 150_018, version: '15.18 (Debian 15.18-0+deb12u1)' }] };
    },
  } as unknown as pg.Client;
  await expect(prepareServer(client)).rejects.toThrow(
    'Shala needs PostgreSQL 17 or newer; this server is 15.18. Nothing was changed.',
  );
  expect(asked).toHaveLength(1);
});

soak('UP1 PostgreSQL 16 is refused by its real version, and has no table and no role afterwards', async () => {
  await onPostgres('16', async (url) => {
    await expect(migrate(url)).rejects.toThrow(
      'Shala needs PostgreSQL 17 or newer; this server is 16.14. Nothing was changed.',
    );
    expect(await execute(url, `select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
    expect(await execute(url, `select rolname from pg_roles where rolname like 'shala%'`)).toEqual([]);
  });
});

test('UP1 the tests that also run on the oldest PostgreSQL are marked, and about a dozen', () => {
  expect(smokeFiles().length).toBeGreaterThanOrEqual(8);
  expect(smokeFiles().length).toBeLessThanOrEqual(14);
});
