import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { mostOpened, openedUnproved } from '#kit/server/security/openings.ts';
import type { Person } from '#testing/browser.ts';
import { textsIn } from '#testing/inputs.ts';
import { matrix, opensNothing } from '#testing/matrix.ts';
import { openSchool, type School } from '#testing/school.ts';
import { allMessages } from './features.server.ts';
import { allRoutes } from './server.ts';

let school: School;
let head: Person;
let other: Person;
beforeAll(async () => {
  school = await openSchool();
  other = await school.person({ name: 'Admin', role: 'Admin' });
  head = await school.person({ name: 'Asha', sets: ['admissionHead'] });
  await school.sql(
    `insert into setting (key, value) values ('${openedUnproved.key}', '3'), ('${mostOpened.key}', '6')`,
  );
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt; delete from outbox'));

const age = (seconds: number) =>
  school.sql(`update sign_in_session set confirmed_at = now() - interval '${seconds} seconds'`);
const open = async (id: number, part = 'record') => {
  const { status, json } = await head.send({ url: `/api/inquiry/${id}/${part}` });
  return status === 200 ? 200 : json.error.code;
};
const inquiries = async (count: number) => {
  const ids: number[] = [];
  for (let made = 0; made < count; made++) ids.push((await school.inquiry()).id);
  return ids;
};

const ofOffice = allRoutes
  .map(({ endpoint }) => endpoint)
  .filter(({ access }) => typeof access !== 'string' && !('link' in access));
/** What may name somebody in an answer: every text but the word that confirms a preview. */
const texts = ({ output }: Endpoint) => textsIn(output).filter((name) => name !== 'confirmToken');

test('G3 Z5 every operation of the office that reads or names a person counts its opening, whatever its method', () => {
  const named = ofOffice.filter(
    (endpoint) => endpoint.path.includes('/:id') && (endpoint.method === 'GET' || texts(endpoint).length > 0),
  );
  const wrong = named.flatMap(({ method, path, opens }) => {
    const name = `${method} ${path}`;
    if (opens && opensNothing.has(name)) return `${name} opens a record. Remove it from opensNothing of its matrix.ts.`;
    if (opens || (opensNothing.has(name) && matrix[name]?.ids !== 'person')) return [];
    return `${name} needs opens in its contract, or, if its id is of no person, a line in opensNothing of its matrix.ts.`;
  });
  expect(wrong).toEqual([]);
  const names = named.map(({ method, path }) => `${method} ${path}`);
  expect([...opensNothing].filter((name) => !names.includes(name))).toEqual([]);
});

test('Z5 Z7 every operation of the office that answers with a link says so', () => {
  const links = ofOffice.filter((endpoint) => texts(endpoint).some((name) => /link|address$/i.test(name)));
  const changing = links.filter(({ method }) => method !== 'GET');
  expect(changing.length).toBeGreaterThan(2);
  expect(changing.filter(({ givesLink, opens }) => !givesLink || !opens).map(({ path }) => path)).toEqual([]);
});

test('G3 W11 A24 opened records need a new proof of identity above one setting, are reported, and end at another', async () => {
  const ids = await inquiries(8);
  await age(601);
  for (const id of ids.slice(0, 3)) expect(await open(id)).toBe(200);
  expect(await open(ids[3] ?? 0)).toBe('sign_in_again');
  // What they have opened stays open to them, whatever they read of it.
  for (const id of ids.slice(0, 3)) expect([await open(id), await open(id, 'sibling')]).toEqual([200, 200]);
  expect(await school.sql('select from outbox')).toEqual([]);

  await age(0);
  for (const id of ids.slice(3, 6)) expect(await open(id)).toBe(200);
  const reports = await school.sql('select template, recipient, subject_id from outbox');
  expect(reports.map(({ recipient }) => recipient)).toEqual([other.email]);
  const template = allMessages[String(reports[0]?.template)];
  const report = template && (await render(school.services, template, Number(reports[0]?.subject_id)));
  expect(report?.text).toMatch(/Action: Opened many records within an hour\n\nRecords: 4\n/);

  expect(await open(ids[6] ?? 0)).toBe('too_many_tries');
  expect(await open(ids[5] ?? 0)).toBe(200);
  // An hour later.
  await school.sql(`update attempt set window_ends = now() - interval '1 second'`);
  expect(await open(ids[6] ?? 0)).toBe(200);
});

test('G3 of requests for the same record at the same moment one counts', async () => {
  const [first = 0, ...others] = await inquiries(3);
  expect(await Promise.all(Array.from({ length: 5 }, () => open(first)))).toEqual([200, 200, 200, 200, 200]);
  await age(601);
  for (const id of others) expect(await open(id)).toBe(200);
});
