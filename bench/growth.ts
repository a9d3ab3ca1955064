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
import { type Cost, type Grown, grownOf } from './grown.ts';

const runs = 5;

type Undo = (act: () => Promise<void>) => unknown;

/** The statements of all lists and daily tasks that grow from one school to the other; `undo` gets what ends the database. */
export async function measureGrowth(sizes: readonly [small: number, large: number], undo: Undo): Promise<Grown[]> {
  const folder = mkdtempSync(join(tmpdir(), 'shala-growth-'));
  const configured = process.env.DATABASE_URL;
  const own = configured ? undefined : await startEmbeddedPostgres({ folder: join(folder, 'postgres') });
  const server = configured ?? own?.url ?? '';
  undo(async () => {
    await own?.stop();
    rmSync(folder, { recursive: true, force: true });
  });
  await openAppLogin(server);
  const costs: Cost[][] = [];
  for (const students of sizes) {
    const database = `shala_growth_${process.pid}_${students}`;
    await execute(server, `create database ${database}`);
    undo(() => execute(server, `drop database if exists ${database} with (force)`).then(() => undefined));
    costs.push(await costsOf({ ...databaseOf(server, database), SHALA_FOLDER: join(folder, database) }, students));
  }
  return grownOf(costs[0] ?? [], costs[1] ?? []);
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
    .select(['id', 'is_staff', 'sets'])
    .where('is_active', '=', true)
    .orderBy('id')
    .execute();
  const opened: [string, string][] = [];
  for (const { id, is_staff, sets } of accounts) {
    const cookies = await openSession(services, { accountId: id, role: is_staff ? 'Staff' : 'Admin' });
    const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
    opened.push([is_staff ? sets.join(' ') || 'teacher' : 'Admin', cookie.join('; ')]);
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
