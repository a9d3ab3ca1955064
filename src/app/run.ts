import type { AddressInfo } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { english } from '#kit/contract/text.ts';
import { type Config, checkOpenness } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { findOtherOrder } from '#kit/server/database/collation.ts';
import { weakSettings } from '#kit/server/database/durability.ts';
import { openLog } from '#kit/server/log.ts';
import { announceProcess } from '#kit/server/server-process.ts';
import { builtVersion } from '#kit/server/version.ts';
import { watchEventLoop } from '#kit/server/watchdog.ts';
import { startBackground } from './background.ts';
import { closeDemo, refuseUnfinishedDemo } from './demo.ts';
import { openMetrics, serveMetrics } from './metrics.ts';
import { type Sending, startSending } from './outbox.ts';
import { openProgram } from './program.ts';
import { buildServer } from './server.ts';
import { explainSlow, openServices } from './services.ts';
import { findWarnings } from './warnings.ts';

export interface Running {
  /** The port it listens on; known only now where the configuration said 0. */
  port: number;
  /** What an Admin must fix, as found at the start, in English. */
  warnings: string[];
  /** Stops accepting requests, finishes running ones, and closes everything. */
  stop: () => Promise<void>;
}

/** A program that is older than its database notices within five seconds, and ends after a minute. */
const lookAtProgramEvery = 5000;
const endOldAfter = 60_000;
/** Milliseconds that running requests get when the server is stopped (J13). */
const finishWithin = 20_000;

/** Ends in good order, but as a failure: then every service manager starts the new program. */
function endOld() {
  process.exitCode = 1;
  process.kill(process.pid, 'SIGTERM');
}

type Prepare = (app: FastifyInstance, services: Services) => Promise<void>;

/** Opens everything, runs the caller's preparation, and listens. Throws a plain sentence when something is missing. */
export async function run(config: Config, prepare?: Prepare): Promise<Running> {
  checkOpenness(config);
  const log = openLog(config.logLevel);
  const began = performance.now();
  log.info(`Shala ${builtVersion()} is starting on Node ${process.versions.node}`);
  const { services, close } = await openServices(config, log);
  const program = openProgram(services, log);
  const metrics = config.metrics && openMetrics(services);
  const app = await buildServer(services, config, log, { program, metrics });
  let sending: Sending | undefined;
  let metricsServer: Awaited<ReturnType<typeof serveMetrics>> | undefined;
  let announced: Awaited<ReturnType<typeof announceProcess>> | undefined;
  try {
    await refuseUnfinishedDemo(services);
    if (config.production) await closeDemo(services, log);
    await prepare?.(app, services);
    if (config.doesJobs) sending = await startSending(services, config, log);
    // Before it serves: an upgrade that looks now must see it.
    announced = await announceProcess(services, log, config);
    if (metrics && config.metrics) metricsServer = await serveMetrics(metrics, config.metrics);
    await app.listen({ port: config.port, host: config.host });
  } catch (error) {
    await metricsServer?.stop();
    await announced?.stop();
    await sending?.stop();
    await close();
    const { code, port = config.port } = error as NodeJS.ErrnoException & { port?: number };
    if (code === 'EADDRINUSE') {
      const other = port === config.metrics?.port ? 'METRICS_PORT=9101' : 'PORT=3001';
      throw new Error(`Port ${port} is in use by another program. Stop it, or choose another with ${other}.`);
    }
    throw explainSlow(error, config);
  }
  const seconds = Math.round((performance.now() - began) / 1000);
  log.info({ seconds }, `Shala ${builtVersion()} is ready`);
  for (const setting of await weakSettings(services.db)) {
    log.warn({ setting }, 'The database may lose acknowledged saves in a power cut: this setting is off');
  }
  const order = await findOtherOrder(services.db);
  if (order) log.warn({ order }, 'Names sort otherwise than in C.UTF-8: the guide says how the database is created');
  const background = config.doesJobs ? startBackground(services, config, log) : undefined;
  let isEnding = false;
  const programWatch = setInterval(() => {
    if (program.isOld() && !isEnding) setTimeout(endOld, endOldAfter).unref();
    isEnding = program.isOld();
    program.look().catch(() => undefined); // An unreachable database is reported by whatever needs it.
  }, lookAtProgramEvery);
  const stopWatching = watchEventLoop();
  const warnings = await findWarnings(services).catch((error: unknown) => {
    log.warn({ error }, 'What an Admin must put right was not looked up');
    return [];
  });
  return {
    warnings: [
      ...config.misspelt.map(({ name, near }) => `${name} is no setting of Shala. Did you mean ${near}?`),
      ...warnings.map(({ text }) => english(text)),
    ],
    port: (app.server.address() as AddressInfo).port,
    stop: async () => {
      clearInterval(programWatch);
      await stopWatching();
      const late = setTimeout(() => app.server.closeAllConnections(), finishWithin);
      await app.close();
      clearTimeout(late);
      await Promise.all([background?.stop(), sending?.stop(), metricsServer?.stop()]);
      metrics?.stop();
      await announced?.stop();
      await close();
    },
  };
}
