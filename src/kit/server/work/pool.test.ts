import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { english, verbatim } from '#kit/contract/text.ts';
import { testPatience } from '#testing/patience.ts';
import { soak } from '#testing/soak.ts';
import { type Kind, openPool, setPatience } from './pool.ts';
import { openQueue } from './queue.ts';

const megabyte = 1024 * 1024;

// Other files of this worker have opened schools, whose patience holds for the whole process.
beforeAll(() => setPatience(1));
afterAll(() => setPatience(testPatience));

const openProbe = (over: Partial<Kind> = {}) => {
  const run = openPool({
    program: new URL('../../../../testing/probe-work.ts', import.meta.url),
    queue: openQueue(2, 10),
    // Where a test is not about time, the limit is long enough for a busy machine.
    seconds: 60,
    memory: 200 * megabyte,
    result: megabyte,
    jobs: 1,

    broken: verbatim('It is broken.'),
    tooLarge: verbatim('It takes too much.'),
    ...over,
  });
  let asked = 0;
  return async (act: string, value?: string, signal?: AbortSignal) => {
    const result = await run(() => Buffer.from(JSON.stringify({ act, value })), {
      owner: `link:${asked++}`,
      signal,
    });
    return 'refused' in result ? english(result.refused) : result.bytes.toString();
  };
};
const unavailable = expect.objectContaining({ code: 'unavailable', retryAfter: 5 });

test.each([
  ['ends itself', 'end', 'It is broken.'],
  ['aborts', 'abort', 'It is broken.'],
  ['works without end', 'work', /^(It is broken\.|unavailable)$/],
  ['fills the heap', 'objects', /^(It is broken\.|It takes too much\.|unavailable)$/],
  ['takes bytes outside the heap', 'bytes', 'It takes too much.'],
  ['takes bytes faster than anybody looks', 'manyBytes', /^It (is broken|takes too much)\.$/],
  ['answers more than it may', 'answerMuch', 'It takes too much.'],
])('W2 D14 a program that %s is ended, beside a job that is done', async (_, act, words) => {
  const ask = openProbe(act === 'work' ? { seconds: 2 } : {});
  // On a busy machine an endless job may get too little processor time to count as its own fault.
  const [refused, done] = await Promise.all([ask(act).catch(({ code }) => code), ask('number')]);
  expect(refused).toMatch(words);
  expect(Number(done)).toBeGreaterThan(0);
  expect(Number(await ask('number'))).not.toBe(Number(done));
});

soak(
  'W5 of jobs that several owners send, a short one is done before those that work without end are out of time',
  async () => {
    const ask = openProbe({ shortSeconds: 0.2, seconds: 6 });
    const gone = new AbortController();
    const endless = Array.from({ length: 4 }, () => ask('work', undefined, gone.signal).catch(({ code }) => code));
    const short = ask('number');
    expect(Number(await Promise.race([short, ...endless]))).toBeGreaterThan(0);
    gone.abort();
    for (const refused of await Promise.all(endless)) expect(refused).toMatch(/^(It is broken\.|unavailable)$/);
  },
);

test('a job that gets little processor time may take as many times as long as the configuration allows', async () => {
  const ask = openProbe({ seconds: 0.5 });
  await expect(ask('waitFor', '1500')).rejects.toEqual(unavailable);
  setPatience(testPatience);
  onTestFinished(() => setPatience(1));
  expect(await ask('waitFor', '1500')).toBe('waited');
});

test('a job that waits too long for its turn is to be sent again, and one that works is done', async () => {
  const ask = openProbe({ queue: openQueue(1, 40), seconds: 600 });
  const working = ask('workFor', '1500');
  setPatience(0.02);
  onTestFinished(() => setPatience(1));
  const waiting = await Promise.all(Array.from({ length: 30 }, () => ask('number').catch((error) => error)));
  expect(waiting).toEqual(waiting.map(() => unavailable));
  setPatience(1);
  expect(await working).toBe('worked');
});

test('W5 a job that others wait for is begun again, and done', async () => {
  const ask = openProbe({ shortSeconds: 0.2, queue: openQueue(1, 10) });
  const [worked, done] = await Promise.all([ask('workFor', '600'), ask('number')]);
  expect([worked, Number(done) > 0]).toEqual(['worked', true]);
});

soak(
  'D14 a payload that was hardly worked on in its time is to be sent again, as is one whose process is killed',
  async () => {
    const ask = openProbe({ seconds: 2 });
    await expect(ask('wait')).rejects.toEqual(unavailable);
    const kept = openProbe({ jobs: 2 });
    const process_ = Number(await kept('number'));
    const waiting = expect(kept('wait')).rejects.toEqual(unavailable);
    process.kill(process_, 'SIGKILL');
    await waiting;
    expect(await kept('number')).not.toBe(String(process_));
  },
);

test('D14 a failure of the program itself is a failure, and says where', async () => {
  await expect(openProbe()('throw', 'no such thing')).rejects.toThrow(/no such thing[\s\S]*probe-work\.ts/);
});

test('D14 what a package prints is no answer', async () => {
  expect(await openProbe()('print', 'Warning')).toBe('printed');
});

test('D14 a process does as many jobs as it may, one after another, and none after it has refused one', async () => {
  const ask = openProbe({ jobs: 3 });
  const numbers: string[] = [];
  for (let job = 0; job < 4; job++) numbers.push(await ask('number'));
  expect(new Set(numbers.slice(0, 3)).size).toBe(1);
  expect(numbers[3]).not.toBe(numbers[0]);
  expect(await ask('refuse', 'No.')).toBe('No.');
  expect(await ask('number')).not.toBe(numbers[3]);
});

test('D14 jobs that come together share a process, unless one of them keeps it long', async () => {
  let ask = openProbe({ jobs: 10 });
  const processes = async () => {
    ask = openProbe({ jobs: 10 });
    return new Set(await Promise.all([ask('number'), ask('number')])).size;
  };
  // On a busy machine a short job may take long too.
  await expect.poll(processes, { timeout: 20_000 }).toBe(1);
  const first = await ask('number');
  const [worked, other] = await Promise.all([ask('workFor', '2000'), ask('number')]);
  expect(worked).toBe('worked');
  expect(other).not.toBe(first);
});

test('D14 when the process that starts the others is killed, the next job is done by new ones', async () => {
  const ask = openProbe({ jobs: 10 });
  const first = await ask('number');
  const starter = Number(readFileSync(`/proc/${first}/stat`, 'utf8').split(') ').at(-1)?.split(' ')[1]);
  expect(starter).not.toBe(process.pid);
  process.kill(starter, 'SIGKILL');
  // A job that is sent before the end is known is refused, to be sent again.
  await expect.poll(() => ask('number').catch(({ code }) => code), { timeout: 20_000 }).toMatch(/^\d+$/);
  await expect.poll(() => ask('number'), { timeout: 20_000 }).not.toBe(first);
});

describe('a program of the pool', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shala-pool-'));
  writeFileSync(join(folder, 'data.key'), 'secret');
  afterAll(() => rmSync(folder, { recursive: true }));
  const ask = openProbe();

  test('W20 has no environment', async () => {
    expect(await ask('environment')).toBe('{}');
  });

  test.each([
    ['a key', 'read', join(folder, 'data.key')],
    ['the folder of keys and files', 'list', folder],
    ['the environment of the server', 'read', `/proc/${process.pid}/environ`],
    ['the memory of the server', 'read', `/proc/${process.pid}/mem`],
    ['the demo school', 'read', join(import.meta.dirname, '../../../../database/seed/school.ts')],
    ['a place to write', 'write', join(folder, 'x')],
    ['its own code, to write', 'write', join(import.meta.dirname, 'x.ts')],
    ['another program', 'run', '/bin/true'],
    ['a thread', 'thread', ''],
  ])('W20 cannot reach %s', async (_, act, value) => {
    await expect(ask(act, value)).rejects.toThrow(/Access to this API has been restricted/);
  });

  test('W20 has no native code that could open what it may not', async () => {
    await expect(ask('native', join(folder, 'x.png'))).rejects.toThrow(/Could not load the "sharp" module/);
    await expect(ask('database', join(folder, 'x'))).rejects.toThrow(/node:sqlite/);
    expect(readdirSync(folder)).toEqual(['data.key']);
  });

  const canHide = spawnSync('unshare', [...(process.getuid?.() === 0 ? [] : ['--user']), '--net', 'true']).status === 0;
  test.runIf(canHide)('W20 reaches no network, and so no database', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    await expect(ask('connect', `${(server.address() as AddressInfo).port}`)).rejects.toThrow(
      /ENETUNREACH|ECONNREFUSED/,
    );
    server.close();
  });
});
