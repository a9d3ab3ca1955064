import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import type { Config } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import type { BackupFigures } from './backup.ts';
import { findBackupDates, isBackupDue } from './daily.ts';

const program = fileURLToPath(new URL('./daily-process.ts', import.meta.url));
const lookEvery = 60_000;
const tryAgainAfter = 60 * 60 * 1000;
/** Milliseconds that a stopped backup gets to delete what it wrote. */
const stopWithin = 5000;

type Answer = { made?: BackupFigures } | { failed: string };

interface DailyBackups {
  /** Makes the daily backup now if it is due; for the timer and for tests. */
  look: () => Promise<void>;
  stop: () => Promise<void>;
}

/** Makes a backup every day at the configured hour, in a child process. */
export function startDailyBackups(
  { db, now }: Pick<Services, 'db' | 'now'>,
  config: Config,
  log: Pick<Logger, 'info' | 'warn' | 'error'>,
): DailyBackups {
  const { hour } = config.backup;
  let child: ChildProcess | undefined;
  let notBefore = 0;

  const run = async (): Promise<Answer> => {
    const started = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
    child = started;
    started.stdin.on('error', () => undefined); // `close` reports its end.
    // Its standard input stays open, so it ends with this process in any case.
    started.stdin.write(`${JSON.stringify({ config, now: now().toISOString() })}\n`);
    const [said] = await Promise.all([text(started.stdout), once(started, 'close')]);
    child = undefined;
    return said ? JSON.parse(said) : { failed: 'Its process ended before it was done.' };
  };

  const look = async () => {
    if (hour === undefined || child || now().getTime() < notBefore) return;
    if (!isBackupDue(await findBackupDates(db), hour, now())) return;
    const answer = await run().catch((error: Error) => ({ failed: error.message }));
    if ('failed' in answer) {
      notBefore = now().getTime() + tryAgainAfter;
      log.error(`The daily backup was not made: ${answer.failed.replace(/\.?$/, '.')} It is tried again in an hour.`);
    } else if (answer.made) {
      const { lost, ...made } = answer.made;
      log.info(made, 'The daily backup was made');
      if (lost.length > 0) log.error({ ids: lost }, 'The daily backup is without files that have lost their bytes');
    }
  };

  let isStopping = false;
  let looking: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    if (!child && !isStopping)
      looking = look().catch((error: unknown) => log.warn({ error }, 'Whether a backup is due was not looked up'));
  }, lookEvery);
  return {
    look,
    stop: async () => {
      isStopping = true;
      clearInterval(timer);
      child?.kill('SIGTERM');
      const late = pause(stopWithin, undefined, { ref: false }).then(() => child?.kill('SIGKILL'));
      await Promise.race([looking, late.then(() => looking)]);
    },
  };
}
