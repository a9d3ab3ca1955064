import { readFileSync } from 'node:fs';
import type pg from 'pg';

/** Milliseconds of processor of this process and of the database's sessions; of another machine's they are not known. */
export async function processorOf(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  const { user, system } = process.cpuUsage();
  return rows.reduce((sum, { pid }) => sum + nanosecondsOf(pid) / 1_000_000, (user + system) / 1000);
}

/** A session may have ended meanwhile. */
function nanosecondsOf(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]);
  } catch {
    return 0;
  }
}
