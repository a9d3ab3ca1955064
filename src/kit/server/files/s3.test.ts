import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { readConfig } from '#kit/server/config.ts';
import { type Fault, type S3Server, startS3 } from '#testing/s3.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { openServices } from '../../../app/services.ts';
import { openLog } from '../log.ts';
import { listNames, openBucket } from './bucket.ts';
import type { Bytes } from './bytes.ts';
import { checkFiles } from './file-check.ts';
import { type BucketSettings, openS3 } from './s3.ts';

let s3: S3Server;
let settings: BucketSettings;
beforeAll(async () => {
  s3 = await startS3();
  const { bucket } = readConfig({ DATABASE_URL: 'postgres://x/y', ...s3.settings });
  if (!bucket) throw new Error('No bucket was configured.');
  settings = bucket;
});
beforeEach(() => {
  s3.fault = () => undefined;
  s3.asked.length = 0;
});
afterAll(() => s3.close());

/** A file's name with these first digits. */
const idIn = (start: string) => `${start}${randomUUID().slice(2)}`;
/** Makes one fault, of the first request that is meant. */
function once(fault: Fault, method: string) {
  let isMade = false;
  s3.fault = (asked) => {
    if (isMade || asked.method !== method) return undefined;
    isMade = true;
    return fault;
  };
  return () => isMade;
}

test('BK1 a bucket keeps, gives back, lists page by page and removes what a folder would', async () => {
  const bytes: Bytes = openBucket(settings);
  expect([await bytes.isEmpty(), await bytes.get(idIn('aa'))]).toEqual([true, undefined]);
  await bytes.remove(idIn('aa'));
  const [id, body] = [idIn('aa'), randomBytes(300_000)];
  await bytes.put(id, body);
  expect(s3.names('files')).toEqual([`north/files/aa/${id}`]);
  expect(await bytes.get(id)).toEqual(body);
  expect(await bytes.isEmpty()).toBe(false);
  expect(bytes.place).toBe('s3://files/north/files/');

  const more = Array.from({ length: 7 }, () => idIn('ab'));
  for (const one of more) await bytes.put(one, body);
  const listed = await bytes.list('ab');
  expect(listed.map(({ name }) => name).sort()).toEqual(more.sort());
  expect(Math.abs((listed[0]?.writtenAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
  s3.asked.length = 0;
  const paged = await listNames(openS3(settings), 'north/', 'files/ab/', { page: 3 });
  expect([paged, s3.asked.length]).toEqual([listed, 3]);
  for (const one of [id, ...more]) await bytes.remove(one);
  expect(await bytes.isEmpty()).toBe(true);
});

test.each<[Fault, string]>([
  ['lost', 'PUT'],
  ['cut body', 'PUT'],
  ['lost answer', 'PUT'],
  ['busy', 'PUT'],
  ['slow', 'PUT'],
  ['lost', 'GET'],
  ['cut answer', 'GET'],
  ['busy', 'GET'],
  ['slow', 'GET'],
  ['lost answer', 'DELETE'],
])('BK2 with a request that is %s, a %s ends as it would have', async (fault, method) => {
  const bytes = openBucket(settings);
  const [id, body] = [idIn('ac'), randomBytes(200_000)];
  const isMade = once(fault, method);
  await bytes.put(id, body);
  expect(await bytes.get(id)).toEqual(body);
  await bytes.remove(id);
  expect([await bytes.get(id), isMade()]).toEqual([undefined, true]);
});

test('BK2 a server that accepts requests and is silent is given up in time, in words that name the bucket', async () => {
  const bytes = openBucket({ ...settings, patience: 0.8 });
  s3.fault = () => 'silent';
  const began = performance.now();
  await expect(bytes.get(idIn('ad'))).rejects.toMatchObject({
    message: 's3://files/north/ does not answer in time.',
    code: 'ETIMEDOUT',
  });
  expect([s3.asked.length > 1, performance.now() - began < 10_000]).toEqual([true, true]);
});

test('BK2 a server that was killed while it stored a file has it once it is back', async () => {
  const bytes = openBucket({ ...settings, patience: 10 });
  const [id, body] = [idIn('ae'), randomBytes(2_000_000)];
  s3.fault = () => {
    s3.fault = () => undefined;
    void s3.kill().then(s3.start);
    return undefined;
  };
  await bytes.put(id, body);
  expect(await bytes.get(id)).toEqual(body);
  await bytes.remove(id);
});

test.each([
  [{ S3_SECRET_ACCESS_KEY: 'other' }, 'SignatureDoesNotMatch). Check S3_SECRET_ACCESS_KEY and S3_REGION.'],
  [{ S3_ACCESS_KEY_ID: 'other' }, 'InvalidAccessKeyId). Check S3_ACCESS_KEY_ID.'],
  [{ S3_BUCKET: 'absent' }, 'NoSuchBucket). Make the bucket first.'],
])('BK3 a start with %j stops, and says what to check', async (wrong, words) => {
  const school = await openOwnSchool();
  const { databaseUrl, databaseOwnerUrl, folder } = school.config;
  const own = { DATABASE_URL: databaseUrl, DATABASE_OWNER_URL: databaseOwnerUrl, SHALA_FOLDER: folder };
  const config = readConfig({ ...own, ...s3.settings, ...wrong });
  await expect(openServices(config, openLog('silent'))).rejects.toThrow(words);
  expect(s3.asked).toHaveLength(1);
  await school.close();
});

test('BK3 a bucket that does not answer at the start is warned of, and /readyz names the files until it does', async () => {
  s3.fault = () => 'lost';
  const school = await openOwnSchool({ ...s3.settings, SHALA_PATIENCE: '1' });
  expect(school.log()).toContain('Without it no file can be read or stored');
  expect((await school.send({ url: '/readyz' })).json).toMatchObject({ status: 'not ready', files: false });
  s3.fault = () => undefined;
  expect((await school.send({ url: '/readyz' })).json).toMatchObject({ status: 'ready', files: true });
  await school.close();
});

test('BK4 an upload into a full bucket is refused in words and leaves nothing; what needs no file is saved', async () => {
  const school: School = await openOwnSchool(s3.settings);
  const family = await school.inquiry();
  await family.upload('Birth Certificate');
  s3.fault = ({ method }) => (method === 'PUT' ? 'full' : undefined);
  const refused = await family.upload('Aadhar Card');
  expect([refused.status, refused.json.message]).toEqual([503, expect.stringContaining('storage is full')]);
  expect(refused.headers['retry-after']).toBeDefined();
  expect((await family.saveAdditionalInfo()).status).toBe(200);
  expect((await school.send({ url: '/readyz' })).status).toBe(503);
  expect(await school.sql('select 1 from file')).toHaveLength(1);
  expect(s3.names('files')).toHaveLength(1);
  s3.fault = () => undefined;
  expect((await family.upload('Aadhar Card')).status).toBe(200);
  expect(await school.sql('select 1 from file')).toHaveLength(2);

  // The bytes are sealed to their id: who holds the bucket reads none.
  const [row] = await school.sql(`select id::text, encode(sha256, 'hex') as sum from file order by id limit 1`);
  const sealed = s3.read('files', s3.names('files').find((one) => one.endsWith(String(row?.id))) ?? '');
  const sumOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  expect(sumOf(school.services.files.openSealed(String(row?.id), sealed))).toBe(row?.sum);
  expect(sumOf(sealed)).not.toBe(row?.sum);
  expect(() => school.services.files.openSealed(randomUUID(), sealed)).toThrow();

  // A file check finds what has no row, and names what has no bytes.
  const stranger = randomUUID();
  await school.services.files.put(stranger, Buffer.from('a paper'));
  school.clock.now = new Date(Date.now() + 11 * 60_000);
  const logged: string[] = [];
  const note = (facts: unknown, words?: string) => void logged.push(`${words} ${JSON.stringify(facts)}`);
  const found = await checkFiles({ ...school.services, log: { info: note, error: note } });
  expect(found).toEqual({ strangers: [stranger], missing: [], whole: 2 });
  await school.services.files.remove(String(row?.id));
  expect((await checkFiles({ ...school.services, log: { info: note, error: note } }))?.missing).toEqual([row?.id]);
  expect(logged.join()).toContain('have lost their bytes');
  await school.close();
});
