// Asks every list, record, card, search and task of two demo schools, a small and a large one, and names the pages and
// statements that grew or read much.
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import pg from 'pg';
import { features } from '../src/app/features.server.ts';
import { allRoutes } from '../src/app/server.ts';
import { contextOutside, type Services, type User } from '../src/kit/server/context.ts';
import { toLocalDate } from '../src/kit/server/day.ts';
import { sessionCookie } from '../src/kit/server/security/session.ts';
import { openSession } from '../testing/session.ts';
import { median } from './budgets.ts';
import { openDemo, openDemoServer, type Undo } from './demo.ts';
import { type BusyPage, busyPagesOf, type Cost, type Grown, type GrownPage, grownOf, grownPagesOf } from './grown.ts';
import { partsOf } from './growth-parts.ts';
import { processorOf } from './processor.ts';
import { type Asked, openReads } from './reads.ts';

const runs = 5;

/** What grows from one school to the other; `undo` gets what ends the database. */
export async function measureGrowth(
  sizes: readonly [small: number, large: number],
  undo: Undo,
): Promise<{ pages: GrownPage[]; statements: Grown[]; busy: BusyPage[] }> {
  const server = await openDemoServer(undo);
  const schools: Measured[] = [];
  for (const students of sizes) schools.push(await measureSchool(await openDemo(server, students, undo)));
  const [small, large] = schools as [Measured, Measured];
  return {
    pages: grownPagesOf(small.costs, large.costs),
    statements: grownOf(small.costs, large.costs),
    busy: busyPagesOf(large.processor),
  };
}

interface Measured {
  costs: Cost[];
  /** The milliseconds of processor of each page. */
  processor: BusyPage[];
}

async function measureSchool({ app, services, ownerUrl, close }: Awaited<ReturnType<typeof openDemo>>) {
  const reads = openReads(ownerUrl);
  const listening = listenToStatements();
  const owner = new pg.Client({ connectionString: ownerUrl });
  await owner.connect();
  try {
    const measured: Measured = { costs: [], processor: [] };
    /** The median of a statement over some runs of a page, what its plan reads, and the processor of all runs but the first. */
    const measure = async (page: string, ask: () => Promise<unknown>) => {
      const taken = new Map<string, { asked: Asked; ms: number[] }>();
      let before = 0;
      for (let run = 0; run < runs; run++) {
        if (run === 1) before = await processorOf(owner);
        listening.begin();
        await ask();
        for (const { ms, ...asked } of listening.end())
          taken.set(asked.text, { asked, ms: [...(taken.get(asked.text)?.ms ?? []), ms] });
      }
      measured.processor.push({ page, ms: ((await processorOf(owner)) - before) / (runs - 1) });
      for (const [statement, { asked, ms }] of taken)
        measured.costs.push({ page, statement, ms: median(ms), ...(await reads.of(asked)) });
    };
    await measurePages(app, services, measure);
    await measureTasks(services, measure);
    return measured;
  } finally {
    listening.stop();
    await owner.end();
    await reads.close();
    await close();
  }
}

type Measure = (page: string, ask: () => Promise<unknown>) => Promise<void>;

/** The lists as each caller, then the records that the lists name first, and the parts that features add to pages. */
async function measurePages(app: FastifyInstance, services: Services, measure: Measure) {
  const callers = await openCallers(services);
  const year = await services.db
    .selectFrom('academic_year')
    .where('id', '=', sql<number>`academic_year_on(${toLocalDate(services.now())}::date)`)
    .select(['id', 'name', 'starts_on', 'ends_on'])
    .executeTakeFirst();
  const paths = allRoutes
    .map(({ endpoint }) => endpoint)
    .filter(({ method, access }) => method === 'GET' && Array.isArray(access))
    .map(({ path }) => path);
  for (const { user, who, cookie } of callers) {
    const firsts = new Map<string, number>();
    const ask = async (path: string) => {
      await services.db.deleteFrom('attempt').execute();
      services.kept.forget(user.id);
      const headers = { cookie, 'sec-fetch-site': 'same-origin' };
      return app.inject({ url: `/api${path}`, headers });
    };
    for (const path of paths.filter((one) => !one.includes('/:')))
      await measure(`${path}, ${who}`, async () => {
        const first = firstOf(await ask(path));
        if (first !== undefined) firsts.set(path, first);
      });
    for (const path of paths) {
      const [list = '', ...rest] = path.split('/:id');
      const id = rest.length === 1 ? firsts.get(list) : undefined;
      if (id !== undefined && !rest.join('').includes('/:'))
        await measure(`${path}, ${who}`, () => ask(`${list}/${id}${rest[0] ?? ''}`));
    }
    for (const { name, ask } of partsOf({ ...contextOutside(services, 'growth'), user }, year, firsts))
      await measure(`${name}, ${who}`, ask);
  }
}

/** The id of the first row of a list. */
function firstOf({ statusCode, body }: { statusCode: number; body: string }): number | undefined {
  if (statusCode !== 200 || !body.startsWith('{')) return undefined;
  const { rows } = JSON.parse(body) as { rows?: { id?: unknown }[] };
  const id = Array.isArray(rows) ? rows[0]?.id : undefined;
  return typeof id === 'number' ? id : undefined;
}

/** The tasks of each day and of each minute; they are undone, so that the next run does the same. */
async function measureTasks(services: Services, measure: Measure) {
  const tasks = features.flatMap(({ daily, everyMinute }) => [
    ...daily.map(({ name, act }) => ({ name: `daily task ${name}`, act })),
    ...everyMinute.map(({ name, act }) => ({ name: `task of each minute ${name}`, act })),
  ]);
  for (const { name, act } of tasks)
    await measure(name, () =>
      services.db
        .transaction()
        .execute(async (db) => {
          await act({ ...contextOutside(services, 'growth'), db }, services.now());
          throw undone;
        })
        .catch((error: unknown) => {
          if (error !== undone) throw error;
        }),
    );
}

const undone = new Error('undone');

/** The cookies of the people of the demo school who sign in. */
async function openCallers(services: Services): Promise<{ user: User; who: string; cookie: string }[]> {
  const accounts = await services.db
    .selectFrom('sign_in_account')
    .select(['id', 'is_staff', 'sets'])
    .where('is_active', '=', true)
    .orderBy('id')
    .execute();
  const opened: { user: User; who: string; cookie: string }[] = [];
  for (const { id, is_staff, sets } of accounts) {
    const cookies = await openSession(services, { accountId: id, role: is_staff ? 'Staff' : 'Admin' });
    const cookie = Object.entries(cookies).map(([name, value]) => `${name}=${value}`);
    const user = await services.findUser(services, cookies[sessionCookie] ?? '');
    if (!user) throw new Error('A session that was opened is not found.');
    opened.push({ user, who: is_staff ? sets.join(' ') || 'teacher' : 'Admin', cookie: cookie.join('; ') });
  }
  return opened;
}

/** Times the statements of this process between `begin` and `end`. */
function listenToStatements() {
  const prototype = pg.Client.prototype as unknown as { query: (...parameters: unknown[]) => unknown };
  const { query } = prototype;
  let heard: (Asked & { ms: number })[] | undefined;
  prototype.query = function listening(...parameters) {
    const answer = query.apply(this, parameters);
    const [first, own = []] = parameters as [string | Asked, unknown[]?];
    const { text, values } = typeof first === 'string' ? { text: first, values: own } : first;
    const began = performance.now();
    const into = heard;
    const add = () => into?.push({ text, values: values ?? [], ms: performance.now() - began });
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
