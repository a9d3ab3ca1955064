import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { needsProof } from '#kit/contract/endpoint.ts';
import { type Browser, openBrowser, type Person } from '#testing/browser.ts';
import { feedValueOf, openFamilyPage, prove } from '#testing/family.ts';
import { proofOf } from '#testing/kinds.ts';
import { matrix } from '#testing/matrix.ts';
import { type Family, openSchool, type School } from '#testing/school.ts';
import { oneOfEach } from '#testing/soak.ts';
import { openAllOfStaff } from '#testing/teachers.ts';
import { allRoutes } from './server.ts';

let school: School;
let family: Family;
let page: string;
/** The value of the address of that guardian's calendar. */
let feed: string;
/** The phone of the guardian of that page. */
let phone: Browser;
let admin: Person;
let staff: Person;
beforeAll(async () => {
  school = await openSchool();
  family = await school.inquiry();
  const opened = await openFamilyPage(school);
  page = opened.link;
  feed = await feedValueOf(school, opened.guardianId);
  phone = await prove(school, opened);
  admin = await school.person({ role: 'Admin' });
  staff = await openAllOfStaff(school);
});
afterAll(() => school.close());

const json = ['application/json', 'application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"'];
const form = ['multipart/form-data; boundary=x', 'Multipart/Form-Data;boundary=x'];
const names = 'application/x-www-form-urlencoded';
const neither = [
  undefined,
  '',
  'text/plain',
  'text/plain; a=application/json',
  names,
  'application/json2',
  'application/json; charset=utf-16',
  'application/json, multipart/form-data',
  'application/json\tx',
  'multipart/form-data2; boundary=x',
  'multipart/mixed; boundary=x',
  'application/xml',
  '*/*',
];
const emptyForm = Buffer.from('--x\r\nContent-Disposition: form-data; name="nothing"\r\n\r\n\r\n--x--\r\n');

/** The kind of a body is judged before any handler, by what the operation declares. */
const ofEachKind = oneOfEach(
  allRoutes.map(({ endpoint }) => endpoint),
  (endpoint) => [
    endpoint.method,
    proofOf(endpoint),
    Boolean(endpoint.files),
    Boolean(endpoint.table),
    Boolean(endpoint.isRaw),
  ],
);

describe.each(ofEachKind.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  '%s',
  (operation, endpoint) => {
    const { method, path, files, isRaw } = endpoint;
    /** A permitted caller sends a body of a kind, or headers only. */
    const send = async (type: string | undefined, body: Buffer | undefined, overrides: Record<string, string> = {}) => {
      const row = matrix[operation] ?? {};
      const caller = needsProof(endpoint.access)
        ? phone
        : row.linkHolder
          ? openBrowser(school)
          : row.admin
            ? admin
            : staff;
      const link = row.anyone
        ? ''
        : row.linkHolder
          ? `?inquiryNo=${family.link}`
          : row.familyHolder || row.provenHolder
            ? `?family=${page}`
            : row.feedHolder
              ? `?feed=${feed}`
              : '';
      const headers = { ...(type !== undefined && { 'content-type': type }), ...overrides };
      const url = `/api${path.replace(/:\w+/g, '999')}${link}`;
      const { status, json } = await caller.send({ method, url, headers, ...(body && { body }) });
      return [status, json?.code ?? json?.error?.code];
    };
    const refused = [415, 'unsupported'];

    if (method === 'GET') {
      test('W22 E6 refuses a body of any kind with 415', async () => {
        for (const type of [...json, ...form, ...neither])
          expect([type, ...(await send(type, Buffer.from('{}')))]).toEqual([type, ...refused]);
        expect((await send('text/plain', undefined))[0]).not.toBe(415);
      });
      return;
    }

    const taken = files ? form : isRaw ? [...json, names, `${names};charset=UTF-8`] : json;
    test(`W22 E6 takes ${files ? 'a form' : isRaw ? 'JSON or names and values' : 'JSON'}, and answers any other body with 415`, async () => {
      await school.sql('delete from attempt');
      for (const type of [...(files ? json : form), ...neither].filter((one) => !taken.includes(one ?? ''))) {
        const body = type?.includes('form-data') ? emptyForm : Buffer.from('{}');
        expect([type, ...(await send(type, body))]).toEqual([type, ...refused]);
      }
      expect(await send(taken[0], files ? emptyForm : Buffer.from('{}'), { 'content-encoding': 'gzip' })).toEqual(
        refused,
      );
      // Last, since one of them signs out.
      for (const type of taken) {
        const [status] = await send(type, files ? emptyForm : Buffer.from('{"nothing":1,'));
        expect([type, status !== 415]).toEqual([type, true]);
      }
    });
  },
);
