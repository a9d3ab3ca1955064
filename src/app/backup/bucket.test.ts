import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readConfig } from '#kit/server/config.ts';
import { openBytes } from '#kit/server/files/open-bytes.ts';
import { openLog } from '#kit/server/log.ts';
import { emptySchool } from '#testing/empty-school.ts';
import { type Asked, type S3Server, startS3 } from '#testing/s3.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { openServices } from '../services.ts';
import { backUp } from './backup.ts';
import { prepareUpgrade } from './before-upgrade.ts';
import { type ArchiveBucket, openArchiveBucket } from './bucket.ts';
import { makeDailyBackup } from './daily.ts';
import { openArchivePlace, withArchive } from './place.ts';
import { restore } from './restore.ts';

let s3: S3Server;
let school: School;
let folder: string;
let bucket: ArchiveBucket;
beforeAll(async () => {
  s3 = await startS3();
  folder = mkdtempSync(join(tmpdir(), 'shala-archives-'));
  school = await openOwnSchool({ ...s3.settings, BACKUP_FOLDER: folder });
  const family = await school.inquiry();
  await family.upload('Birth Certificate');
  await family.upload('Aadhar Card');
  const { backup } = school.config;
  if (!backup.bucket) throw new Error('No bucket was configured.');
  bucket = openArchiveBucket(backup.bucket);
});
beforeEach(() => {
  s3.fault = () => undefined;
});
afterAll(async () => {
  await school.close();
  await s3.close();
  rmSync(folder, { recursive: true, force: true });
});

const audits = () => school.sql(`select 1 from audit where action = 'backup.made'`);
const { signal } = new AbortController();
const itself = (path: string) => path;
/** Writes an archive into the bucket, as the command does. */
const make = (name: string) => backUp(school.config, join(folder, name), { bucket });
const isPiece = ({ method, url }: Asked) => method === 'PUT' && url.includes('partNumber=');
/** Makes a fault of the first request that is meant. */
function first(isMeant: (asked: Asked) => boolean, act: () => ReturnType<S3Server['fault']>) {
  let isMade = false;
  s3.fault = (asked) => {
    if (isMade || !isMeant(asked)) return undefined;
    isMade = true;
    return act();
  };
  return () => isMade;
}
/** Kills the server while a request is on its way, and starts it again. */
const killed = () => {
  void s3.kill().then(s3.start);
  return undefined;
};

/** Restores into another folder of the bucket, and reads every file there. */
async function restoreFrom(argument: string) {
  const place = await emptySchool(school.config);
  const { bucket: files, backup } = readConfig({
    DATABASE_URL: place.config.databaseUrl,
    ...s3.settings,
    S3_BUCKET: `files/restored${Math.round(performance.now())}`,
    SHALA_PATIENCE: '10',
  });
  const config = { ...place.config, bucket: files, backup: { ...backup, folder } };
  const done = await withArchive(config, { argument, resolve: itself, signal }, (path) => restore(config, path));
  const { services, close } = await openServices(config, openLog('silent'));
  const rows = await services.db.selectFrom('file').select(['id', 'bytes']).execute();
  const sizes = await Promise.all(rows.map(async ({ id }) => (await services.files.get(id)).length));
  await close();
  await place.close();
  return { done, isSame: sizes.every((size, at) => size === rows[at]?.bytes) };
}

test('BK5 a backup of files in a bucket goes into a bucket and comes back from it, with the server killed once in each', async () => {
  const isCut = first(isPiece, killed);
  const made = await make('shala-first.backup');
  expect([made.files, made.lost, isCut()]).toEqual([2, [], true]);
  expect(s3.names('archives')).toEqual(['north/backups/shala-first.backup']);
  expect(readdirSync(folder)).toEqual([]);
  expect(await audits()).toHaveLength(1);

  const wasRead = first(({ url }) => url.includes('/archives/') && !url.includes('?'), killed);
  const { done, isSame } = await restoreFrom(bucket.pathOf('shala-first.backup'));
  expect([done.files, done.lost, isSame, wasRead()]).toEqual([2, [], true, true]);
  expect(readdirSync(folder)).toEqual([]);

  const wasStored = first(({ method, url }) => method === 'PUT' && url.includes('/files/restored'), killed);
  expect([(await restoreFrom(bucket.pathOf('shala-first.backup'))).isSame, wasStored()]).toEqual([true, true]);
});

test('BK5 an archive whose last answer was lost is there once; one for which the bucket has no room leaves nothing', async () => {
  const isLost = first(
    ({ method, url }) => method === 'POST' && url.includes('uploadId='),
    () => 'lost answer',
  );
  await make('shala-second.backup');
  expect([isLost(), await bucket.sizeOf('shala-second.backup')]).toEqual([true, expect.any(Number)]);
  await expect(make('shala-second.backup')).rejects.toThrow('s3://archives/north/backups/shala-second.backup is there');

  const before = (await audits()).length;
  s3.fault = (asked) => (isPiece(asked) ? 'full' : undefined);
  await expect(make('shala-third.backup')).rejects.toThrow('s3://archives/north/ is full (507 XMinioStorageFull).');
  expect([readdirSync(folder), await bucket.sizeOf('shala-third.backup')]).toEqual([[], undefined]);
  expect(await audits()).toHaveLength(before);
});

test('BK5 a bucket keeps seven daily archives, and all that are named otherwise', async () => {
  const before = s3.names('archives').length;
  const small = join(folder, 'small');
  writeFileSync(small, 'an older one');
  for (let day = 1; day <= 7; day++) await bucket.send(small, `shala-daily-2026-11-0${day}T0205.backup`);
  rmSync(small);
  await school.sql(`update audit set at = now() - interval '3 days'`);
  const backup = { ...school.config.backup, hour: new Date().getHours() };
  await makeDailyBackup({ ...school.config, backup }, new Date());
  const names = s3.names('archives').map((name) => name.replace('north/backups/', ''));
  expect(names).toHaveLength(before + 7);
  expect(names.filter((name) => name.startsWith('shala-daily-'))).toHaveLength(7);
  expect([names.includes('shala-daily-2026-11-01T0205.backup'), readdirSync(folder)]).toEqual([false, []]);
});

test('BK5 a command that names no archive lists those of the bucket, and refuses those of another', async () => {
  const open = (argument?: string) =>
    withArchive(school.config, { argument, resolve: itself, signal }, async () => 'read');
  await expect(open()).rejects.toThrow('s3://archives/north/backups/shala-first.backup');
  await expect(open('s3://other/shala.backup')).rejects.toThrow('is not in the place of BACKUP_BUCKET');
  await expect(open('s3://archives/north/backups/none.backup')).rejects.toThrow('There is no archive s3://archives');
  expect(await open('/media/shala.backup')).toBe('read');
  expect(await openArchivePlace(school.config).has('shala-first.backup')).toBe(true);
});

test('BK6 a bucket with files is not restored into, and refuses the start of an empty database in production', async () => {
  const place = await emptySchool(school.config);
  const config = { ...place.config, bucket: school.config.bucket, backup: school.config.backup };
  const argument = bucket.pathOf('shala-first.backup');
  await expect(
    withArchive(config, { argument, resolve: itself, signal }, (path) => restore(config, path)),
  ).rejects.toThrow('The file store is not empty (s3://files/north/files/). Empty it, or name another S3_BUCKET.');
  const log = { warn: () => undefined };
  const start = prepareUpgrade({ ...config, production: true }, log, {
    isFirst: true,
    from: undefined,
    to: '0.2.0',
    migrations: 1,
  });
  await expect(start).rejects.toThrow('The database is empty, but s3://files/north/files/ holds 2 files.');
  expect(await openBytes(config).isEmpty()).toBe(false);
  await place.close();
});
