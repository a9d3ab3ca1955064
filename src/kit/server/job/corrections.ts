import type { Services } from '#kit/server/context.ts';
import { withAdvisoryLock } from './jobs.ts';

/** Corrects stored data once, where SQL alone cannot: sealed values open only with the keys. */
export interface DataCorrection {
  /** The minute of writing and the subject, as of a migration. */
  name: string;
  /** May run again after a process died, so rows that are correct already must stay as they are. */
  correct: (services: Services) => Promise<unknown>;
}

/** Runs a correction unless it has been done, or another process is doing it. */
export const correctOnce = (services: Services, { name, correct }: DataCorrection) =>
  withAdvisoryLock(services.db, `correction ${name}`, async (db) => {
    const done = await db.selectFrom('data_correction').where('name', '=', name).select('name').executeTakeFirst();
    if (done) return;
    await correct({ ...services, db });
    await db.insertInto('data_correction').values({ name }).execute();
  });
