import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';
import type { Handler } from '#kit/server/http/routes.ts';
import { listProcesses } from '#kit/server/server-process.ts';
import { programCommit, programVersion } from '#kit/server/version.ts';
import type { versionApi } from '../contract/version.ts';
import { readConnections } from './connections.ts';

const mostUpgrades = 5;

async function readDatabase({ db }: Context) {
  const { rows } = await sql<{ postgres: string; migration: string }>`
    select split_part(current_setting('server_version'), ' ', 1) as postgres,
      (select coalesce(max(name), '') from migration) as migration`.execute(db);
  return rows[0] ?? { postgres: '', migration: '' };
}

export const version: Handler<typeof versionApi.version> = async (ctx: Context) => {
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
    connections: await readConnections(ctx),
    disks: await ctx.readDisks(),
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
