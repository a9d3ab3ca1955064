import { afterAll, beforeAll, expect, test } from 'vitest';
import { grantedSets } from '#access/contract/grants.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { openBrowser, type Person } from '#testing/browser.ts';
import { placesOf, requestOf, sampleOf } from '#testing/inputs.ts';
import { callersOf } from '#testing/kinds.ts';
import { longAs } from '#testing/long-values.ts';
import { matrix } from '#testing/matrix.ts';
import { pauseGrowth } from '#testing/pause.ts';
import { type Family, openSchool, type School } from '#testing/school.ts';
import { isSoak, oneOfEach } from '#testing/soak.ts';
import { allRoutes } from './server.ts';

let school: School;
let family: Family;
let admin: Person;
let staff: Person;
beforeAll(async () => {
  school = await openSchool();
  family = await school.inquiry();
});
afterAll(() => school.close());

/** The largest body that is read at all: of JSON by default, and the texts of a form with files. */
const mostBytes = (endpoint: Endpoint) => (endpoint.files ? 90 * 1024 : (endpoint.mostBytes ?? 63 * 1024)) - 2048;

const deep = (size: number) => `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`;

type Shape = (endpoint: Endpoint, size: number) => object | string;

/** A body with this text in place of the value of one field, which may be too long to be one. */
const withText = (endpoint: Endpoint, field: string, value: string) =>
  JSON.stringify({ ...(sampleOf(endpoint.input) as object), [field]: 'HERE' }).replace('"HERE"', () => value);

const fieldsOf = ({ input, path }: Endpoint) =>
  placesOf(input).filter(({ path: at }) => at !== '' && !at.includes('.') && !path.includes(`:${at}`));
const fieldOf = (endpoint: Endpoint) => {
  const fields = fieldsOf(endpoint);
  return (fields.find(({ kind }) => kind === 'list') ?? fields[0])?.path ?? 'nothing';
};
const itemOf = (endpoint: Endpoint) => {
  const sample = (sampleOf(endpoint.input) as Record<string, unknown>)[fieldOf(endpoint)];
  return Array.isArray(sample) ? sample[0] : sample;
};

const shapes: Record<string, Shape> = {
  wide: (endpoint, size) => {
    // As long as they must be for the names of a whole body to be few enough to be read.
    const length = endpoint.files ? 1300 : 140;
    const names = Array.from({ length: Math.floor(size / (length + 20)) }, (_, index) =>
      `${index}`.padEnd(length, 'n'),
    );
    return { ...(sampleOf(endpoint.input) as object), ...Object.fromEntries(names.map((name) => [name, 1])) };
  },
  long: (endpoint, size) => ({
    ...(sampleOf(endpoint.input) as object),
    [fieldOf(endpoint)]: longAs(itemOf(endpoint))(size),
  }),
  deep: (endpoint, size) => withText(endpoint, fieldOf(endpoint), deep(size)),
  repeated: (endpoint, size) => {
    const item = JSON.stringify(itemOf(endpoint) ?? 1);
    const count = Math.max(1, Math.floor(size / (item.length + 1)));
    return withText(endpoint, fieldOf(endpoint), `[${Array(count).fill(item).join()}]`);
  },
};

/** A permitted caller's request with a body of this shape and size. */
function prepare(endpoint: Endpoint, shape: Shape, size: number) {
  const row = matrix[`${endpoint.method} ${endpoint.path}`] ?? {};
  const caller = row.linkHolder ? openBrowser(school) : row.admin ? admin : staff;
  const body = shape(endpoint, size);
  const link = row.linkHolder && !row.anyone ? family.link : '';
  const request = requestOf(endpoint, sampleOf(endpoint.input) as Record<string, unknown>, link);
  const sent = endpoint.files ? formOf(body) : typeof body === 'string' ? body : JSON.stringify(body);
  const headers = { 'content-type': endpoint.files ? 'multipart/form-data; boundary=x' : 'application/json' };
  return () => caller.send({ method: endpoint.method, url: request.url, body: Buffer.from(sent), headers });
}

/** The same values as parts of a form. */
function formOf(body: object | string): string {
  const values = typeof body === 'string' ? { whole: body } : body;
  const parts = Object.entries(values).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  });
  return `${parts.join('')}--x--\r\n`;
}

const written = oneOfEach(
  allRoutes.map(({ endpoint }) => endpoint).filter(({ method }) => method === 'POST' || method === 'PUT'),
  (endpoint) => [
    callersOf(endpoint),
    Boolean(endpoint.files),
    Boolean(endpoint.table),
    endpoint.mostBytes,
    placesOf(endpoint.input).find(({ path, kind }) => path !== '' && kind !== 'leaf')?.kind,
  ],
);

test.each(written.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  'W1 W24 the largest body of %s stops the event loop at most 15 times as long as a tenth of it',
  async (_name, endpoint) => {
    await school.sql('delete from attempt');
    // The operation before may have ended the sessions.
    admin = await school.person({ role: 'Admin' });
    staff = await school.person({ sets: grantedSets });
    // Preparing more than this costs seconds, which `npm run soak` takes.
    const most = Math.min(mostBytes(endpoint), isSoak ? Number.POSITIVE_INFINITY : 512 * 1024);
    const statuses: number[] = [];
    for (const [name, shape] of Object.entries(shapes)) {
      const [large, small] = [most, most / 10].map((size) => prepare(endpoint, shape, Math.floor(size)));
      const count = (send: typeof large) => async () => {
        if (send) statuses.push((await send()).status);
      };
      expect([name, await pauseGrowth(count(large), count(small))]).toEqual([name, undefined]);
    }
    // Each of them reached the operation: none was stopped by its size or its caller.
    expect(statuses.filter((status) => status >= 500 || [401, 403, 413, 415].includes(status))).toEqual([]);
  },
);
