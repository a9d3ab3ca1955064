import { appendFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileOf, openOwnSchool, type Postgres, photo } from '../school.ts';
import { startApp } from './app.ts';
import { begin, type Outcome } from './outcome.ts';

const filler = 'filler';

/** Mounts two file systems of a few megabytes over the given folders, then runs the command. */
const mounted = `
  mkdir -p "$1/files" && mount -t tmpfs -o size=4m,mode=700 none "$1/files" && mount -t tmpfs -o size=1m none "$2" || exit 1
  shift 2; exec "$@"`;

/** Writes until the disk is full. */
function fill(folder: string) {
  const chunk = Buffer.alloc(4096);
  try {
    for (;;) appendFileSync(join(folder, filler), chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());

/**
 * The store and the temporary folder are full (J8). Both are small file systems in the server's own mount namespace,
 * which ends with it; the test fills and empties them through /proc.
 */
export async function diskFull(runs: number, postgres?: Postgres): Promise<Outcome> {
  const outcome = begin('disk full');
  const school = await openOwnSchool({}, postgres);
  const temp = join(school.config.folder, 'temp');
  mkdirSync(temp);
  const inside = [
    'unshare',
    '--user',
    '--map-root-user',
    '--mount',
    'sh',
    '-c',
    mounted,
    'sh',
    school.config.folder,
    temp,
  ];
  const app = await startApp(school, { environment: { TMPDIR: temp }, inside });
  const seen = (path: string) => `/proc/${app.child().pid}/root${path}`;
  const store = join(school.config.folder, 'files');
  const expect = (what: string, answered: { status: number; text: string }, status: number) => {
    if (answered.status === status) return;
    outcome.breaches.push(`${what} was answered ${answered.status}: ${answered.text.slice(0, 120)}`);
  };
  // Bytes after a picture's end are not read; a file of this size is stored in the temporary folder.
  const large = Buffer.concat([Buffer.from(await (await photo()).arrayBuffer()), Buffer.alloc(500_000)]);
  const described = { otherDocumentDescription: 'x' };
  try {
    for (; outcome.runs < runs; outcome.runs++) {
      const family = await app.family();
      expect('an upload', await family.upload('Birth Certificate'), 200);
      const [{ documentFilePath }] = (await family.get('documents')).json.data.resultList;
      const before = filesIn(seen(store)).length;
      fill(seen(temp));
      const arriving = await family.upload('Aadhar Card', {}, fileOf('a.jpg', large));
      expect('a large upload without room for temporary files', arriving, 503);
      if (!/storage is full/.test(arriving.json?.message))
        outcome.breaches.push(`not in clear words: ${arriving.text}`);
      expect('a small upload without room for temporary files', await family.upload('Other', described), 200);
      const [, other] = (await family.get('documents')).json.data.resultList;
      await family.remove(`documents/${other.studentAdmissionDocumentsID}`);
      fill(seen(store));

      const refused = await family.upload('Aadhar Card');
      expect('an upload into a full store', refused, 503);
      if (!/storage is full/.test(refused.json?.message)) outcome.breaches.push(`not in clear words: ${refused.text}`);
      if (!refused.headers['retry-after']) outcome.breaches.push('it does not say when to try again');
      expect('a save without a file', await family.saveAdditionalInfo(), 200);
      expect('reading a file', await family.get(`files/${documentFilePath}`), 200);
      expect('readiness', await app.send({ url: '/readyz' }), 503);
      const rows = await school.sql(`select 1 from file where owner_id = ${family.id}`);
      if (rows.length !== 1) outcome.breaches.push('a refused upload left a row');

      for (const folder of [store, temp]) rmSync(join(seen(folder), filler));
      if (filesIn(seen(store)).length !== before) outcome.breaches.push('a refused upload left bytes behind');
      const freed = performance.now();
      expect('an upload once there is room', await family.upload('Aadhar Card'), 200);
      expect('readiness once there is room', await app.send({ url: '/readyz' }), 200);
      outcome.worstFirstAnswer = Math.max(outcome.worstFirstAnswer, performance.now() - freed);
      outcome.acknowledged += 3;
    }
  } finally {
    await app.kill();
    await school.close();
  }
  return outcome;
}
