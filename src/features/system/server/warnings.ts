import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { Services } from '#kit/server/context.ts';
import { isNearlyFull } from '#kit/server/files/disk.ts';
import { listProcesses } from '#kit/server/server-process.ts';
import type { FindWarnings, Warning } from '#kit/server/warnings.ts';
import { findConnectionWarnings } from './connections.ts';

/** Said while every process runs without jobs. */
export const noJobs = text`No process sends messages, seals the audit log or makes backups. Ask your system administrator to start one without “SHALA_JOBS=off”.`;

/** Hours for which a piece of upkeep may fail before Admins must know. */
const mayFail = 6;

const full = {
  files: (free: string) =>
    text`Only ${{ free }} GB are free where uploaded files are stored. Ask your system administrator for room, before nothing can be saved.`,
  backups: (free: string) =>
    text`Only ${{ free }} GB are free where backups are stored. Ask your system administrator for room, before no backup can be made.`,
};

async function findDiskWarnings({ readDisks }: Services): Promise<Warning[]> {
  const nearlyFull = (await readDisks()).filter(isNearlyFull);
  return nearlyFull.map(({ name, free }) => ({
    name: `disk-${name}`,
    text: full[name]((free / 1e9).toFixed(1)),
    isUrgent: true,
  }));
}

/** Pieces of upkeep that fail for hours: nothing else would show it. */
async function findUpkeepWarnings({ db, now }: Services): Promise<Warning[]> {
  const { rows } = await sql<{ name: string; error: string }>`select name, error from upkeep
    where tries > 1 and coalesce(last_ok_at, ${now()}::timestamptz - interval '1 year') < ${now()}::timestamptz - make_interval(hours => ${mayFail})
    order by failed_at desc limit 1`.execute(db);
  return rows.map(({ name, error }) => ({
    name: 'upkeep-fails',
    text: text`Upkeep fails for hours: “${{ name }}” (${{ error }}). The page System has more.`,
    to: '/school-erp/system?tab=work',
    isUrgent: true,
  }));
}

async function findLackOfJobs(services: Services): Promise<Warning[]> {
  const processes = await listProcesses(services);
  const isLacking = processes.length > 0 && !processes.some(({ doesJobs }) => doesJobs);
  return isLacking ? [{ name: 'no-jobs', text: noJobs, isUrgent: true }] : [];
}

export const findWarnings: FindWarnings = async (services) => [
  ...(await findLackOfJobs(services)),
  ...(await findConnectionWarnings(services)),
  ...(await findDiskWarnings(services)),
  ...(await findUpkeepWarnings(services)),
];
