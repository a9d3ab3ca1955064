// Writes database/types.ts from the migrated database, so that the SQL is the only definition of a table.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readCommandLine } from './command-line.ts';

const { values } = readCommandLine({
  command: 'npm run db:types',
  does: 'Writes database/types.ts from the migrated database, and the checksums of new migrations.',
  options: { check: { type: 'boolean', help: 'Write nothing, and end with 1 where the file is stale.' } },
});
const { migrate } = await import('../src/kit/server/database/migrations.ts');
const { startEmbeddedPostgres } = await import('./embedded-postgres.ts');
const { writeLock } = await import('./migrations-lock.ts');

const target = join(import.meta.dirname, '../database/types.ts');
const isCheck = values.check;

const folder = mkdtempSync(join(tmpdir(), 'shala-types-'));
const postgres = (isCheck && sharedPostgres()) || (await startMigrated());
try {
  const out = isCheck ? join(folder, 'types.ts') : target;
  const words = [
    '--dialect',
    'postgres',
    '--url',
    postgres.url,
    '--out-file',
    out,
    '--date-parser',
    'string',
    '--include-pattern',
    'public.*',
  ];
  const done = spawnSync('node_modules/.bin/kysely-codegen', words, { encoding: 'utf8' });
  if (done.status !== 0) throw new Error(done.stderr);
  if (!isCheck) writeLock();
  if (isCheck && readFileSync(out, 'utf8') !== readFileSync(target, 'utf8')) {
    process.stderr.write('database/types.ts is stale: run npm run db:types\n');
    process.exitCode = 1;
  }
} finally {
  await postgres.stop();
  rmSync(folder, { recursive: true, force: true });
}

/** The migrated template that `npm test` has made for its programs. */
function sharedPostgres() {
  const { TEST_POSTGRES: shared } = process.env;
  if (!shared) return undefined;
  const { url, template } = JSON.parse(shared);
  return { url: new URL(`/${template}`, url).href, stop: async () => undefined };
}

async function startMigrated() {
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), forgetful: true });
  await migrate(postgres.url);
  return postgres;
}
