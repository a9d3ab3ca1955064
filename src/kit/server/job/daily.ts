import { sql } from 'kysely';
import type { Setting } from '#kit/contract/setting.ts';
import { type Context, contextOutside, type Services } from '#kit/server/context.ts';
import type { Database } from '#kit/server/database/database.ts';
import { atLocalHour, localHour, toLocalDate } from '#kit/server/day.ts';
import { readSetting, readSettings } from '#kit/server/settings.ts';

/** An hour of the day, or the setting that has it. */
type Hour = number | Setting<'hour'>;

/** Work of each day, done in the minute of its first hour, and until its last one where the server was down. */
export interface DailyTask {
  name: string;
  from: Hour;
  until: Hour;
  /** `db` is the transaction that also notes that the day's task is done; `dueAt` the moment of its first hour. */
  act: (ctx: Context, dueAt: Date) => Promise<void>;
}

const settingOf = (bound: Hour) => (typeof bound === 'number' ? [] : [[bound.key, bound] as const]);

/** The names of the tasks that are within their hours and not yet done today. */
export async function findDueDaily(services: Services, tasks: readonly DailyTask[]): Promise<ReadonlySet<string>> {
  const now = services.now();
  const hour = localHour(now);
  const hours = await readSettings(
    services,
    Object.fromEntries(tasks.flatMap(({ from, until }) => [...settingOf(from), ...settingOf(until)])),
  );
  const at = (bound: Hour) => (typeof bound === 'number' ? bound : Number(hours[bound.key]));
  const within = tasks.filter(({ from, until }) => hour >= at(from) && hour < at(until));
  if (within.length === 0) return new Set();
  const { rows } = await sql<{ name: string }>`
    select name from daily_task where day = ${toLocalDate(now)}`.execute(services.db);
  const done = new Set(rows.map(({ name }) => name));
  return new Set(within.flatMap(({ name }) => (done.has(name) ? [] : [name])));
}

/** Does a daily task unless it is done for today or its hours are over; returns whether it did. */
export async function doDaily(services: Services, { name, from, until, act }: DailyTask): Promise<boolean> {
  const now = services.now();
  const hour = localHour(now);
  const at = (bound: Hour) => (typeof bound === 'number' ? bound : readSetting(services, bound));
  const [first, last] = await Promise.all([at(from), at(until)]);
  if (hour < first || hour >= last) return false;
  return services.db.transaction().execute(async (db: Database) => {
    const { rows } = await sql`insert into daily_task (name, day) values (${name}, ${toLocalDate(now)})
      on conflict do nothing returning name`.execute(db);
    if (rows.length === 0) return false;
    await act({ ...contextOutside(services, `daily ${name}`), db }, atLocalHour(toLocalDate(now), first));
    return true;
  });
}
