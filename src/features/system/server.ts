import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { listProcesses } from '#kit/server/server-process.ts';
import { programCommit, programVersion } from '#kit/server/version.ts';
import type { FindWarnings } from '#kit/server/warnings.ts';
import { systemApi, systemPages } from './contract.ts';

const mostUpgrades = 5;

async function readDatabase({ db }: Context) {
  const { rows } = await sql<{ postgres: string; migration: string }>`
    select split_part(current_setting('server_version'), ' ', 1) as postgres,
      (select coalesce(max(name), '') from migration) as migration`.execute(db);
  return rows[0] ?? { postgres: '', migration: '' };
}

const version: Handler<typeof systemApi.version> = async (ctx: Context) => {
  const upgrades = await ctx.db
    .selectFrom('upgrade')
    .select(['id', 'at', 'from_version', 'to_version', 'migrations', 'backup'])
    .orderBy('id', 'desc')
    .limit(mostUpgrades)
    .execute();
  return {
    version: programVersion(),
    commit: programCommit(),
    node: process.versions.node,
    ...(await readDatabase(ctx)),
    processes: await listProcesses(ctx),
    upgrades: upgrades.map(({ id, at, from_version, to_version, migrations, backup }) => ({
      id,
      at: at.toISOString(),
      from: from_version ?? '',
      to: to_version,
      migrations,
      backup: backup ?? '',
    })),
  };
};

const noJobs = text`No process sends messages, seals the audit log or makes backups. Ask your system administrator to start one without “SHALA_JOBS=off”.`;

const findWarnings: FindWarnings = async (services) => {
  const processes = await listProcesses(services);
  return processes.length > 0 && !processes.some(({ doesJobs }) => doesJobs) ? [{ name: 'no-jobs', text: noJobs }] : [];
};

/** What runs this school, for Admins. */
export const system = serverFeature({
  pages: systemPages,
  routes: routes(systemApi, { version }),
  findWarnings,
});
