import { createHash } from 'node:crypto';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrate, migrationsFolder } from '#kit/server/database/migrations.ts';
import { openLog } from '#kit/server/log.ts';
import { isIntact, verifyAudit } from '#kit/server/security/audit-seal.ts';
import { emptySchool } from '#testing/empty-school.ts';
import { execute } from '#testing/postgres.ts';
import { soak } from '#testing/soak.ts';
import { everyFile, everyRow } from '#testing/stored.ts';
import { openServices } from '../services.ts';
import { endedTables, restore } from './restore.ts';

const archived = join(import.meta.dirname, 'archives/2026-11-23');
const archive = join(archived, 'school.backup');
const contents: {
  links: Record<'ready to submit' | 'submitted', string>;
  tables: Record<string, { rows: number; sha256: string }>;
  files: Record<string, string>;
} = JSON.parse(readFileSync(join(archived, 'contents.json'), 'utf8'));

/** The migrations of the version that made the archive are numbered, later ones are named by time. */
const isOfArchive = (name: string) => /^[0-9]{4}_/.test(name);
const ofArchive = readdirSync(migrationsFolder).filter(isOfArchive).sort();

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shala-older-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** An empty place with the archive's keys, whose rows are read with times as they were recorded, in UTC. */
async function newPlace() {
  const empty = await emptySchool({ folder: join(archived, 'test-keys') });
  return { ...empty, sql: (statement: string) => execute(empty.config.databaseUrl, statement, '-c timezone=UTC') };
}

/** A folder with those current migrations that the filter keeps. */
function migrationsWhere(keeps: (name: string) => boolean) {
  const copy = mkdtempSync(join(folder, 'migrations-'));
  for (const name of readdirSync(migrationsFolder).filter(keeps)) {
    cpSync(join(migrationsFolder, name), join(copy, name));
  }
  return copy;
}

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex');

function digestOf(rows: Record<string, unknown>[]) {
  const texts = rows.map(({ row }) => String(row)).filter((row) => !row.includes('backup.restored'));
  return { rows: texts.length, sha256: sha256(texts.sort().join('\n')) };
}

test('J6 J5 an archive of a version whose migrations were numbered comes back row by row and file by file', async () => {
  const restored = await newPlace();
  const done = await restore(restored.config, archive, { migrations: migrationsWhere(isOfArchive) });
  expect(done).toMatchObject({ files: Object.keys(contents.files).length, lost: [], strange: [], migrated: 0 });

  const rows = await everyRow(restored.sql);
  expect(Object.keys(rows).sort()).toEqual(Object.keys(contents.tables).sort());
  for (const [name, expected] of Object.entries(contents.tables)) {
    expect(expected.rows).toBeGreaterThan(0);
    const found = digestOf(rows[name] ?? []);
    expect([name, found]).toEqual([name, endedTables.includes(name) ? digestOf([]) : expected]);
  }
  const files = Object.entries(everyFile(restored.config));
  const sums = files.map(([name, bytes]) => [name, sha256(Buffer.from(bytes, 'base64'))]);
  expect(Object.fromEntries(sums)).toEqual(contents.files);
  await restored.close();
});

soak('J6 J5 a restore runs exactly the migrations that the archive names, then all others', async () => {
  const migrations = migrationsWhere(() => true);
  // Its name sorts between those of the archive, which lacks it.
  writeFileSync(
    join(migrations, '0010_between.sql'),
    `alter table academic_board add column recorded bigint;
     update academic_board set recorded = (select count(*) from migration)`,
  );
  const later = readdirSync(migrations).filter((name) => !ofArchive.includes(name));
  const restored = await newPlace();
  const done = await restore(restored.config, archive, { migrations });
  expect(done.migrated).toBe(later.length);
  expect(ofArchive).toHaveLength(23);
  expect(await restored.sql('select distinct recorded::integer from academic_board')).toEqual([{ recorded: 23 }]);
  const recorded = await restored.sql('select name from migration order by applied_at, name');
  expect(recorded.map(({ name }) => name)).toEqual([...ofArchive, ...later.sort()]);
  await restored.close();
});

soak('J6 H4 a school restored from an older archive serves, and its audit log is intact', async () => {
  const restored = await newPlace();
  await restore(restored.config, archive);
  const at = (end: string, link = contents.links['ready to submit']) => `/api/admission/${end}?inquiryNo=${link}`;
  const page = JSON.parse((await restored.get(at('basic-info'))).text).data.lstStudentAdmissionBasicInfoModel[0];
  expect(page.aadharCardNo).toMatch(/^XXXX XXXX [0-9]{4}$/);
  const photo = await restored.get(at(`files/${page.admissionStudentImagePath}`));
  expect([photo.status, photo.bytes.subarray(0, 2).toString('hex')]).toEqual([200, 'ffd8']);
  const submitted = await restored.get(at('inquiry', contents.links.submitted));
  expect(submitted.text).toContain('"isFormSubmitted":true');

  const { services, close } = await openServices(restored.config, openLog('silent'));
  expect(isIntact(await verifyAudit(services))).toBe(true);
  await close();
  await restored.close();
});

soak('J6 J5 a migration that this program does not know is refused by a restore and by a start', async () => {
  const unknown = '0017_grading_scale.sql';
  const migrations = migrationsWhere((name) => name !== unknown);
  const target = await newPlace();
  const refused = restore(target.config, archive, { migrations });
  await expect(refused).rejects.toThrow(`The archive is newer than this program: it has ${unknown}`);
  expect(await target.sql(`select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);

  await restore(target.config, archive);
  const start = migrate(target.config.databaseOwnerUrl, { folder: migrations });
  await expect(start).rejects.toThrow(`The database is newer than this program: it has ${unknown}`);
  await target.close();
});
