import { createHash } from 'node:crypto';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { checkFiles } from '../../src/kit/server/files/file-check.ts';
import type { School } from '../school.ts';
import type { Outcome } from './outcome.ts';
import type { Stream } from './stream.ts';

/** Compares acknowledged changes with stored data, and rows with bytes; adds the differences to the outcome. */
export async function verifyOutcome(school: School, stream: Stream, outcome: Outcome) {
  outcome.acknowledged += stream.acknowledged();
  outcome.breaches.push(...stream.breaches);

  const schools = await school.sql(
    'select school_name as name, count(*)::int as times from admission_education group by 1',
  );
  const timesOf = new Map(schools.map(({ name, times }) => [name, Number(times)]));
  outcome.lost += stream.schools.filter((marker) => !timesOf.has(marker)).length;
  outcome.doubled += schools.filter(({ times }) => Number(times) > 1).length;

  const documents = new Set(
    (await school.sql('select file_id::text as id from admission_document')).map(({ id }) => id),
  );
  outcome.lost += [...stream.files].filter((id) => !documents.has(id)).length;
  outcome.lost += [...stream.removed].filter((id) => documents.has(id)).length;
  await compareFiles(school, outcome);
}

/** After the file check every row has its bytes, and no bytes older than ten minutes lack a row. */
export async function compareFiles({ config, services, sql }: School, outcome: Outcome) {
  const folder = join(config.folder, 'files');
  const stored = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const elevenMinutesAgo = new Date(Date.now() - 11 * 60_000);
  for (const { parentPath, name } of stored()) utimesSync(join(parentPath, name), elevenMinutesAgo, elevenMinutesAgo);

  const quiet = () => undefined;
  const check = () => checkFiles({ ...services, log: { info: quiet, error: quiet } });
  // A server that has just started also runs it, and it runs one at a time.
  for (let tries = 0; !(await check()) && tries < 100; tries++) await pause(100);
  const rows = await sql(`select id::text, encode(sha256, 'hex') as sha256 from file`);
  const ids = new Set(rows.map(({ id }) => id));
  for (const { name } of stored()) if (!ids.has(name)) outcome.breaches.push(`bytes without a row: ${name}`);
  for (const { id, sha256 } of rows) {
    const bytes = await services.files.get(String(id)).catch(() => undefined);
    const hash = bytes && createHash('sha256').update(bytes).digest('hex');
    if (hash !== sha256) outcome.breaches.push(`a row without its bytes: ${id}`);
  }
}
