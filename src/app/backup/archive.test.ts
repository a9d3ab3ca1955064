// Smoke: runs on the oldest PostgreSQL too.
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EmptySchool, emptySchool } from '#testing/empty-school.ts';
import { openOwnSchool, type School } from '#testing/school.ts';
import { createArchive, readArchive } from './archive.ts';
import { backUp } from './backup.ts';
import type { Manifest } from './manifest.ts';
import { restore } from './restore.ts';
import { allOf, readManifest } from './verify.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shala-archive-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ringOf = (id = 'backup1', key = Buffer.alloc(32, 7)) => ({
  current: { id, key },
  all: [{ id, key }],
  find: (wanted: string) => (wanted === id ? key : undefined),
});

/** A small archive of two parts, the second with several frames; returns its path and the offsets of the frames. */
async function smallArchive(name: string, ring = ringOf()) {
  const path = join(folder, name);
  const archive = await createArchive(path, ring.current);
  await archive.write('table', 'one', [Buffer.from('a\tb\n'), Buffer.from('c\td\n')]);
  await archive.write('file', 'two', [Buffer.alloc(600_000, 'x')]);
  await archive.finish();
  await archive.publish();
  const bytes = readFileSync(path);
  const starts = ['SHALA BACKUP 1\n'.length + 1 + 'backup1'.length + 16];
  for (let at = starts[0] ?? 0; at < bytes.length; ) {
    at += 4 + bytes.readUInt32BE(at);
    starts.push(at);
  }
  return { path, bytes, starts };
}

const readAll = async (path: string, ring = ringOf()) => {
  const parts: { kind: string; name: string; bytes: number }[] = [];
  await readArchive(path, ring, async ({ kind, name, bytes }) => {
    let length = 0;
    for await (const chunk of bytes) length += chunk.length;
    parts.push({ kind, name, bytes: length });
  });
  return parts;
};

/** The error message when these bytes are read as an archive. */
async function saidOf(bytes: Buffer): Promise<string> {
  const path = join(folder, 'tried');
  writeFileSync(path, bytes);
  return readAll(path).then(
    () => 'nothing',
    (error: Error) => error.message,
  );
}

describe('the archive', () => {
  test('J6 gives back its parts, whether they are taken or passed over', async () => {
    const { path } = await smallArchive('whole');
    expect(await readAll(path)).toEqual([
      { kind: 'table', name: 'one', bytes: 8 },
      { kind: 'file', name: 'two', bytes: 600_000 },
    ]);
    const names: string[] = [];
    await readArchive(path, ringOf(), async ({ name }) => void names.push(name));
    expect(names).toEqual(['one', 'two']);
  });

  test('J6 with any byte altered, wherever it is, does not open', async () => {
    const { bytes, starts } = await smallArchive('altered');
    const near = starts.flatMap((at) => [at, at + 1, at + 2, at + 3, at + 4, at + 5, at - 1, at - 16]);
    const header = Array.from({ length: starts[0] ?? 0 }, (_, at) => at);
    const spread = Array.from({ length: 20 }, (_, step) => step * 29_873);
    for (const at of [...header, ...near, ...spread].filter((place) => place < bytes.length)) {
      for (const bit of [1, 128]) {
        const altered = Buffer.from(bytes);
        altered.writeUInt8(altered.readUInt8(at) ^ bit, at);
        expect([at, await saidOf(altered)]).not.toEqual([at, 'nothing']);
      }
    }
    const altered = Buffer.from(bytes);
    altered.writeUInt8(altered.readUInt8(90_000) ^ 1, 90_000);
    expect(await saidOf(altered)).toBe('tried was altered after it was written. Take another copy of it.');
  });

  test('J6 cut off anywhere, also between two frames, says so', async () => {
    const { bytes, starts } = await smallArchive('cut');
    const cuts = [...starts.slice(1, -1), ...starts.slice(1, -1).map((at) => at + 2), bytes.length - 1, 20, 30];
    for (const at of cuts) {
      expect([at, await saidOf(bytes.subarray(0, at))]).toEqual([at, expect.stringContaining('tried is cut off')]);
    }
    expect(await saidOf(Buffer.alloc(0))).toBe('tried is not a backup of Shala.');
  });

  test('J6 with frames moved, left out, repeated or added does not open', async () => {
    const { bytes, starts } = await smallArchive('moved');
    const frames = starts.slice(0, -1).map((at, index) => bytes.subarray(at, starts[index + 1]));
    const header = bytes.subarray(0, starts[0]);
    const [a, b, c, d, ...rest] = frames as [Buffer, Buffer, Buffer, Buffer, ...Buffer[]];
    for (const order of [
      [b, a, c, d, ...rest],
      [a, c, b, d, ...rest],
      [a, b, d, ...rest],
      [a, b, c, c, d, ...rest],
      [...frames, rest.at(-1) ?? a],
      [...frames, Buffer.from('more')],
    ]) {
      expect(await saidOf(Buffer.concat([header, ...order]))).toMatch(/altered|cut off/);
    }
    // The same frames under the header of another archive with the same key.
    const other = await smallArchive('other');
    expect(await saidOf(Buffer.concat([other.bytes.subarray(0, starts[0]), ...frames]))).toContain('does not open');
  });

  test('J6 does not open with another key, and names the key it wants', async () => {
    const { path } = await smallArchive('keyed');
    await expect(readAll(path, ringOf('backup1', randomBytes(32)))).rejects.toThrow(
      'keyed does not open: the backup key here is another one of the same name, or the archive was altered.',
    );
    await expect(readAll(path, ringOf('backup2'))).rejects.toThrow(
      'made with the backup key "backup1", which is not here',
    );
    await expect(readAll(join(folder, 'none'))).rejects.toThrow('There is no file');
    await expect(readManifest(path, ringOf())).rejects.toThrow('keyed has no manifest');
  });

  test('J6 that does not hold what its manifest says is refused', async () => {
    const sums = { rows: 1, bytes: 4, sha256: 'a' };
    for (const [name, manifest] of Object.entries({
      'the table one': { tables: { one: sums }, files: {} },
      'the file two': { tables: {}, files: { two: sums } },
    })) {
      const path = join(folder, name);
      const archive = await createArchive(path, ringOf().current);
      await archive.write('table', 'one', [Buffer.from('a\tb\n')]);
      await archive.write('file', 'two', [Buffer.from('abcd')]);
      await archive.write('manifest', 'manifest', [Buffer.from(JSON.stringify(manifest))]);
      await archive.finish();
      await archive.publish();
      await expect(readManifest(path, ringOf())).rejects.toThrow(`does not hold ${name} as its manifest says`);
    }
  });

  test('J6 is never written over: not over another one, not while another writes', async () => {
    const path = join(folder, 'once');
    const first = await createArchive(path, ringOf().current);
    await expect(createArchive(path, ringOf().current)).rejects.toThrow('Another backup is writing');
    await first.abandon();
    await (await createArchive(path, ringOf().current)).abandon();
  });
});

describe('a restore', () => {
  let school: School;
  let path: string;
  let place: EmptySchool;
  beforeAll(async () => {
    school = await openOwnSchool();
    await (await school.inquiry()).saveBasicInfo();
    path = join(folder, 'school.backup');
    await backUp(school.config, path);
    await expect(backUp(school.config, path)).rejects.toThrow('is there already');
    place = await emptySchool();
  });
  afterAll(async () => {
    await place.close();
    await school.close();
  });

  /** The same archive with another manifest. */
  async function writeOver(from: string, to: string, change: (manifest: Manifest) => Manifest) {
    const ring = school.services.keys.backup;
    rmSync(to, { force: true });
    const archive = await createArchive(to, ring.current);
    await readArchive(from, ring, async (part) => {
      const bytes = await allOf(part);
      const written =
        part.kind === 'manifest' ? Buffer.from(JSON.stringify(change(JSON.parse(bytes.toString())))) : bytes;
      await archive.write(part.kind, part.name, [written]);
    });
    await archive.finish();
    await archive.publish();
  }

  const wrong = (name: string) => ({
    ...place.config,
    keys: { [name]: `${name}1:${randomBytes(32).toString('base64')}` },
  });

  test('J6 I5 H4 refuses what does not open, has no fitting keys or another audit log, and changes nothing', async () => {
    await expect(restore(place.config, path)).rejects.toThrow('The backup key is missing. Put it back');
    await expect(restore(wrong('backup'), path)).rejects.toThrow('does not open: the backup key here is another one');

    const readKey = (name: string) => readFileSync(join(school.config.folder, 'keys', name), 'utf8');
    const keys = { link: readKey('link'), data: readKey('data'), code: readKey('code'), backup: readKey('backup') };
    const withKeys = (overrides: object) => ({ ...place.config, keys: { ...keys, ...overrides } });
    await expect(restore(withKeys({ data: undefined }), path)).rejects.toThrow('The data key is missing. Put it back');
    await expect(restore(withKeys(wrong('data').keys), path)).rejects.toThrow('The data key "data1" is not the one');
    await expect(restore(withKeys(wrong('link').keys), path)).rejects.toThrow('The link key "link1" is not the one');

    const bytes = readFileSync(path);
    for (const tried of [bytes.subarray(0, bytes.length - 100), Buffer.concat([bytes, Buffer.from('x')])]) {
      writeFileSync(join(folder, 'tried'), tried);
      await expect(restore(withKeys({}), join(folder, 'tried'))).rejects.toThrow('tried');
    }
    expect(await place.sql(`select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
    const named = { sealed: 3, head: 'ab'.repeat(32) };
    await writeOver(path, join(folder, 'tried'), (manifest) => ({ ...manifest, audit: named }));
    await expect(restore(withKeys({}), join(folder, 'tried'))).rejects.toThrow(
      'The audit log ends in seal 0 (00000000), but the manifest names seal 3 (abababab). Take another archive.',
    );
    expect(await place.sql(`select relname from pg_class where relnamespace = 'public'::regnamespace`)).toEqual([]);
    // The format before archives contained the end of the audit log.
    await writeOver(path, join(folder, 'older'), ({ audit: _, ...manifest }) => manifest);
    expect((await restore(withKeys({}), join(folder, 'older'))).files).toBe(1);
  });
});
