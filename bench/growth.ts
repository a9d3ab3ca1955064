// Asks every list and every daily task of two demo schools, a small and a large one, and names the statements that grew.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { planOf, sizeFor } from '../database/seed/plan.ts';
import { openAppLogin } from '../scripts/app-login.ts';
import { startEmbeddedPostgres } from '../scripts/embedded-postgres.ts';
import { say } from '../scripts/say.ts';
import { seedDemo } from '../src/app/demo.ts';
import { features } from '../src/app/features.server.ts';
import { allRoutes, buildServer } from '../src/app/server.ts';
import { openServices } from '../src/app/services.ts';
import { readConfig } from '../src/kit/server/config.ts';
import { contextOutside, type Services } from '../src/kit/server/context.ts';
import { openLog } from '../src/kit/server/log.ts';
import { databaseOf, execute } from '../testing/postgres.ts';
import { openSession } from '../testing/session.ts';
import { median } from './budgets.ts';

/** What a statement costs on a page of one school. */
export interface Cost {
  page: string;
  statement: string;
  ms: number;
}

/** A statement that costs more in the large school. */
export interface Grown {
  page: string;
  statement: string;
  small: number;
  large: number;
}

/** Below this a statement may grow: it is far from the limit at any size that a school has. */
const noticed = 20;
/** What a statement may grow by while the children become eight times as many. */
const mostGrowth = 3;

/** The statements that cost more than thrice as much in the large school, the costliest first, each on its costliest page. */
export function grownOf(small: readonly Cost[], large: readonly Cost[]): Grown[] {
  const costliest = (costs: readonly Cost[]) => {
    const found = new Map<string, Cost>();
    for (const cost of costs) if (cost.ms > (found.get(cost.statement)?.ms ?? -1)) found.set(cost.statement, cost);
    return found;
  };
  const before = costliest(small);
  return [...costliest(large).values()]
    .map(({ page, statement, ms }) => ({ page, statement, small: before.get(statement)?.ms ?? 0, large: ms }))
    .filter((one) => one.large > noticed && one.large > mostGrowth * one.small)
    .sort((one, other) => other.large - one.large);
}

/** They as lines of text. */
export const linesOfGrowth = (grown: readonly Grown[]) =>
  grown
    .map(
      ({ page, statement, small, large }) =>
        `  ${small.toFixed(1)} -> ${large.toFixed(1)} ms  ${page}\n    ${statement.replaceAll(/\s+/g, ' ').trim().slice(0, 300)}\n`,
    )
    .join('');

const runs = 5;

/** What the statements of all lists and daily tasks cost in two schools of these sizes. */
export async function measureGrowth(sizes: readonly [small: number, large: number]): Promise<Grown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'shala-growth-'));
  const configured = process.env.DATABASE_URL;
  const own = configured ? undefined : await startEmbeddedPostgres({ folder: join(folder, 'postgres') });
  const server = configured ?? own?.url ?? '';
  try {
    await openAppLogin(server);
    const costs: Cost[][] = [];
    for (const students of sizes) {
      const database = `shala_growth_${process.pid}_${students}`;
      await execute(server, `create database ${database}`);
      try {
        costs.push(await costsOf({ ...databaseOf(server, database), SHALA_FOLDER: join(folder, database) }, students));
      } finally {
        await execute(server, `drop database if exists ${database} with (force)`);
      }
    }
    return grownOf(costs[0] ?? [], costs[1] ?? []);
  } finally {
    await own?.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function costsOf(env: Record<string, string>, students: number): Promise<Cost[]> {
  const config = readConfig({ ...env, SHALA_PATIENCE: '20' });
  const log = openLog('error');
  const { services, close } = await openServices(config, log);
  const app = await buildServer(services, config, log);
  const listening = listenToStatements();
  try {
    say(`Making a school of about ${students} students`);
    await seedDemo(app, services, { plan: planOf(sizeFor(students, 1), services.now()) });
    await execute(config.databaseOwnerUrl, 'analyze');
    const costs: Cost[] = [];
    /** The median of a statement over some runs of a page. */
    const measure = async (page: string, ask: () => Promise<unknown>) => {
      const taken = new Map<string, number[]>();
      for (let run = 0; run < runs; run++) {
        listening.begin();
        await ask();
        for (const { text, ms } of listening.end()) taken.set(text, [...(taken.get(text) ?? []), ms]);
      }
      for (const [statement, all] of taken) costs.push({ page, statement, ms: median(all) });
    };
    const cookies = await openCallers(services);
    for (const { endpoint } of allRoutes) {
      const { method, path, access } = endpoint;
      if (method !== 'GET' || path.includes('/:') || !Array.isArray(access)) continue;
      for (const [who, cookie] of cookies)
        await measure(`${path}, ${who}`, async () => {
          await services.db.deleteFrom('attempt').execute();
          await app.inject({ url: `/api${path}`, headers: { cookie, 'sec-fetch-site': 'same-origin' } });
        });
    }
    for (const { name, act } of features.flatMap(({ daily }) => daily))
      await measure(`daily task ${name}`, () =>
        services.db
          .transaction()
          .execute(async (db) => {
            await act({ ...contextOutside(services, 'growth'), db });
            // It is not done, so that the next run does the same.
            throw undone;
          })
          .catch((error: unknown) => {
            if (error !== undone) throw error;
          }),
      );
    return costs;
  } finally {
    listening.stop();
    await app.close();
    await close();
  }
}

const undone = new Error('undone');

/** The cookies of the people of the demo school who sign in. */
async function openCallers(services: Services): Promise<[who: string, cookie: string][]> {
  const accounts = await services.db
    .selectFrom('sign_in_account')
    .select(['id', 'is_staff', 'email'])
    .where('is_active', '=', true)
    .orderBy('id')
    .execute();
  const opened: [string, string][] = [];
  for (const { id, is_staff, email } of accounts) {
    const cookies = await openSession(services, { accountId: id, role: is_staff ? 'Staff' : 'Admin' });
    const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
    opened.push([email ?? String(id), cookie.join('; ')]);
  }
  return opened;
}

/** Times the statements of this process between `begin` and `end`. */
function listenToStatements() {
  const prototype = pg.Client.prototype as unknown as { query: (...parameters: unknown[]) => unknown };
  const { query } = prototype;
  let heard: { text: string; ms: number }[] | undefined;
  prototype.query = function listening(...parameters) {
    const answer = query.apply(this, parameters);
    const [first] = parameters as [string | { text: string }];
    const text = typeof first === 'string' ? first : first.text;
    const began = performance.now();
    const into = heard;
    const add = () => into?.push({ text, ms: performance.now() - began });
    if (into && answer instanceof Promise) answer.then(add, add);
    return answer;
  };
  return {
    begin: () => {
      heard = [];
    },
    end: () => {
      const all = heard ?? [];
      heard = undefined;
      return all;
    },
    stop: () => {
      prototype.query = query;
    },
  };
}
