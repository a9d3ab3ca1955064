import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GrantedSet, grantedSets } from '#access/contract/grants.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { requestOf, sampleOf } from '#testing/inputs.ts';
import { matrix } from '#testing/matrix.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection } from '#testing/teachers.ts';
import { allRoutes } from './server.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
  const child = await seat(school, await openSection(school), 'Zorawar');
  await raise(school, [child], { firstName: 'Zubin' });
});
afterAll(() => school.close());

/** What a field offers to choose from. */
const isOptions = ({ method, input }: Endpoint) => {
  const { shape = {} } = input.def as { shape?: object };
  return method === 'GET' && 'search' in shape && 'chosenId' in shape;
};
const lists = allRoutes.map(({ endpoint }) => endpoint).filter(isOptions);

test('Z13 no list to choose from names a student or a guardian to a set that does not read students', async () => {
  expect(lists.length).toBeGreaterThan(20);
  // The records that name every child: the student's and the account's.
  const readers: unknown[] = ['GET /student', 'GET /fee/student/:id'].flatMap((read) => matrix[read]?.staff ?? []);
  const others = grantedSets.filter((set) => !readers.includes(set));
  expect(others).toContain('hr');
  const named: string[] = [];
  const ask = async (set: GrantedSet, of: readonly Endpoint[]) => {
    const person = await school.person({ sets: [set] });
    for (const endpoint of of) {
      const { method, path } = endpoint;
      const row = matrix[`${method} ${path}`];
      if (row?.staff !== 'all' && !row?.staff?.includes(set)) continue;
      // The first page, with nothing chosen.
      const { chosenId: _, limit: __, ...sample } = sampleOf(endpoint.input) as Record<string, unknown>;
      for (const search of ['Zorawar', 'Zubin']) {
        const { status, text } = await person.send(requestOf(endpoint, { ...sample, search }));
        expect([path, status]).toEqual([path, 200]);
        if (text.includes(search)) named.push(`${path} names ${search} to ${set}`);
      }
    }
  };
  for (const set of others) await ask(set, lists);
  expect(named).toEqual([]);
  // The same question finds the child where the set reads students.
  await ask('transportIncharge', lists);
  expect(named).toContain('/transport/student/option names Zorawar to transportIncharge');
});
