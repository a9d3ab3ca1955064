import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Endpoint, linkNameOf, needsProof } from '#kit/contract/endpoint.ts';
import { type Browser, openBrowser, type Person } from '#testing/browser.ts';
import { feedValueOf, openFamilyPage, prove } from '#testing/family.ts';
import { placesOf, requestOf, sampleOf } from '#testing/inputs.ts';
import { proofOf } from '#testing/kinds.ts';
import { longAs } from '#testing/long-values.ts';
import { matrix } from '#testing/matrix.ts';
import { pauseGrowth } from '#testing/pause.ts';
import { openSchool, type School } from '#testing/school.ts';
import { isSoak, oneOfEach } from '#testing/soak.ts';
import { openAllOfStaff } from '#testing/teachers.ts';
import { allRoutes } from './server.ts';

let school: School;
/** The values of links, by the names of their values in the query. */
let links: Record<string, string>;
/** The phone of the guardian whose link it is. */
let phone: Browser;
let admin: Person;
let staff: Person;
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

/** The largest body that is read at all: of JSON by default, and the texts of a form with files. */
const mostBytes = (endpoint: Endpoint) => (endpoint.files ? 90 * 1024 : (endpoint.mostBytes ?? 63 * 1024)) - 2048;
/** Outside texts, a body has at most these characters. */
const mostOutside = 120 * 1024;
const mostOf = (endpoint: Endpoint, shape: string) =>
  Math.min(
    mostBytes(endpoint),
    // Preparing more than this costs seconds, which `npm run soak` takes.
    isSoak ? Number.POSITIVE_INFINITY : 512 * 1024,
    !endpoint.files && ['nested', 'repeated'].includes(shape) ? mostOutside : Number.POSITIVE_INFINITY,
  );

/** An operation, and a field whose value reaches it as sent. */
interface Target {
  endpoint: Endpoint;
  field: string;
}
type Shape = (target: Target, size: number) => object | string;

/** A valid body; a name of the path must not be in it. */
const sampleBody = ({ input, path }: Endpoint): Record<string, unknown> =>
  Object.fromEntries(Object.entries(sampleOf(input) as object).filter(([name]) => !path.includes(`:${name}`)));

/** A body with this text in place of the value of one field, which may be too long to be one. */
const withText = ({ endpoint, field }: Target, value: string) =>
  JSON.stringify({ ...sampleBody(endpoint), [field]: 'HERE' }).replace('"HERE"', () => value);

const itemOf = ({ endpoint, field }: Target) => {
  const sample = sampleBody(endpoint)[field];
  return Array.isArray(sample) ? sample[0] : sample;
};

const listOf = (item: string, size: number) =>
  `[${Array(Math.max(1, Math.floor(size / (item.length + 1))))
    .fill(item)
    .join()}]`;

const shapes: Record<string, Shape> = {
  /** As many names as are read, with long names, or in a form with long values. */
  wide: ({ endpoint }, size) => {
    const sample = sampleBody(endpoint);
    const count = (endpoint.files ? 80 : 400) - Object.keys(sample).length;
    const length = Math.floor(size / count) - 8;
    const entries = Array.from({ length: count }, (_, index) =>
      endpoint.files ? [`n${index}`, 'n'.repeat(Math.max(1, length - 70))] : [`${index}`.padEnd(length, 'n'), 1],
    );
    return { ...sample, ...Object.fromEntries(entries) };
  },
  long: (target, size) => ({
    ...sampleBody(target.endpoint),
    [target.field]: longAs(itemOf(target))(size),
  }),
  /** Deeper than JSON is read; the text of a form is not parsed here. */
  deep: (target, size) => withText(target, `${'['.repeat(size / 2)}${']'.repeat(size / 2)}`),
  nested: (target, size) => withText(target, listOf('[[[[[]]]]]', size)),
  repeated: (target, size) => withText(target, listOf(JSON.stringify(itemOf(target) ?? 1), size)),
};

/** A permitted caller's request with a body of this shape and size. */
function prepare(target: Target, shape: Shape, size: number) {
  const { endpoint } = target;
  const row = matrix[`${endpoint.method} ${endpoint.path}`] ?? {};
  const caller = needsProof(endpoint.access)
    ? phone
    : row.linkHolder || row.familyHolder
      ? openBrowser(school)
      : row.admin
        ? admin
        : staff;
  const body = shape(target, size);
  const link = row.anyone ? '' : (links[linkNameOf(endpoint.access) ?? ''] ?? '');
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
    proofOf(endpoint),
    Boolean(endpoint.files),
    Boolean(endpoint.table),
    endpoint.mostBytes,
    placesOf(endpoint.input).find(({ path, kind }) => path !== '' && kind !== 'leaf')?.kind,
  ],
);

/** The fields of a body, lists first. */
const fieldsOf = ({ input, path }: Endpoint) => {
  const fields = placesOf(input).filter(({ path: at }) => at !== '' && !at.includes('.') && !path.includes(`:${at}`));
  const isList = ({ kind }: (typeof fields)[number]) => kind === 'list';
  return [...fields.filter(isList), ...fields.filter((field) => !isList(field))].map(({ path }) => path);
};

/** The first field of an operation that the server does not replace by what it knows. */
async function targetOf(endpoint: Endpoint, arrived: () => object | undefined): Promise<Target> {
  for (const field of fieldsOf(endpoint)) {
    const target = { endpoint, field };
    await prepare(target, () => ({ ...sampleBody(endpoint), [field]: 'probe' }), 0)();
    if (Reflect.get(arrived() ?? {}, field) === 'probe') return target;
  }
  return { endpoint, field: 'nothing' };
}

test.each(written.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  'W1 W24 the largest body of %s stops the event loop at most 15 times as long as a tenth of it',
  async (_name, endpoint) => {
    await school.sql('delete from attempt');
    // The operation before may have ended the sessions.
    admin = await school.person({ role: 'Admin' });
    staff = await openAllOfStaff(school);
    const parsed = vi.spyOn(endpoint.input, 'safeParse');
    const arrived = () => parsed.mock.lastCall?.[0] as object | undefined;
    const target = await targetOf(endpoint, arrived);
    const statuses: number[] = [];
    for (const [name, shape] of Object.entries(shapes)) {
      const most = mostOf(endpoint, name);
      const [large, small] = [most, most / 10].map((size) => prepare(target, shape, Math.floor(size)));
      const count = (send: typeof large) => async () => {
        if (send) statuses.push((await send()).status);
      };
      parsed.mockClear();
      expect([name, await pauseGrowth(count(large), count(small))]).toEqual([name, undefined]);
      // The input's schema has read all of it. The door refuses what is too deep.
      if (name === 'deep' && !endpoint.files) continue;
      const sizes = parsed.mock.calls.map(([values]) => JSON.stringify(values).length);
      expect([name, Math.max(0, ...sizes) > 0.8 * most]).toEqual([name, true]);
    }
    parsed.mockRestore();
    expect(statuses.filter((status) => status >= 500 || [401, 403, 413, 415].includes(status))).toEqual([]);
  },
);
