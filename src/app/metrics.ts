import { createHash, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import type { Config } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { poolStates } from '#kit/server/database/database.ts';
import { type Metric, metricText, openCounter, openHistogram } from '#kit/server/metric-text.ts';
import { programCommit, programVersion } from '#kit/server/version.ts';
import { listLanes } from '#kit/server/work/queue.ts';

/** What a process counts and measures for a monitor. */
export interface Metrics {
  /** Counts the answers of a server from now on. */
  watch: (app: FastifyInstance) => void;
  /** Everything as Prometheus reads it. */
  text: () => Promise<string>;
  stop: () => void;
}

/** Milliseconds between two looks at the event loop. */
const resolution = 20;
const bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

/** Milliseconds: figures of the database are read at most so often, and not waited for longer. */
const readEvery = 15_000;
const answersWithin = 2000;

interface Figures {
  isUp: boolean;
  outbox: { channel: string; seconds: number }[];
  jobs: { kind: string; waiting: number; running: number; failed: number }[];
  backupAge: number | null;
}

const nothing: Figures = { isUp: false, outbox: [], jobs: [], backupAge: null };

async function readFigures({ db, now }: Pick<Services, 'db' | 'now'>): Promise<Figures> {
  const at = now();
  const { rows } = await sql<{ outbox: Figures['outbox']; jobs: Figures['jobs']; made: Date | null }>`
    select coalesce((select json_agg(json_build_object('channel', channel,
        'seconds', extract(epoch from ${at}::timestamptz - oldest))) from
        (select channel, min(queued_at) as oldest from outbox where status = 'queued' group by channel) as waiting),
      '[]') as outbox,
      coalesce((select json_agg(job) from count_jobs() as job), '[]') as jobs,
      (select at from audit where entity = 'database' and entity_id = 0 and action = 'backup.made'
       order by id desc limit 1) as made`.execute(db);
  const { outbox = [], jobs = [], made } = rows[0] ?? {};
  return { isUp: true, outbox, jobs, backupAge: made ? (at.getTime() - made.getTime()) / 1000 : null };
}

/** The path template of a route: never what was typed. */
const kindOf = (method: string, route: string) =>
  !route.startsWith('/api/') ? 'page' : method === 'GET' ? 'read' : 'write';

export function openMetrics(services: Services): Metrics {
  const requests = openCounter();
  const seconds = openHistogram('kind', bounds);
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  // A timer that is on time is late by its own pause.
  const delayed = (percentile: number) => Math.max(0, delay.percentile(percentile) / 1e9 - resolution / 1000);

  let read: { at: number; figures: Promise<Figures> } | undefined;
  const figures = (): Promise<Figures> => {
    if (!read || performance.now() - read.at > readEvery)
      read = { at: performance.now(), figures: readFigures(services).catch(() => nothing) };
    // A database that hangs must not make the rest unknown.
    return Promise.race([read.figures, pause(answersWithin, nothing, { ref: false })]);
  };

  const gauge = (name: string, help: string, samples: Metric['samples']): Metric => ({
    name,
    help,
    kind: 'gauge',
    samples,
  });
  const counted = (name: string, help: string, value: number): Metric => ({
    name,
    help,
    kind: 'counter',
    samples: [{ value }],
  });

  return {
    watch: (app) => {
      app.addHook('onResponse', async (request, reply) => {
        const route = request.routeOptions.url ?? 'none';
        const { method } = request;
        requests.add({ route, method, status: `${Math.floor(reply.statusCode / 100)}xx` });
        seconds.add(kindOf(method, route), reply.elapsedTime / 1000);
      });
    },
    text: async () => {
      const [{ isUp, outbox, jobs, backupAge }, disks] = await Promise.all([figures(), services.readDisks()]);
      const { user, system } = process.cpuUsage();
      return metricText([
        gauge('shala_info', 'The program.', [
          {
            labels: { version: programVersion(), commit: programCommit(), node: process.versions.node },
            value: 1,
          },
        ]),
        { name: 'shala_requests_total', help: 'Answered requests.', kind: 'counter', samples: requests.samples() },
        { name: 'shala_request_seconds', help: 'Time to the answer.', kind: 'histogram', samples: seconds.samples() },
        gauge('shala_event_loop_delay_seconds', 'How late the process does what is due.', [
          { labels: { quantile: '0.5' }, value: delayed(50) },
          { labels: { quantile: '0.99' }, value: delayed(99) },
        ]),
        gauge('shala_database_up', 'Whether the database answers.', [{ value: isUp ? 1 : 0 }]),
        gauge('shala_pool_connections', 'Connections to the database, and requests that wait for one.', [
          ...Object.entries(poolStates(services.db)).map(([state, value]) => ({ labels: { state }, value })),
        ]),
        gauge(
          'shala_work_waiting',
          'Files and papers that wait for a child process.',
          listLanes().map(({ lane, waiting }) => ({ labels: { lane }, value: waiting })),
        ),
        gauge(
          'shala_work_running',
          'Files and papers in a child process.',
          listLanes().map(({ lane, running }) => ({ labels: { lane }, value: running })),
        ),
        gauge(
          'shala_jobs',
          'Jobs of the database; failed ones are among those that wait.',
          jobs.flatMap(({ kind, ...states }) =>
            Object.entries(states).map(([state, value]) => ({ labels: { kind, state }, value })),
          ),
        ),
        gauge(
          'shala_outbox_oldest_seconds',
          'Age of the message that waits longest.',
          outbox.map(({ channel, seconds: value }) => ({ labels: { channel }, value })),
        ),
        gauge(
          'shala_backup_age_seconds',
          'Age of the last good backup.',
          backupAge === null ? [] : [{ value: backupAge }],
        ),
        gauge(
          'shala_disk_free_bytes',
          'Free room where files and backups are stored.',
          disks.map(({ name, free }) => ({ labels: { folder: name }, value: free })),
        ),
        counted('process_cpu_seconds_total', 'Processor time.', (user + system) / 1e6),
        gauge('process_resident_memory_bytes', 'Memory.', [{ value: process.memoryUsage.rss() }]),
        gauge('process_start_time_seconds', 'Start, in seconds since 1970.', [
          { value: performance.timeOrigin / 1000 },
        ]),
      ]);
    },
    stop: () => delay.disable(),
  };
}

/** Serves /metrics on an address of its own, so that the proxy in front of the school cannot reach it. */
export async function serveMetrics(
  metrics: Pick<Metrics, 'text'>,
  { host, port, token }: NonNullable<Config['metrics']>,
): Promise<{ port: number; stop: () => Promise<void> }> {
  const server = createServer(async (request, response) => {
    const { method, url } = request;
    if (method !== 'GET' || url?.split('?')[0] !== '/metrics') return void response.writeHead(404).end();
    if (token && !hasToken(request, token)) return void response.writeHead(401).end();
    const text = await metrics.text();
    response.writeHead(200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }).end(text);
  });
  server.listen(port, host);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function hasToken({ headers }: IncomingMessage, token: string): boolean {
  const hash = (value: string) => createHash('sha256').update(value).digest();
  return timingSafeEqual(hash(headers.authorization ?? ''), hash(`Bearer ${token}`));
}
