import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRun } from '#kit/server/job/runs.ts';
import { clockOf } from '#kit/server/movable-clock.ts';
import { openOwnSchool, openSchool, type School } from '#testing/school.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

test('the school’s clock is that of the machine, and ahead of it by what the setting says', async () => {
  const { db } = school.services;
  const ahead = await db.transaction().execute(async (transaction) => {
    const read = async () =>
      (await transaction.selectNoFrom(sql<string>`(school_now() - now())::text`.as('ahead')).executeTakeFirstOrThrow())
        .ahead;
    const unset = await read();
    await sql`select set_config('shala.ahead', '40 days', true)`.execute(transaction);
    return [unset, await read()];
  });
  expect(ahead).toEqual(['00:00:00', '40 days']);
  // A setting of one transaction is empty after it on the same connection.
  const { rows } = await sql<{ isNow: boolean }>`select school_now() = now() as "isNow"`.execute(db);
  expect(rows).toEqual([{ isNow: true }]);
});

/** Functions and defaults that measure the machine: codes, sessions, the audit log, messages and their tries. */
const ofMachine = [
  'audit.at',
  'demo.begun_at',
  'end_sibling_codes',
  'machine_time',
  'migration.applied_at',
  'outbox.queued_at',
  'remove_added',
  'repeated_request.created_at',
  'school_now',
  'sign_in_account.created_at',
  'sign_in_code.made_at',
  'sign_in_contact.made_at',
  'sign_in_device.used_at',
  'sign_in_request.asked_at',
  'sign_in_reset.made_at',
  'sign_in_session.began_at',
  'sign_in_session.confirmed_at',
  'sign_in_session.seen_at',
  'staff_keep_address_changes',
  'try_job',
  'upgrade.at',
];

test('functions, defaults, constraints and views of the database follow the school’s clock', async () => {
  const words = String.raw`(^|[^.\w])(now\(\)|current_(date|time|timestamp)|(clock|statement|transaction)_timestamp\(\)|localtime)`;
  const rows = await school.sql(`
    select name from (
      select proname as name, prosrc as source from pg_proc where pronamespace = 'public'::regnamespace and prokind <> 'a'
        and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      union all select attrelid::regclass || '.' || attname, pg_get_expr(adbin, adrelid) from pg_attrdef
        join pg_attribute on attrelid = adrelid and attnum = adnum
        join pg_class on pg_class.oid = adrelid and relnamespace = 'public'::regnamespace
      union all select conname, pg_get_constraintdef(oid) from pg_constraint where connamespace = 'public'::regnamespace
      union all select viewname, definition from pg_views where schemaname = 'public') as own
    where source ~* '${words}' order by name collate "C"`);
  expect(rows.map(({ name }) => name)).toEqual(ofMachine);
});

test('a file moves the clock of a running school, of its code and its connections alike', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shala-clock-'));
  const file = join(folder, 'clock');
  const moved = await openOwnSchool({ SHALA_CLOCK: file });
  try {
    const read = async () => {
      const { rows } = await sql<{ at: Date; machine: Date }>`select school_now() as at, now() as machine`.execute(
        moved.services.db,
      );
      const [row] = rows;
      if (!row) throw new Error('No row');
      const hours = (at: Date) => Math.round((at.getTime() - row.machine.getTime()) / 3_600_000);
      return [hours(row.at), hours(clockOf(file)())];
    };
    const before = await read();
    writeFileSync(file, String(240 * 3600));
    const after = await read();
    writeFileSync(file, 'soon');
    expect([before, after, await read()]).toEqual([
      [0, 0],
      [240, 240],
      [0, 0],
    ]);
    // What waits starts by the machine's clock, which the moved one would delay by ten days.
    writeFileSync(file, String(240 * 3600));
    const beginsAt = new Date(clockOf(file)().getTime() + 30_000);
    await startRun(moved.services, { kind: 'clock', input: {}, rows: [{ id: 1, name: 'Asha' }], beginsAt });
    const [job] = await moved.sql(`select extract(epoch from run_at - now())::integer between 0 and 60 as is_soon
      from graphile_worker.jobs where key like 'run:%'`);
    expect(job).toEqual({ is_soon: true });
  } finally {
    await moved.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
