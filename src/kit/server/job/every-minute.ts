import { sql } from 'kysely';
import { type Context, contextOutside, type Services } from '#kit/server/context.ts';

/** Work of every minute, such as what becomes due at a moment. It must do nothing when nothing is due. */
export interface MinuteTask {
  name: string;
  /** `db` is its transaction. */
  act: (ctx: Context) => Promise<void>;
}

/** Does a task of every minute unless another process is doing it; returns whether it did. */
export const doEveryMinute = (services: Services, { name, act }: MinuteTask): Promise<boolean> =>
  services.db.transaction().execute(async (db) => {
    const { rows } = await sql<{ isFree: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('every-minute'), hashtext(${name})) as "isFree"`.execute(db);
    if (!rows[0]?.isFree) return false;
    await act({ ...contextOutside(services, `minute ${name}`), db });
    return true;
  });
