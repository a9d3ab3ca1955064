// The unchanged server, which also reports its CPU time and the SQL of its requests to the benchmark.
import { AsyncLocalStorage } from 'node:async_hooks';
import pg from 'pg';
import { readConfig } from '#kit/server/config.ts';
import { stopOnSignal } from '#kit/server/signals.ts';
import { run } from '../src/app/run.ts';
import { answerAll } from './child.ts';

interface Statement {
  name?: string;
  text: string;
  values: unknown[];
}

/** The statements of one request, in order. */
export interface Recorded {
  /** The request's Idempotency-Key, which a repetition must replace. */
  key: string | undefined;
  statements: Statement[];
  /** The milliseconds in which the database answered them; statements that are sent together count once. */
  sqlMs: number;
}

let recorded: Recorded[] | undefined;
const records = new Map<string, Recorded>();
const current = new AsyncLocalStorage<Recorded>();
listenToQueries();

const { port, stop } = await run(readConfig(process.env), async (app) => {
  app.addHook('onRequest', (request, _reply, go) => {
    if (!recorded) return go();
    const record: Recorded = {
      key: request.headers['idempotency-key'] as string | undefined,
      statements: [],
      sqlMs: 0,
    };
    records.set(request.id, record);
    current.run(record, go);
  });
  // A request that failed half-way would count fewer statements than it needs.
  app.addHook('onResponse', async (request, reply) => {
    const record = records.get(request.id);
    if (record && reply.statusCode === 200) recorded?.push(record);
    records.delete(request.id);
  });
});
stopOnSignal(stop);

answerAll({
  port: () => port,
  /** Processor time of all threads of this process in microseconds, user and system. */
  cpu: () => {
    const { user, system } = process.cpuUsage();
    return user + system;
  },
  record: () => {
    recorded = [];
  },
  recorded: () => {
    const all = recorded;
    recorded = undefined;
    return all;
  },
});

const open = new WeakMap<Recorded, number>();

/** Adds the time in which at least one statement of the request waits for its answer. */
async function timed(record: Recorded, answer: Promise<unknown>) {
  const began = performance.now();
  const others = open.get(record) ?? 0;
  open.set(record, others + 1);
  await answer.catch(() => undefined);
  open.set(record, (open.get(record) ?? 1) - 1);
  if (others === 0) record.sqlMs += performance.now() - began;
}

function listenToQueries() {
  const prototype = pg.Client.prototype as unknown as { query: (...parameters: unknown[]) => unknown };
  const query = prototype.query;
  prototype.query = function listening(...parameters) {
    const [first, values] = parameters as [Statement | string, unknown[] | undefined];
    const { name, text, values: own } = typeof first === 'string' ? { name: undefined, text: first, values } : first;
    const record = current.getStore();
    record?.statements.push({ name, text, values: own ?? [] });
    const answer = query.apply(this, parameters);
    if (record && answer instanceof Promise) void timed(record, answer);
    return answer;
  };
}
