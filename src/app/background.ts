import type { Logger } from 'pino';
import type { Config } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { doEveryMinute } from '#kit/server/job/every-minute.ts';
import { sealAudit } from '#kit/server/security/audit-seal.ts';
import { lookForAlerts } from './alerts.ts';
import { startDailyBackups } from './backup/schedule.ts';
import { features } from './features.server.ts';
import { startUpkeep } from './upkeep.ts';

/** The audit's rows are sealed within ten seconds (H4). */
const sealEvery = 5000;
const minute = 60_000;

/** What a process does besides answering and sending: upkeep, seals, the work of every minute, daily backups. */
export function startBackground(services: Services, config: Config, log: Logger): { stop: () => Promise<void> } {
  const upkeep = startUpkeep(services, log);
  const seals = repeat(
    sealEvery,
    () => sealAudit(services),
    (error) => {
      log.warn({ error }, 'Sealing the audit failed; it is tried again');
    },
  );
  const minutely = repeat(
    minute,
    async () => {
      for (const task of features.flatMap(({ everyMinute }) => everyMinute)) await doEveryMinute(services, task);
    },
    (error) => log.warn({ error }, 'Work of every minute failed; it is tried again'),
  );
  const alerts = repeat(
    minute,
    () => lookForAlerts(services, config),
    (error) => log.warn({ error }, 'What is urgent was not told; it is tried again'),
  );
  const backups = startDailyBackups(services, config, log);
  return {
    stop: async () => {
      await Promise.all([upkeep.stop(), seals.stop(), minutely.stop(), alerts.stop(), backups.stop()]);
    },
  };
}

/** Does an act again and again, one at a time; `stop` waits for the one that is being done. */
function repeat(every: number, act: () => Promise<unknown>, failed: (error: unknown) => void) {
  let doing: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    doing = doing.then(act).catch(failed);
  }, every);
  return {
    stop: () => {
      clearInterval(timer);
      return doing;
    },
  };
}
