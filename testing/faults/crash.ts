import { setTimeout as pause } from 'node:timers/promises';
import { unavailableMessage } from '#kit/contract/errors.ts';
import type { Answer } from '../exchange.ts';
import { form, openOwnSchool, paper } from '../school.ts';
import { type App, startApp } from './app.ts';
import type { Cluster } from './cluster.ts';
import { begin, type Outcome, refusedWithin } from './outcome.ts';
import { type Stream, startStream } from './stream.ts';
import { verifyOutcome } from './verify.ts';

const families = 6;
/** Milliseconds; longer than all of the server's deadlines. */
const hungFor = 6500;

/** Repeats a fault during a stream of saves and uploads, and checks the data afterwards. */
async function underStream(
  cluster: Cluster,
  { scenario, runs }: { scenario: string; runs: number },
  fault: (app: App, stream: Stream, outcome: Outcome) => Promise<number>,
): Promise<Outcome> {
  const outcome = begin(scenario);
  const school = await openOwnSchool({}, cluster.postgres);
  const app = await startApp(school);
  try {
    const stream = startStream(app, families);
    for (; outcome.runs < runs; outcome.runs++) {
      await stream.firstAfter(performance.now());
      await pause(200 + Math.random() * 600);
      const ended = await fault(app, stream, outcome);
      outcome.worstFirstAnswer = Math.max(outcome.worstFirstAnswer, await stream.firstAfter(ended));
    }
    await stream.stop();
    const slowest = Math.round(stream.slowest());
    if (slowest > refusedWithin) outcome.late.push(`an answer took ${slowest} ms`);
    await verifyOutcome(school, stream, outcome);
  } finally {
    await app.kill();
    await school.close();
  }
  return outcome;
}

/** Kills the server process and restarts it, as a service manager does (J2, D10). */
export const killApp = (cluster: Cluster, runs: number): Promise<Outcome> =>
  underStream(cluster, { scenario: 'server killed', runs }, async (app) => {
    await app.kill();
    const ended = performance.now();
    await app.start();
    return ended;
  });

/** Kills the database with all its processes; it refuses connections for a while, and restarts (J3, J9, D10). */
export const killPostgres = (cluster: Cluster, runs: number): Promise<Outcome> =>
  underStream(cluster, { scenario: 'database killed', runs }, async (app, _stream, outcome) => {
    await cluster.kill();
    await expectCalmRefusals(app, outcome);
    await cluster.start();
    return performance.now();
  });

/** An administrator restarts the database (J9). */
export const restartPostgres = (cluster: Cluster, runs: number): Promise<Outcome> =>
  underStream(cluster, { scenario: 'database restarted', runs }, async () => {
    await cluster.restart();
    return performance.now();
  });

/** Suspends the database for longer than all of the server's deadlines (J10). */
export const freezePostgres = (cluster: Cluster, runs: number): Promise<Outcome> =>
  underStream(cluster, { scenario: 'database hung', runs }, async (app, _stream, outcome) => {
    const wake = cluster.freeze();
    try {
      // Running requests of the stream wait for answers, new ones for connections.
      await Promise.all([expectCalmRefusals(app, outcome), pause(hungFor)]);
      await expectCalmRefusals(app, outcome);
    } finally {
      wake();
    }
    return performance.now();
  });

const link = '0123456789abcdef0123456789abcdef';

/**
 * Every kind of request is refused in time, with a clear message and Retry-After; readiness is false, liveness is true.
 */
async function expectCalmRefusals(app: App, outcome: Outcome) {
  const at = (path: string) => `/api/admission/${path}?inquiryNo=${link}`;
  const body = form({ documentName: 'Birth Certificate' }, { DocumentIFormFile: await paper('Birth Certificate') });
  const started = performance.now();
  const within = (answer: Promise<Answer>, what: string) =>
    answer.finally(() => {
      const took = performance.now() - started;
      if (took > refusedWithin) outcome.late.push(`${what} took ${Math.round(took)} ms while the database was away`);
    });
  const refused = async (what: string, sent: Parameters<App['send']>[0]) => {
    const { status, json, headers } = await within(app.send(sent), what);
    const isCalm = (json?.message ?? json?.error?.message) === unavailableMessage.id;
    if (status !== 503 || !isCalm || !headers['retry-after'])
      outcome.breaches.push(`${what} was answered ${status} ${JSON.stringify(json)} while the database was away`);
  };
  await Promise.all([
    refused('reading a page', { url: at('basic-info') }),
    refused('a save', { method: 'POST', url: at('education-history'), body: {} }),
    refused('an upload', { method: 'POST', url: at('documents'), body }),
    refused('a removal', { method: 'DELETE', url: at('documents/1'), body: {} }),
    refused('asking for a link', { method: 'POST', url: '/api/admission/new-link', body: { contact: '9825012345' } }),
    within(app.send({ url: '/readyz' }), '/readyz').then(({ status }) => {
      if (status !== 503) outcome.breaches.push('/readyz said ready without a database');
    }),
    app.send({ url: '/healthz' }).then(({ status }) => {
      if (status !== 200) outcome.breaches.push('/healthz failed without a database');
    }),
  ]);
}
