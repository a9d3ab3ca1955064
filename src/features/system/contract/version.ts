import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';

const process = z.object({
  id: z.string(),
  version: z.string(),
  host: z.string(),
  pid: z.number(),
  startedAt: z.iso.datetime(),
});

const upgrade = z.object({
  id: z.number(),
  at: z.iso.datetime(),
  /** Empty where the version before was not recorded. */
  from: z.string(),
  to: z.string(),
  migrations: z.number(),
  /** The archive that was made before; empty where none was. */
  backup: z.string(),
});

export const versionApi = {
  version: endpoint({
    method: 'GET',
    path: '/system/version',
    access: [admin()],
    shows: [],
    input: z.object({}),
    output: z.object({
      version: z.string(),
      /** Empty where the build knew none. */
      commit: z.string(),
      node: z.string(),
      postgres: z.string(),
      /** The last of the applied migrations, by its name. */
      migration: z.string(),
      /** The most that all processes take, of those that the database allows. */
      connections: z.object({ taken: z.number(), most: z.number() }),
      /** Room in bytes where uploaded files and backups are stored. */
      disks: z.array(z.object({ name: z.enum(['files', 'backups']), free: z.number(), total: z.number() })),
      processes: z.array(process),
      /** The last five, the newest first. */
      upgrades: z.array(upgrade),
    }),
  }),
};
