import { afterAll, beforeAll, expect, test } from 'vitest';
import { type GrantedSet, grantedSets } from '#access/contract/grants.ts';
import type { Endpoint, OutputOf } from '#kit/contract/endpoint.ts';
import { type OptionsEndpoint, withDetail } from '#kit/contract/field.ts';
import { requestOf, sampleOf } from '#testing/inputs.ts';
import { matrix } from '#testing/matrix.ts';
import { openSchool, type School } from '#testing/school.ts';
import { raise, seat } from '#testing/seated.ts';
import { openSection, teach } from '#testing/teachers.ts';
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

test('Q1.21 two rows of one name are two texts in every list to choose from', async () => {
  const { sql } = school;
  await sql(`insert into academic_branch (name, code) values ('Zone', 'ZO')`);
  const branches = (await sql('select min(id) as one, max(id) as other from academic_branch'))[0] as Record<
    string,
    number
  >;
  for (const [name, branchId] of Object.entries(branches)) {
    const section = await openSection(school, { branchId });
    await sql(`update academic_section set name = 'ZZ' where id = ${section}`);
    await sql(
      `insert into academic_room (branch_id, name, building, kind) values (${branchId}, 'Zz hall', 'Main', 'Classroom')`,
    );
    const child = await seat(school, section, 'Zarina');
    await raise(school, [child], { firstName: 'Zaheer' });
    // Who teaches, drives and attends.
    await sql(`with person as (insert into staff (name, employee_number) values ('Zenobia Zaveri', 'ZE${name}') returning id)
      insert into transport_crew (staff_id, is_driver, is_attendant, licence_expires_on, medical_expires_on)
      select id, true, true, '2099-12-31', '2099-12-31' from person`);
  }
  const colleague = await school.person({ sets: grantedSets });
  await teach(school, colleague);
  await teach(school, colleague, { role: 'Subject teacher' });
  const callers = [await school.person({ role: 'Admin' }), colleague];
  const alike: string[] = [];
  /** The people whom a list names. */
  const people: Record<string, string[]> = {};
  // Walks all: each list has its own query, and answers at most a few rows of this small school.
  for (const endpoint of lists) {
    const row = matrix[`${endpoint.method} ${endpoint.path}`];
    const { chosenId: _, limit: __, ...sample } = sampleOf(endpoint.input) as Record<string, unknown>;
    for (const [index, caller] of callers.entries()) {
      if (index === 0 ? !row?.admin : !row?.staff) continue;
      for (const search of ['Zarina', 'Zenobia', 'Zaheer', 'ZZ', '']) {
        const { status, text } = await caller.send(requestOf(endpoint, { ...sample, search }));
        expect([endpoint.path, status]).toEqual([endpoint.path, 200]);
        const rows = JSON.parse(text) as OutputOf<OptionsEndpoint>;
        const texts = rows.map(withDetail);
        alike.push(...texts.filter((one, at) => texts.indexOf(one) !== at).map((one) => `${endpoint.path}: ${one}`));
        if (/^Z[aei]/.test(search) && rows.length > 0)
          people[endpoint.path] = [...(people[endpoint.path] ?? []), search];
      }
    }
  }
  expect([...new Set(alike)]).toEqual([]);
  expect(Object.keys(people).length).toBeGreaterThan(6);
});
