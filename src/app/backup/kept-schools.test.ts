import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type GrantedSet, grantedSets } from '#access/contract/grants.ts';
import { nightlyProof } from '#features/fee-money/server/proof.ts';
import { contextOutside, type Services } from '#kit/server/context.ts';
import { correctOnce } from '#kit/server/job/corrections.ts';
import { openLog } from '#kit/server/log.ts';
import { isIntact, verifyAudit } from '#kit/server/security/audit-seal.ts';
import { openAccount } from '#testing/browser.ts';
import { type EmptySchool, emptySchool } from '#testing/empty-school.ts';
import { handlerOf } from '#testing/kinds.ts';
import { failureOf, leastInput } from '#testing/least-input.ts';
import { oneOfEach } from '#testing/soak.ts';
import { features } from '../features.server.ts';
import { allRoutes } from '../server.ts';
import { openServices } from '../services.ts';
import { endedTables, restore } from './restore.ts';

const archives = join(import.meta.dirname, 'archives');
const keptBy = readdirSync(archives).filter((version) => existsSync(join(archives, version, 'kept.json')));

/** Tables whose number of rows an upgrade may change, and why. */
const exceptions: Readonly<Record<string, string>> = {
  migration: 'has the later files',
  audit: 'notes the restore',
  audit_seal: 'seals the note of the restore',
  number_series: 'has the series of later certificates',
  data_correction: 'notes each correction that was made',
  ...Object.fromEntries(endedTables.map((name) => [name, 'is emptied by every restore'])),
};

/** What is wrong where a statement finds a row. */
const invariants: Readonly<Record<string, string>> = {
  'no advance is below zero': `select account_id from fee_advance group by account_id, receipt_series_id having sum(amount) < 0`,
  'no two receipts have one number': `select receipt_no from fee_receipt group by receipt_no having count(*) > 1`,
  'no child is in two places on a day':
    'select student_id from student_on(current_date) group by 1 having count(*) > 1',
};

describe.each(keptBy)('a school that version %s kept', (version) => {
  const archive = join(archives, version, 'school.backup');
  const kept: { tables: Record<string, number> } = JSON.parse(
    readFileSync(join(archives, version, 'kept.json'), 'utf8'),
  );
  let place: EmptySchool;
  let services: Services;
  let close: () => Promise<void>;
  beforeAll(async () => {
    place = await emptySchool({ folder: join(archives, version, 'test-keys') });
    const done = await restore(place.config, archive);
    expect(done).toMatchObject({ lost: [], strange: [] });
    ({ services, close } = await openServices(place.config, openLog('silent')));
    // Walks all: a correction that has nothing to correct reads one row.
    for (const each of features.flatMap(({ corrections }) => corrections)) await correctOnce(services, each);
  });
  afterAll(async () => {
    await close?.();
    await place?.close();
  });

  test('UP10 has every row after its upgrade, but for named exceptions', async () => {
    const counts = Object.entries(kept.tables).filter(([name]) => !(name in exceptions));
    const [found] = await place.sql(
      `select ${counts.map(([name]) => `(select count(*)::integer from "${name}") as "${name}"`).join(', ')}`,
    );
    expect(found).toEqual(Object.fromEntries(counts));
  });

  test.each(Object.entries(invariants))('UP10 after its upgrade %s', async (_, statement) => {
    expect(await place.sql(statement)).toEqual([]);
  });

  test('UP10 its ledger proves right, and its audit log is intact', async () => {
    await nightlyProof.act({ ...contextOutside(services, 'proof') }, services.now());
    expect(await place.sql('select account_id from fee_difference')).toEqual([]);
    expect(isIntact(await verifyAudit(services))).toBe(true);
  });

  test('UP10 answers every read of Admins and staff without a failure', async () => {
    const users = new Map<string, Promise<object | undefined>>();
    const person = (number: number) => ({
      name: `Reader ${number}`,
      email: `reader${number}@kept.example`,
      mobile: String(9_888_800_000 + number),
    });
    const openUser = async (role: string, sets: readonly GrantedSet[]) => {
      const isAdmin = role === 'Admin';
      const account = await openAccount(
        { context: () => contextOutside(services, 'test') },
        { isAdmin, isStaff: !isAdmin, sets, ...person(users.size) },
        'no password',
      );
      return services.findRights(services, account.id, role);
    };
    // Walks all: one read of each handler, in this process.
    const reads = oneOfEach(
      allRoutes.filter(
        ({ endpoint: { method, path, access } }) => method === 'GET' && !path.includes(':') && Array.isArray(access),
      ),
      ({ endpoint }) => handlerOf(endpoint),
    );
    const failed: string[] = [];
    for (const route of reads) {
      const [grant] = route.endpoint.access as readonly { role: string; sets: readonly string[] }[];
      if (!grant) continue;
      const name = JSON.stringify(grant);
      const user =
        users.get(name) ?? openUser(grant.role, grantedSets.filter((set) => grant.sets.includes(set)).slice(0, 1));
      users.set(name, user);
      const school = { services, context: () => contextOutside(services, 'test') };
      const failure = await failureOf(school, route, { user: await user, input: leastInput(route.endpoint) });
      if (failure) failed.push(`${route.endpoint.path}: ${String(failure).slice(0, 300)}`);
    }
    expect(reads.length).toBeGreaterThan(100);
    expect(failed).toEqual([]);
  });
});
