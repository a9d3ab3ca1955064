// A program for the pool that does what a test asks of it: what a broken or compromised child process might do.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { verbatim } from '#kit/contract/text.ts';
import { serve } from '../src/kit/server/work/serve.ts';

const say = (words: string) => ({ bytes: Buffer.from(words) });
const held: unknown[] = [];

const acts: Record<string, (value: string) => ReturnType<Parameters<typeof serve>[0]>> = {
  number: () => say(String(process.pid)),
  environment: () => say(JSON.stringify(process.env)),
  read: (path) => say(readFileSync(path, 'utf8')),
  list: (path) => say(readdirSync(path).join()),
  write: (path) => {
    writeFileSync(path, 'x');
    return say('written');
  },
  run: (program) => say(spawnSync(program, { encoding: 'utf8' }).error?.message ?? 'it ran'),
  thread: () => {
    new Worker('', { eval: true });
    return say('started');
  },
  connect: (port) =>
    new Promise((done, fail) => {
      connect(Number(port), '127.0.0.1', () => done(say('connected'))).once('error', fail);
    }),
  native: async (path) => {
    const { default: sharp } = await import('sharp');
    await sharp({ create: { width: 1, height: 1, channels: 3, background: '#fff' } }).toFile(path);
    return say('written');
  },
  database: async (path) => {
    const { DatabaseSync } = await import('node:sqlite');
    new DatabaseSync(path).exec('create table x (y)');
    return say('written');
  },
  refuse: (words) => ({ refused: verbatim(words) }),
  print: (words) => {
    // biome-ignore lint/suspicious/noConsole: as a package might.
    globalThis.console.log(words);
    return say('printed');
  },
  throw: (words) => {
    throw new Error(words);
  },
  end: () => process.exit(3),
  abort: () => process.abort(),
  work: () => {
    for (;;) held[0] = Math.sqrt(2);
  },
  workFor: (ms) => {
    for (const started = performance.now(); performance.now() - started < Number(ms); ) held[0] = Math.sqrt(2);
    return say('worked');
  },
  waitFor: async (ms) => {
    await pause(Number(ms));
    return say('waited');
  },
  wait: async () => {
    await pause(60_000);
    return say('waited');
  },
  objects: () => {
    for (;;) held.push({ number: held.length });
  },
  bytes: async () => {
    for (;;) {
      held.push(Buffer.alloc(8 * 1024 * 1024, 1));
      await pause(5);
    }
  },
  manyBytes: () => {
    for (;;) held.push(Buffer.alloc(64 * 1024 * 1024, 1));
  },
  answerMuch: () => ({ bytes: Buffer.alloc(8 * 1024 * 1024) }),
};

serve((payload) => {
  const { act, value = '' } = JSON.parse(payload.toString()) as { act: string; value?: string };
  return acts[act]?.(value) ?? { refused: verbatim('There is no such act.') };
});
