import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { say } from './say.ts';

const root = join(import.meta.dirname, '..');

export interface Step {
  name: string;
  /** A program of node_modules/.bin or of the system, and its arguments. */
  line: [program: string, ...words: string[]];
  env?: Record<string, string>;
}

const running = new Set<ChildProcess>();
let isEnding = false;

/** Ends the steps that run, as Ctrl-C would; none begins or is finished afterwards. */
export async function endSteps() {
  isEnding = true;
  const closed = [...running].map((child) => once(child, 'close'));
  for (const child of running) child.kill('SIGINT');
  await Promise.all(closed);
}

/** Runs one step and prints its result; its output is shown when it fails, or as it comes when `live`. */
export async function runStep({ name, line, env }: Step, live = false): Promise<boolean> {
  if (isEnding) return new Promise(() => undefined);
  const started = Date.now();
  const [program, ...words] = line;
  const child = spawn(program, words, {
    cwd: root,
    stdio: ['ignore', live ? 'inherit' : 'pipe', live ? 'inherit' : 'pipe'],
    env: { ...process.env, ...env, PATH: `${join(root, 'node_modules/.bin')}:${process.env.PATH}` },
  });
  running.add(child);
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on('data', (text) => {
      printed += text;
    });
  }
  const code = await new Promise((done) => child.once('close', done));
  running.delete(child);
  if (isEnding) return new Promise(() => undefined);
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  say(`${code === 0 ? 'passed' : 'FAILED'}  ${name} (${seconds} s)`);
  if (code !== 0) process.stdout.write(printed);
  return code === 0;
}
