import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { allRuns } from '../src/app/features.server.ts';
import { studentList } from '../src/features/student/contract/list.ts';
import { resultList } from '../src/features/student/contract/result.ts';
import { turnApi } from '../src/features/student/contract/turn.ts';
import { yearEndApi } from '../src/features/year-end/contract/year-end.ts';
import { contextOutside, type Services } from '../src/kit/server/context.ts';
import { openPerson, type Person } from '../testing/browser.ts';
import { finishRun } from '../testing/runs.ts';
import type { Figure } from './budgets.ts';

interface School {
  app: FastifyInstance;
  services: Services;
}

const times = 5;

/** What an act answers, and the seconds it took. */
async function timed<Answer>(act: () => Promise<Answer>): Promise<[Answer, number]> {
  const from = performance.now();
  const answer = await act();
  return [answer, (performance.now() - from) / 1000];
}

/** The median milliseconds of an act. */
async function median(act: () => Promise<unknown>): Promise<number> {
  const all: number[] = [];
  for (let time = 0; time < times; time++) all.push((await timed(act))[1] * 1000);
  return all.toSorted((one, other) => one - other)[Math.floor(times / 2)] ?? Number.NaN;
}

const signIn = ({ app, services }: School, role: 'Admin' | 'Staff') =>
  openPerson(
    {
      context: () => contextOutside(services, randomUUID()),
      send: async ({ method = 'GET', url, body, headers = {} }) => {
        const payload = body === undefined ? {} : { payload: JSON.stringify(body) };
        const response = await app.inject({
          method,
          url,
          headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
          ...payload,
        });
        return {
          status: response.statusCode,
          headers: response.headers as never,
          text: response.body,
          bytes: response.rawPayload,
          json: JSON.parse(response.body || 'null'),
        };
      },
    },
    role === 'Admin' ? { role } : { sets: ['office', 'principal'] },
  );

/** Closes a year twelve days after its end, once nothing waits for a decision: the seconds of the preview and of the act. */
async function close(school: School, { id, ends_on }: { id: number; ends_on: string }) {
  const { services } = school;
  await sql`update approval set status = 'Withdrawn', decided_by = requested_by, decided_at = now(), version = version + 1
    where status = 'Pending'`.execute(services.db);
  const now = services.now;
  Object.assign(services, { now: () => new Date(Date.parse(`${ends_on}T06:00:00Z`) + 12 * 86_400_000) });
  try {
    const admin = await signIn(school, 'Admin');
    const { lines } = await admin.call(yearEndApi.read, { yearId: id });
    const seen = lines.flatMap(({ at, key }) => (at === 'warns' ? [key] : []));
    const [shown, preview] = await timed(() => admin.call(yearEndApi.close, { id, seen }));
    if (shown.kept.length > 0)
      throw new Error(`The year is kept open by ${shown.kept.map(({ key }) => key).join(', ')}.`);
    const [, seconds] = await timed(() =>
      admin.call(yearEndApi.close, { id, seen, confirmToken: shown.confirmToken ?? '' }),
    );
    return [preview, seconds] as const;
  } finally {
    Object.assign(services, { now });
  }
}

/** The end of a year in a large school: its lists, its turn as a preview and as a run, and its closing. */
export async function measureYearEnd(school: School): Promise<Figure[]> {
  const { services } = school;
  const { db } = services;
  const admin = await signIn(school, 'Admin');
  const office = await signIn(school, 'Staff');
  const { rows } = await sql<{ id: number; ends_on: string; oldest: number }>`
    select id, ends_on::text, (select id from academic_year order by starts_on limit 1) as oldest
    from academic_year where id = academic_year_on(school_now()::date)`.execute(db);
  const [year] = rows;
  if (!year) throw new Error('The school has no year of today.');
  const list = (who: Person, endpoint: typeof studentList.api.list | typeof resultList.api.list) =>
    median(() => who.call(endpoint, { yearId: String(year.oldest) } as never));
  const ofOld = [await list(office, studentList.api.list), await list(office, resultList.api.list)];
  const id = year.id;
  const open = await median(() => admin.call(yearEndApi.read, { yearId: id }));
  const keeps = 'Same letter' as const;
  const read = await median(() => admin.call(turnApi.read, { id, keeps }));
  const [shown, preview] = await timed(() => admin.call(turnApi.start, { id, keeps }));
  const [run, seconds] = await timed(async () => {
    const { runId } = await admin.call(turnApi.start, { id, keeps, confirmToken: shown.confirmToken ?? '' });
    await finishRun(services, allRuns, Number(runId));
    return db.selectFrom('run').where('id', '=', Number(runId)).select('total').executeTakeFirstOrThrow();
  });
  const [closing, closed] = await close(school, year);
  return [
    { name: 'Students of an old year, a page', value: ofOld[0] ?? Number.NaN, unit: 'ms' },
    { name: 'Results of an old year, a page', value: ofOld[1] ?? Number.NaN, unit: 'ms' },
    { name: 'What the year has open', value: open, unit: 'ms', most: 5000 },
    { name: 'The turn of all grades, read', value: read, unit: 'ms', most: 5000 },
    { name: 'The turn of all grades, its preview', value: preview * 1000, unit: 'ms', most: 5000 },
    { name: `The turn of ${run.total} students, run`, value: seconds, unit: 's', most: 180 },
    { name: 'Closing the year, its preview', value: closing * 1000, unit: 'ms', most: 5000 },
    { name: 'Closing the year', value: closed * 1000, unit: 'ms', most: 5000 },
  ];
}
