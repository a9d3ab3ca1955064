import type { FastifyInstance, FastifyRequest } from 'fastify';
import { isLoopback } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { knowsKeys } from '#kit/server/security/keys.ts';
import { programCommit, programVersion } from '#kit/server/version.ts';
import { backupState, findBackupDates } from './backup/daily.ts';
import type { Program } from './program.ts';

const config = { access: 'public', always: true } as const;

/** A caller on this machine; behind a proxy that is not named in TRUSTED_PROXIES everyone would look like one. */
const isHere = ({ ip, headers }: FastifyRequest) =>
  isLoopback(ip.replace(/^::ffff:/, '')) && headers['x-forwarded-for'] === undefined && headers.forwarded === undefined;

/**
 * /healthz: the process is alive. /readyz: it can work; the answer names only unreachable parts, the age of the backup,
 * a program older than its database, and for a caller on this machine version and commit.
 */
export function serveHealth(app: FastifyInstance, { db, keys, files, now }: Services, program: Program) {
  let isStopping = false;
  app.addHook('preClose', async () => {
    isStopping = true;
  });
  app.get('/healthz', { config, logLevel: 'silent' }, async () => ({ status: 'alive' }));
  const look = () => Promise.allSettled([knowsKeys(db, keys), files.check(), findBackupDates(db)]);
  // Anyone may ask, even of a busy server: requests during a check share its result.
  let looking: ReturnType<typeof look> | undefined;
  app.get('/readyz', { config, logLevel: 'silent' }, async (request, reply) => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
    const [database, store, dates] = await looking;
    const checks = {
      database: database.status === 'fulfilled',
      keys: database.status === 'fulfilled' && database.value,
      files: store.status === 'fulfilled',
    };
    const isReady = Object.values(checks).every(Boolean) && !isStopping && !program.isOld();
    // An old backup is no reason to stop serving.
    const backup = dates.status === 'fulfilled' ? { backup: backupState(dates.value, now()) } : {};
    const old = program.isOld() ? { program: 'old' } : {};
    const version = isHere(request) ? { version: programVersion(), commit: programCommit() } : {};
    const status = isReady ? 'ready' : 'not ready';
    return reply.status(isReady ? 200 : 503).send({ status, ...checks, ...backup, ...old, ...version });
  });
}
