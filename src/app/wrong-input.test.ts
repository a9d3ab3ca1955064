import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Endpoint, linkNameOf, needsProof } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { mostMoney } from '#kit/contract/money.ts';
import type { Browser } from '#testing/browser.ts';
import type { Answer } from '#testing/exchange.ts';
import { feedValueOf, openFamilyPage, prove } from '#testing/family.ts';
import { growthOf } from '#testing/growth.ts';
import { readFile } from '#testing/imported-rows.ts';
import { type InputField, placesOf, requestOf, sampleOf } from '#testing/inputs.ts';
import { placesOfEachKind, proofOf } from '#testing/kinds.ts';
import { callerOf } from '#testing/least-input.ts';
import { manyNames, someTexts } from '#testing/long-values.ts';
import { openSchool, type School } from '#testing/school.ts';
import { oneOfEach } from '#testing/soak.ts';
import { wrongValues } from '#testing/wrong-values.ts';
import { allRoutes } from './server.ts';

/** Whether a place is a field beside those of the path. */
const isIn =
  (path: string) =>
  ({ path: at }: InputField) =>
    at !== '' && !path.includes(`:${at}`);

let school: School;
/** The values of links, by the names of their values in the query. */
let links: Record<string, string>;
/** The phone of the guardian whose link it is. */
let phone: Browser;
let admin: Browser;
beforeAll(async () => {
  school = await openSchool();
  const opened = await openFamilyPage(school);
  links = {
    inquiryNo: (await school.inquiry()).link,
    family: opened.link,
    feed: await feedValueOf(school, opened.guardianId),
  };
  phone = await prove(school, opened);
});
afterAll(() => school.close());

const all = allRoutes.map(({ endpoint }) => endpoint);
/** The operations that are called with wrong values over HTTP: what reads a request differs for these alone. */
const ofEachKind = oneOfEach(
  all.filter(({ method, input, path }) => method !== 'GET' && placesOf(input).some(isIn(path))),
  (endpoint) => [endpoint.method, proofOf(endpoint), Boolean(endpoint.files), Boolean(endpoint.table)],
);

const sent = (endpoint: Endpoint, values: Record<string, unknown>): Promise<Answer> =>
  (needsProof(endpoint.access) ? phone : admin).send(
    requestOf(endpoint, values, links[linkNameOf(endpoint.access) ?? '']),
  );

describe.each(placesOfEachKind(all))('%s', (_name, { input }, places) => {
  test('W19 F6 a value of any type in any field is refused with a message, or accepted as one the field accepts', () => {
    for (const { path: at, schema, kind, put } of places) {
      for (const value of wrongValues) {
        const { success, data, error } = input.safeParse(put(value));
        const alone = schema.safeParse(value);
        if (!success) expect(error?.issues.every(({ message }) => message.length > 0)).toBe(true);
        // A value that a field refuses by itself is accepted by no operation.
        if (!alone.success) expect([at, value, success]).toEqual([at, value, false]);
        if (!success || kind !== 'leaf') continue;
        const parsed = at.split('.').reduce<unknown>((outer, name) => outer?.[name as never], data);
        expect([at, parsed]).toEqual([at, alone.data]);
      }
    }
  });

  test('W19 no field accepts a number that an integer of the database cannot hold', () => {
    // Fields that accept anything compare it as text, and a draft keeps typed values unchanged.
    // An amount of money is kept in a larger column.
    const isStored = ({ path: at, schema }: InputField) =>
      !schema.safeParse({}).success && !at.startsWith('answers.') && !isMoney(schema);
    const accepted = places.filter(isStored).flatMap(({ path: at, schema }) =>
      [2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, String(2 ** 31), '1e12']
        .map((value) => schema.safeParse(value).data)
        .filter((data) => typeof data === 'number' && Math.abs(data) >= 2 ** 31)
        .map((data) => [at, data]),
    );
    expect(accepted).toEqual([]);
  });
});

/** Whether a schema takes the highest amount of money, and no higher one. */
const isMoney = (schema: InputField['schema']) =>
  schema.safeParse(mostMoney).success && !schema.safeParse(mostMoney + 1).success;

test.each(placesOfEachKind(ofEachKind))(
  'W19 an object that is no text in any field of %s is refused over HTTP',
  async (_name, endpoint, places) => {
    await school.sql('delete from attempt');
    // Freshly confirmed, even if the previous operation ended the session.
    admin = await callerOf(school, endpoint);
    for (const { path: at, put } of places.filter(isIn(endpoint.path))) {
      for (const value of [{ toString: null }, [[]]]) {
        const { status, text } = await sent(endpoint, put(value));
        expect([at, status, text.slice(0, 300)]).toEqual([
          at,
          expect.toSatisfy((status: number) => status < 500),
          expect.anything(),
        ]);
        expect([at, [401, 403, 429].includes(status)]).toEqual([at, false]);
      }
    }
  },
);

const find = (name: string): Endpoint => {
  const found = allRoutes.find(({ endpoint }) => `${endpoint.method} ${endpoint.path}` === name);
  if (!found) throw new Error(`There is no operation ${name}.`);
  return found.endpoint;
};

/**
 * long-input.test.ts tests each field by itself; this tests the way to it. One operation of each kind, its filled
 * field, and the field's limit.
 */
const kinds: [kind: string, operation: string, field: string, most: number][] = [
  ['a query', 'GET /academic/board', 'search', 3000],
  ['a body that anybody may send', 'POST /admission/new-link', 'contact', 60_000],
  ['a body of the form', 'POST /admission/education-history', 'schoolName', 60_000],
  ['a part of a form with files', 'POST /admission/health', 'childPersonalityAndHomeRoutine', 60_000],
  ['a part of a path', 'GET /admission/basic-info/:admissionID', 'admissionID', 2000],
  ['a master', 'POST /academic/board', 'name', 60_000],
  ['a file of a master', 'POST /academic/board/import', 'file', 60_000],
  ['a list of holidays', 'POST /academic/calendar/import', 'text', 20_000],
  ['a method of sign-in', 'POST /sign-in/authenticate-user', 'EmailID', 60_000],
  ['an account', 'PUT /account/:id', 'userName', 60_000],
];

// An imported file is parsed in a child process, which takes longer to start than to work.
describe.each(kinds.filter(([, name]) => !find(name).table))('%s', (_kind, name, field, most) => {
  const endpoint = find(name);
  beforeEach(async () => {
    admin = await school.person({ role: 'Admin' });
  });

  test('W1 F7 ten times the text costs at most 15 times the time over HTTP', async () => {
    const sample = sampleOf(endpoint.input) as Record<string, unknown>;
    const statuses = new Set<number>();
    for (const [grain, text] of someTexts) {
      const found = await growthOf(
        (size) => {
          const values = { ...sample, [field]: text(size) };
          return async () => statuses.add((await sent(endpoint, values)).status);
        },
        most,
        most / 10,
      );
      expect([grain, found]).toEqual([grain, undefined]);
    }
    expect([...statuses].filter((status) => status >= 500)).toEqual([]);
  });
});

describe.each(kinds)('%s', (_kind, name, field) => {
  const endpoint = find(name);
  beforeEach(async () => {
    admin = await school.person({ role: 'Admin' });
  });

  test('W19 F6 values of every type are answered without a failure over HTTP', async () => {
    const sample = sampleOf(endpoint.input) as Record<string, unknown>;
    for (const value of wrongValues) {
      await school.sql('delete from attempt');
      const { status } = await sent(endpoint, { ...sample, [field]: value });
      expect([value, status]).toEqual([value, expect.toSatisfy((status: number) => status < 500)]);
    }
  });
});

test.each(someTexts)('W1 F7 ten times the file costs at most 15 times the time to parse: %s', async (_grain, text) => {
  const parse = (size: number) => {
    const file = text(size);
    return async () => {
      try {
        return await readFile(file);
      } catch (error) {
        expect(error).toBeInstanceOf(AppError);
      }
    };
  };
  expect(await growthOf(parse, 600_000, 6000)).toBeUndefined();
});

test('W1 a body of many names costs no more than in proportion to its size, also where bodies may be large', async () => {
  admin = await school.person({ role: 'Admin' });
  const send = (endpoint: Endpoint, most: number) =>
    growthOf(
      (size) => {
        const { method, path } = endpoint;
        const body = JSON.stringify({ ...(sampleOf(endpoint.input) as object), ...manyNames(size) });
        return () => admin.send({ method, url: `/api${path}`, body });
      },
      most,
      most / 10,
    );
  expect(await send(find('POST /admission/new-link'), 60_000)).toBeUndefined();
  expect(await send(find('POST /academic/board/import'), 300_000)).toBeUndefined();
});

test('W1 W19 a list as long as a body may be is refused, however many of its items are wrong', async () => {
  admin = await school.person({ role: 'Admin' });
  const endpoint = find('PUT /configuration/student-subject');
  const sample = sampleOf(endpoint.input) as Record<string, unknown>;
  const send = (items: number) => sent(endpoint, { ...sample, changes: Array.from({ length: items }, () => 1) });
  const { status, text } = await send(60_000);
  expect([status, text.length < 500_000]).toEqual([422, true]);
  expect((await send(250_000)).json.error.code).toBe('malformed');
});
