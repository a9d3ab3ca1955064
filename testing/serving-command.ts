import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

export interface ServingCommand {
  child: ChildProcess;
  /** Its output so far. */
  output: () => string;
}

/**
 * Runs `npm start` or `npm run dev` on its own folder and port with the embedded database. Resolves when it is ready;
 * throws with its output when it ends earlier or exceeds the time limit in milliseconds.
 */
export async function startServing(
  name: 'start' | 'dev',
  { folder, port, readyWithin = 80_000 }: { folder: string; port: number; readyWithin?: number },
): Promise<ServingCommand> {
  const { DATABASE_URL: _, ...environment } = process.env;
  const child = spawn(process.execPath, ['scripts/run.mjs', name], {
    cwd: root,
    env: { ...environment, NODE_ENV: '', SHALA_FOLDER: folder, PORT: String(port) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  await new Promise<void>((ready, fail) => {
    const late = setTimeout(() => fail(new Error(`Not ready in ${readyWithin} ms: ${printed}`)), readyWithin);
    const hear = (text: Buffer) => {
      printed += text;
      if (printed.includes('Ready on')) {
        clearTimeout(late);
        ready();
      }
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => {
      clearTimeout(late);
      fail(new Error(`Ended with ${code}: ${printed}`));
    });
  }).catch((error) => {
    child.kill('SIGKILL');
    throw error;
  });
  return { child, output: () => printed };
}
