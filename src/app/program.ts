import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import { AppError } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Services } from '#kit/server/context.ts';
import { readMigrations } from '#kit/server/database/migrations.ts';
import { programVersion } from '#kit/server/version.ts';

/** Whether the database was upgraded by a newer program while this one runs. */
export interface Program {
  isOld: () => boolean;
  /** Looks once; while the database is unreachable nothing changes. */
  look: () => Promise<void>;
}

export function openProgram({ db }: Pick<Services, 'db'>, log: Pick<Logger, 'error'>): Program {
  const known = readMigrations().map(({ name }) => name);
  let isOld = false;
  return {
    isOld: () => isOld,
    look: async () => {
      if (isOld) return;
      const { rows } = await sql<{ version: string | null }>`
        select (select to_version from upgrade order by id desc limit 1) as version
        from migration where name <> all(${known}) limit 1`.execute(db);
      if (rows.length === 0) return;
      isOld = true;
      const { version } = rows[0] ?? {};
      log.error(
        `The database was upgraded to ${version}; this program is ${programVersion()}. Start ${version} instead.`,
      );
    },
  };
}

const upgraded = text`Shala was upgraded. Reload the page in a minute.`;

/** Refuses every request to an old program, whose statements no longer fit the tables. */
export function refuseWhenOld(app: FastifyInstance, program: Program) {
  app.addHook('onRequest', async ({ url }) => {
    if (program.isOld() && !/^\/(healthz|readyz)$/.test(url))
      throw new AppError('unavailable', upgraded, { retryAfter: 60 });
  });
}
