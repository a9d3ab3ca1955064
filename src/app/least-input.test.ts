import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import type { ImportAnswer } from '#kit/contract/import.ts';
import { english, verbatim } from '#kit/contract/text.ts';
import type { UserContext } from '#kit/server/context.ts';
import { readFileTable } from '#kit/server/import/read-table.ts';
import { sessionCookie } from '#kit/server/security/session.ts';
import type { Person } from '#testing/browser.ts';
import { requestOf, wordsOf } from '#testing/inputs.ts';
import { callerOf, leastInput } from '#testing/least-input.ts';
import { openSchool, type School } from '#testing/school.ts';
import { seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { allRecordCards } from './features.server.ts';
import { allRoutes } from './server.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());

const nameOf = ({ method, path }: Endpoint) => `${method} ${path}`;
const byName = new Map(allRoutes.map((route) => [nameOf(route.endpoint), route]));

const callers = new Map<string, Promise<Person>>();
/** One caller for all operations with the same grants. */
function callerFor(operation: Pick<Endpoint, 'access'>): Promise<Person> {
  const grants = JSON.stringify(operation.access);
  const person = callers.get(grants) ?? callerOf(school, operation);
  callers.set(grants, person);
  return person;
}

/** That caller as the server knows them. */
const userFor = async (operation: Pick<Endpoint, 'access'>) =>
  school.services.findUser(school.services, (await callerFor(operation)).cookies.get(sessionCookie) ?? '');

/** The lists that `defineList` made, by the operations that they have. */
const lists = allRoutes
  .map(({ endpoint }) => endpoint)
  .filter(
    ({ method, path }) => method === 'GET' && ['count', 'export'].every((end) => byName.has(`GET ${path}/${end}`)),
  );

const oddWords = [`a' % _ \\ "b" -1 😀`, '9825012345', 'ક १२ Ａ'];

/** What each filter, tab and order of a list accepts; of a filter by a record, an id that no row has. */
function wordsIn({ input }: Endpoint): [name: string, words: string[]][] {
  const { shape = {} } = input.def as { shape?: Record<string, Endpoint['input']> };
  const asked = Object.entries(shape).filter(([name]) => !['after', 'before', 'countsAll'].includes(name));
  return asked.map(([name, schema]) => {
    if (name === 'search') return [name, oddWords];
    const words = [...wordsOf(schema), '0', '999999999'].filter((word) => schema.safeParse(word).success);
    return [name, words.map(String)];
  });
}

/** Queries that have every word of every filter, tab and order at least once, all filters in each. */
function queriesOf(list: Endpoint): Record<string, string>[] {
  const all = wordsIn(list);
  const most = Math.max(...all.map(([, words]) => words.length));
  return Array.from({ length: most }, (_, turn) =>
    Object.fromEntries(all.map(([name, words]) => [name, words[turn % words.length] ?? ''])),
  );
}

// Walks all: each list has conditions and orders of its own; some ten requests each in a school without rows.
test.each(lists.map((list) => [list.path, list] as const))(
  'Z3 the list %s is searched, filtered, sorted and exported with odd words',
  async (path, list) => {
    const person = await callerFor(list);
    const failed: unknown[] = [];
    const ask = async (end: string, values: Record<string, string>) => {
      const endpoint = byName.get(`GET ${path}${end}`)?.endpoint as Endpoint;
      const { status } = await person.send(requestOf(endpoint, values));
      if (status !== 200) failed.push([end, values, status]);
    };
    const queries = queriesOf(list);
    for (const query of queries) await ask('', query);
    await ask('/count', { ...queries[0], tab: '' });
    await ask('/export', { ...queries[0], as: 'csv' });
    await ask('/export', { ids: '999999999', as: 'csv' });
    expect(failed).toEqual([]);
  },
);

test('Z3 the walk meets every list', () => {
  expect(lists.length).toBeGreaterThan(25);
});

const periods = [
  { from: '', to: '' },
  { from: '2026-06-01', to: '' },
  { from: '', to: '2026-06-30' },
  { from: '2026-06-01', to: '2026-06-30' },
];

test('Z4 every card of a person is read without days, with either and with both', async () => {
  const child = await seat(school, await openSection(school), 'Aarohi');
  const { staffId } = await school.person();
  const failed: unknown[] = [];
  const cards = allRecordCards.filter(({ read }) => read);
  expect(cards.length).toBeGreaterThan(20);
  // Walks all: each card has a statement of its own; no request, one child and one person.
  for (const { card, read } of cards) {
    const ctx = { ...school.context(), user: await userFor(card) } as UserContext;
    for (const period of periods)
      await read?.(ctx, card.record === 'staff' ? staffId : child, period).catch((error: unknown) =>
        failed.push([card.record, card.key, period, String(error)]),
      );
  }
  expect(failed).toEqual([]);
});

const isDate = ({ kind }: { kind?: string } = {}) => kind === 'date' || kind === 'birthDate';
const unreal = ['31/02/2017', '29-02-2015', '06/13/2017', '2017-02-31'];

/** The imports with a column of days. */
const imports = allRoutes.filter(
  ({ endpoint: { table, path } }) => table && path.endsWith('/import') && Object.values(table.columns).some(isDate),
);

// Walks all: each import reads its rows by itself; one file of some rows each, parsed in this process.
test.each(imports.map((route) => [route.endpoint.path, route] as const))(
  'Z19 a day that does not exist in any column of %s is answered with its row',
  async (_, { endpoint, handle }) => {
    const known = endpoint.table as NonNullable<Endpoint['table']>;
    const days = Object.keys(known.columns).filter((name) => isDate(known.columns[name]));
    const heads = [...new Set([...known.needed, ...days])];
    const cells = days.flatMap((day) => unreal.map((word) => ({ day, word })));
    const lines = [
      heads.map((name) => english(known.columns[name]?.label ?? verbatim(name))),
      ...cells.map(({ day, word }) =>
        heads.map((name) => (name === day ? word : isDate(known.columns[name]) ? '' : 'Asha')),
      ),
    ];
    const file = lines.map((line) => line.join()).join('\n');
    const table = await readFileTable(file, known);
    const user = await userFor(endpoint);
    const { rows } = await school.services.db.transaction().execute(async (db) => {
      const ctx = { ...school.context(), db, user, table: () => table };
      const input = { ...leastInput(endpoint), file, shown: { page: 0 } };
      return (await handle(ctx as never, endpoint.input.parse(input) as never)) as ImportAnswer;
    });
    expect(rows.map(({ line, status, messages }) => [line, status, Object.keys(messages)])).toEqual(
      cells.map(({ day }, index) => [index + 2, 'wrong', expect.arrayContaining([day])]),
    );
  },
);

test('Z19 the walk meets the imports with days', () => {
  expect(imports.length).toBeGreaterThan(8);
});
