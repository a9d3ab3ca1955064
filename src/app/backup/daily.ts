import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { backupMessages } from '#features/dashboard/contract.ts';
import type { Config } from '#kit/server/config.ts';
import type { Database } from '#kit/server/database/database.ts';
import type { FindWarnings } from '#kit/server/warnings.ts';
import { type BackupFigures, backUp, makeArchiveFolder } from './backup.ts';
import { byTime, openArchivePlace } from './place.ts';
import { archiveName } from './words.ts';

/** What makes a daily backup, as the audit log names it. */
const dailyCommand = 'daily backup';
/** The prefix of its archives' names; files with other names are never deleted. */
const begin = 'shala-daily';
const dailyName = /^shala-daily-\d{4}-\d\d-\d\dT\d{4}\.backup$/;
const unfinishedName = /^shala-daily-\d{4}-\d\d-\d\dT\d{4}\.backup\.part$/;
/** The eighth deletes the oldest. */
const kept = 7;
const mostAge = 2 * 24 * 60 * 60 * 1000;

/** Null where there was none. */
export interface BackupDates {
  /** The last good backup of any kind. */
  made: Date | null;
  /** The last good backup that the server made by itself. */
  daily: Date | null;
  /** The first act in this school. */
  begun: Date | null;
}

const made = `select at from audit where entity = 'database' and entity_id = 0 and action = 'backup.made'`;
const datesQuery = `select
  (${made} order by id desc limit 1) as made,
  (${made} and request_id = '${dailyCommand}' order by id desc limit 1) as daily,
  (select min(at) from audit) as begun`;

/** Reads the times of the last backups from the audit log. */
export async function findBackupDates(db: Database): Promise<BackupDates> {
  const { rows } = await sql.raw<BackupDates>(datesQuery).execute(db);
  return rows[0] ?? { made: null, daily: null, begun: null };
}

/** Whether the last good backup is at most two days old; a younger school needs none yet. */
export function backupState({ made, begun }: BackupDates, now: Date): 'ok' | 'old' | 'none' {
  const isOld = (at: Date | null) => at !== null && now.getTime() - at.getTime() > mostAge;
  if (made) return isOld(made) ? 'old' : 'ok';
  return isOld(begun) ? 'none' : 'ok';
}

export const findBackupWarnings: FindWarnings = async ({ db, now }) => {
  const state = backupState(await findBackupDates(db), now());
  return state === 'ok' ? [] : [{ name: `backup-${state}`, text: backupMessages[state], isUrgent: true }];
};

/**
 * Whether the daily backup is due: none was made since the last time this machine's clock showed this hour, even if the
 * server was off then. A new school waits for its first such hour.
 */
export function isBackupDue({ daily, begun }: BackupDates, hour: number, now: Date): boolean {
  const last = daily ?? begun;
  const came = new Date(now);
  came.setHours(hour, 0, 0, 0);
  if (came > now) came.setDate(came.getDate() - 1);
  return last !== null && last < came;
}

/**
 * Makes the daily backup if it is due and no other process is making it, then deletes the oldest beyond seven. Returns
 * undefined where there was nothing to do.
 */
export async function makeDailyBackup(
  config: Config,
  now: Date,
  signal?: AbortSignal,
): Promise<BackupFigures | undefined> {
  const { folder, hour } = config.backup;
  const client = new pg.Client({ connectionString: config.databaseOwnerUrl, connectionTimeoutMillis: 10_000 });
  client.on('error', () => undefined); // The running statement fails with the same message.
  await client.connect();
  try {
    // The lock belongs to the connection, so a process that dies releases it.
    const { rows: locks } = await client.query<{ own: boolean }>(
      `select pg_try_advisory_lock(hashtextextended('shala job daily backup', 0)) as own`,
    );
    if (!locks[0]?.own) return undefined;
    const { rows: dates } = await client.query<BackupDates>(datesQuery);
    if (hour === undefined || !dates[0] || !isBackupDue(dates[0], hour, now)) return undefined;

    makeArchiveFolder(folder);
    for (const name of await readdir(folder)) if (unfinishedName.test(name)) await rm(join(folder, name));
    const place = openArchivePlace(config);
    const options = { signal, command: dailyCommand, bucket: place.bucket };
    const figures = await backUp(config, join(folder, archiveName(now, begin)), options);
    const made = (await place.names()).filter((name) => dailyName.test(name)).sort(byTime);
    for (const name of made.slice(0, -kept)) await place.remove(name);
    return figures;
  } finally {
    await client.end();
  }
}
