import { request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionApi } from '#features/sign-in/contract/session.ts';
import { isGranted } from '#kit/contract/endpoint.ts';
import { openBrowser, type Person } from '#testing/browser.ts';
import { contentsOf } from '#testing/failing.ts';
import { sampleOf as inputOf } from '#testing/inputs.ts';
import { callersOf, handlerOf } from '#testing/kinds.ts';
import { sampleOf } from '#testing/masters.ts';
import { matrix } from '#testing/matrix.ts';
import { form, openOwnSchool, photo, type School } from '#testing/school.ts';
import { oneOfEach } from '#testing/soak.ts';
import { openAllOfStaff } from '#testing/teachers.ts';
import { allMasters } from './features.server.ts';
import { allRoutes } from './server.ts';

let school: School;
let port: number;
let admin: Person;
let ravi: Person;
beforeAll(async () => {
  school = await openOwnSchool();
  await school.app.listen({ port: 0, host: '127.0.0.1' });
  port = (school.app.server.address() as AddressInfo).port;
  [admin, ravi] = [await school.person({ role: 'Admin' }), await school.person({ name: 'Ravi' })];
});
afterAll(() => school.close());

const endpoints = allRoutes.map(({ endpoint }) => endpoint);
const nameOf = ({ method, path }: (typeof endpoints)[number]) => `${method} ${path}`;
/** One operation for each kind of caller and method; all of them in `npm run soak`. */
const ofEachKind = oneOfEach(endpoints, (endpoint) => [callersOf(endpoint), endpoint.method]);
const closed = ofEachKind.filter(({ access }) => access !== 'public');
/** Spellings and methods are read before the caller is known: one operation for each kind of caller, and each method. */
const spelledOtherwise = new Set([...oneOfEach(closed, callersOf), ...oneOfEach(closed, ({ method }) => method)]);
const signedIn = endpoints.filter(({ access }) => Array.isArray(access));

interface Sent {
  method: string;
  /** The raw request: no client normalises it first. */
  path: string;
  headers?: Record<string, string>;
  cookies?: Map<string, string>;
}
interface Got {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

function send({ method, path, headers = {}, cookies = new Map() }: Sent): Promise<Got> {
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return new Promise((done, fail) => {
    const body = ['GET', 'HEAD', 'OPTIONS', 'TRACE'].includes(method) ? '' : '{}';
    const own = { 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) };
    const typed = body && { 'content-type': 'application/json', 'content-length': String(body.length) };
    const options = { port, host: '127.0.0.1', method, path, headers: { ...own, ...typed, ...headers } };
    httpRequest(options, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (data) => {
        text += data;
      });
      answer.on('end', () => done({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
    })
      .on('error', fail)
      .end(body);
  });
}

const policy =
  /^(default-src 'none'; script-src 'self'; style-src 'self'; .*frame-ancestors 'none'; form-action 'self'|sandbox; default-src 'none')$/;

/** The headers of every answer, whatever the request. */
function expectSafe(what: unknown, { headers, text }: Got) {
  const names = ['server', 'x-powered-by', 'access-control-allow-origin', 'access-control-allow-methods'];
  expect([what, names.filter((name) => headers[name] !== undefined)]).toEqual([what, []]);
  expect([what, headers]).toMatchObject([
    what,
    {
      'content-security-policy': expect.stringMatching(policy),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'permissions-policy': expect.stringContaining('camera=()'),
      'cross-origin-opener-policy': 'same-origin',
      'cache-control': expect.stringMatching(/^(private, )?no-store$/),
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  ]);
  if (!text.startsWith('<!doctype'))
    expect([
      what,
      // PostgreSQL quotes the relations it names; the look-up kind "Relation" is a word of the product.
      text.match(/\bselect\b|\binsert\b|relation \\*"|stack|node_modules|\/src\/|kysely|postgres|fastify/i),
    ]).toEqual([what, null]);
}

const plain = (path: string) => `/api${path.replace(/:\w+/g, '1')}`;
const otherSpellings = (path: string): string[] => {
  const rest = path.slice('/api'.length);
  const last = rest.lastIndexOf('/');
  return [
    `${path}/`,
    `${path}//`,
    path.toUpperCase(),
    `/API${rest}`,
    `/api${rest.toUpperCase()}`,
    `/${path}`,
    `/api/${rest}`,
    `/./api${rest}`,
    `/api/.${rest}`,
    `/api/%2e${rest}`,
    `/api/x/..${rest}`,
    `/api/x/%2e%2e${rest}`,
    `/api/x/%2e%2e%2f${rest.slice(1)}`,
    `/login/..${path}`,
    `/assets/..%2f..${path}`,
    `${path};x`,
    `${path};x=1`,
    `/api;x${rest}`,
    `${path}%20`,
    `${path}%00`,
    `${path}%09`,
    `${path}.json`,
    `${path}%3fx`,
    `/api${rest.slice(0, last)}%2f${rest.slice(last + 1)}`,
    `/%61pi${rest}`,
    `/api${rest.replace(/[a-z]/, (sign) => `%${sign.charCodeAt(0).toString(16)}`)}`,
    `${path}?_method=GET`,
    `${path}?access_token=x&role=Admin&isAdmin=true`,
    `http://localhost${path}`,
  ];
};

describe.each([...spelledOtherwise].map((endpoint) => [nameOf(endpoint), endpoint] as const))(
  '%s',
  (_name, endpoint) => {
    const path = plain(endpoint.path);

    test('SB11 E2 E6 is as closed in every other spelling and by every other method', async () => {
      const sets: string[] = Array.isArray(endpoint.access) ? endpoint.access.flatMap(({ role }) => role) : [];
      const wrong = [new Map<string, string>(), ...(sets.includes('Staff') ? [] : [ravi.cookies])];
      if (!sets.includes('Admin') && !sets.includes('Staff')) wrong.push(admin.cookies);
      for (const cookies of wrong) {
        await school.sql('delete from attempt');
        const asPlain = await send({ method: endpoint.method, path, cookies });
        expect([401, 403, 404]).toContain(asPlain.status);
        for (const spelling of otherSpellings(path)) {
          const got = await send({ method: endpoint.method, path: spelling, cookies });
          const isRefused = [asPlain.status, 400, 404, 405, 429].includes(got.status);
          const isSentAway = got.status === 302 && got.headers.location === '/login';
          expect([spelling, got.status, isRefused || isSentAway]).toEqual([spelling, got.status, true]);
          expectSafe(spelling, got);
        }
        for (const method of [
          'GET',
          'HEAD',
          'OPTIONS',
          'TRACE',
          'POST',
          'PUT',
          'PATCH',
          'DELETE',
          'PROPFIND',
          'QUERY',
        ]) {
          // A method that is another operation of the same address has its own line in this table.
          if (endpoints.some((other) => other.path === endpoint.path && other.method === method)) continue;
          const overrides: Record<string, string>[] = [
            {},
            { 'x-http-method-override': endpoint.method },
            { 'x-method-override': endpoint.method, 'x-http-method': endpoint.method },
          ];
          for (const headers of overrides) {
            const got = await send({ method, path, cookies, headers });
            expect([method, got.status, [401, 403, 404, 405, 429].includes(got.status)]).toEqual([
              method,
              got.status,
              true,
            ]);
            expectSafe(method, got);
          }
        }
      }
    });
  },
);

test('A23 every operation that changes something refuses the page of another site before it looks at anything', async () => {
  const before = await contentsOf(school);
  const strangers: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'cross-site', 'content-type': 'application/x-www-form-urlencoded' },
  ];
  for (const endpoint of ofEachKind.filter(({ method }) => method !== 'GET'))
    for (const headers of strangers) {
      const { method, path } = endpoint;
      const got = await send({ method, path: plain(path), headers, cookies: admin.cookies });
      const { code, error } = JSON.parse(got.text);
      expect([path, got.status, error?.code ?? code]).toEqual([path, 403, 'cross_site']);
    }
  expect(await contentsOf(school)).toEqual(before);
});

test('A23 an operation that is not public is not read either by a link or a window of another site', async () => {
  const readFrom = async (site: string, path: string) => {
    const got = await send({ method: 'GET', path, headers: { 'sec-fetch-site': site }, cookies: admin.cookies });
    return got.text.includes('cross_site') ? 'refused' : 'read';
  };
  for (const { path, access } of ofEachKind.filter(({ method }) => method === 'GET')) {
    for (const site of ['cross-site', 'same-site'])
      expect([path, site, await readFrom(site, plain(path))]).toEqual([
        path,
        site,
        access === 'public' ? 'read' : 'refused',
      ]);
  }
  for (const site of ['none', 'same-origin'])
    expect([site, await readFrom(site, '/api/sign-in/me')]).toEqual([site, 'read']);
});

test('SB11 a header that names another method or address changes nothing for who may do something', async () => {
  const url = '/api/sign-in/session';
  // A session's last use is written once a minute, so not between the two checks.
  await send({ method: 'GET', path: url, cookies: ravi.cookies });
  const before = await contentsOf(school);
  const headers = {
    'x-http-method-override': 'DELETE',
    'x-method-override': 'DELETE',
    'x-http-method': 'DELETE',
    'x-original-url': '/api/account',
    'x-rewrite-url': '/api/account',
    'x-forwarded-prefix': '/api/account',
  };
  const got = await send({ method: 'GET', path: url, headers, cookies: ravi.cookies });
  expect([got.status, JSON.parse(got.text)]).toMatchObject([200, [{ isOwn: true }]]);
  const head = await send({ method: 'HEAD', path: url, headers, cookies: ravi.cookies });
  expect([head.status, head.text]).toEqual([200, '']);
  expect((await send({ method: 'POST', path: url, headers, cookies: ravi.cookies })).status).toBe(405);
  expect(await contentsOf(school)).toEqual(before);
});

test('E1 E2 every page and every answer of the new operations carries the headers, refused or not', async () => {
  for (const path of [
    '/login',
    '/sign-up',
    '/reset-password?token=1.x',
    '/school-erp',
    '/school-erp/dashboard',
    '/school-erp/x/y',
  ]) {
    const got = await send({ method: 'GET', path });
    expect([path, got.status, got.headers['content-type']]).toEqual([path, 200, 'text/html; charset=utf-8']);
    expectSafe(path, got);
    expect(got.text).not.toMatch(/<script(?![^>]*(src=|type="application\/json"))|<style| on\w+=/i);
  }
  // This test signs them out.
  const [walker, staff] = [await school.person({ role: 'Admin' }), await school.person()];
  for (const { method, path } of ofEachKind) {
    for (const cookies of [new Map<string, string>(), staff.cookies, walker.cookies])
      expectSafe([method, path], await send({ method, path: plain(path).replace('/1', '/999999'), cookies }));
  }
});

test('E7 an unknown operation is 404 in JSON also for who is signed in, an unknown page leads to /login', async () => {
  for (const cookies of [new Map<string, string>(), ravi.cookies]) {
    for (const path of ['/api/', '/api/account/1/secrets', '/api/sign-in', '/api/sign-in/me/x', '/api/staff/1/x']) {
      const got = await send({ method: 'GET', path, cookies });
      expect([path, got.status, got.text]).toEqual([
        path,
        404,
        '{"error":{"code":"not_found","message":"Not found.","text":{"id":"Not found."}}}',
      ]);
    }
    for (const path of [
      '/school-erpx',
      '/login/x',
      '/loginx',
      '/sign-up/x',
      '/reset-password/x',
      '/account',
      '/audit',
    ]) {
      const got = await send({ method: 'GET', path, cookies });
      expect([path, got.status, got.headers.location]).toEqual([path, 302, '/login']);
    }
  }
});

describe('B4 what is somebody else’s is not there', () => {
  const notThere = [404, { error: { code: 'not_found', message: 'Not found.', text: { id: 'Not found.' } } }];
  /** May do what no Admin may. */
  let office: Person | undefined;

  /** Each handler looks its record up by itself; those of all masters are the same. */
  const ofOne = oneOfEach(
    signedIn.filter(({ path }) => path.includes(':')),
    (endpoint) => [endpoint.access, handlerOf(endpoint)],
  );
  /** Requested in every spelling; the others by a number only. */
  const spelled = oneOfEach(ofOne, (endpoint) => [
    callersOf(endpoint),
    endpoint.method,
    endpoint.path.startsWith('/sign-in/session/'),
  ]);
  const spellings = ['x', '1e3', '%00', '1;x', '..%2f1', "1'--", '00000000-0000-4000-8000-000000000000'];

  test.each(ofOne.map((endpoint) => [nameOf(endpoint), endpoint] as const))(
    'B4 %s answers alike whatever it is that is not there',
    async (_name, endpoint) => {
      const { method, path } = endpoint;
      // Another user's session; for everything else, a value that belongs to nobody.
      const [{ number = 0 } = {}] = await admin.call(sessionApi.list, {});
      const master = allMasters.find(({ api }) => Object.values(api).some((operation) => operation === endpoint));
      const isOwn = path.startsWith('/sign-in/session/');
      const grants = Array.isArray(endpoint.access) ? endpoint.access : [];
      const isForAllStaff = grants.some(({ role, sets }) => role === 'Staff' && sets.length === 0);
      const isForStaffAlone = grants.length > 0 && grants.every(({ role }) => role === 'Staff');
      if (isForStaffAlone) office ??= await openAllOfStaff(school);
      const person =
        isForStaffAlone && office ? office : isOwn || (path.includes('/staff/') && isForAllStaff) ? ravi : admin;
      const sample = master
        ? { ...(await sampleOf(isForStaffAlone ? person : admin, master)), version: 1, to: 'up' }
        : inputOf(endpoint.input);
      const inPath: string[] = path.match(/(?<=:)\w+/g) ?? [];
      const complete = Object.fromEntries(
        Object.entries({ ...(sample as object), ...matrix[nameOf(endpoint)]?.example }).filter(
          ([name]) => !inPath.includes(name),
        ),
      );
      const sent = endpoint.files ? form({ documentTypeId: 1, ...matrix[nameOf(endpoint)]?.example }) : complete;
      const others = spelled.includes(endpoint) ? [2_147_483_648, 0, -1, ...spellings] : [];
      for (const id of [999_999, ...others, ...(isOwn ? [number] : [])]) {
        // A template says in which form it is wanted, a list of a day its day.
        const { example = path.endsWith('/template') ? { as: 'csv' } : {} } = matrix[nameOf(endpoint)] ?? {};
        const ofQuery = Object.entries(example as Record<string, string>).filter(([name]) => !inPath.includes(name));
        const query = method === 'GET' ? `?${new URLSearchParams(ofQuery)}` : '';
        const url = `/api${path.replace(/:\w+/g, String(id))}${query}`;
        const { status, json } = await person.send({ method, url, ...(method !== 'GET' && { body: sent }) });
        expect([id, status, json]).toEqual([id, ...notThere]);
      }
    },
  );

  test('B4 the session that asked for what is not there has not ended', async () => {
    expect((await admin.send({ url: '/api/sign-in/me' })).status).toBe(200);
  });

  test('B9 a list shows exactly what its owner can open, and no search finds more', async () => {
    const [own, other] = [await school.person(), await school.person()];
    const numbers = (await own.call(sessionApi.list, {})).map(({ number }) => number);
    const all = await school.sql('select number, account_id from sign_in_session');
    expect(numbers).toEqual(all.filter(({ account_id }) => account_id === own.id).map(({ number }) => number));
    for (const query of ['', `?account=${other.id}`, `?accountId=${other.id}&userID=${other.id}`, '?search=%25'])
      expect(
        (await own.send({ url: `/api/sign-in/session${query}` })).json.map(({ number }: { number: number }) => number),
      ).toEqual(numbers);
    // The lists behind the Admin's pages are as protected as the pages.
    for (const url of [
      '/api/account',
      '/api/account?search=a',
      '/api/account-request',
      '/api/audit',
      '/api/audit?entity=staff',
    ])
      expect([url, (await own.send({ url })).status]).toEqual([url, 403]);
  });
});

test('B8 a column added to a table reaches no answer, nor does what a password or session is known by', async () => {
  const own = await openOwnSchool();
  const [boss, person] = [await own.person({ role: 'Admin' }), await openAllOfStaff(own)];
  await person.send({
    method: 'POST',
    url: `/api/staff/${person.staffId}/picture`,
    body: form({}, { picture: await photo() }),
  });
  const draft = { name: 'Rekha', email: 'rekha@example.com', mobile: '9825077777', reason: 'I teach.' };
  await openBrowser(own).send({ method: 'POST', url: '/api/sign-in/request', body: draft });
  await own.sql(`update sign_in_account set user_name = 'user' || id, password_hash = '$argon2id$Hidden-marker',
    password_set_at = now(), google_subject = 'Hidden-marker' || id`);
  const tables = await own.sql(`select table_name as name from information_schema.tables
    where table_schema = 'public' and table_type = 'BASE TABLE'`);
  await own.sql(
    tables.map(({ name }) => `alter table ${name} add column hidden text default 'Hidden-marker'`).join(';'),
  );

  let answered = 0;
  const reads = signedIn.filter(({ method }) => method === 'GET');
  const [picture] = await own.sql('select picture_id as id from staff where picture_id is not null');
  for (const { path, access } of oneOfEach(reads, handlerOf)) {
    const caller = isGranted(access, { role: 'Admin', sets: [] }) ? boss : person;
    const filled = path.replace(':userID', String(person.staffId)).replace(':id', String(picture?.id));
    const { status, text } = await caller.send({ url: `/api${filled}` });
    if (status === 200) answered++;
    expect([path, text.includes('Hidden-marker'), text.includes('argon2id')]).toEqual([path, false, false]);
  }
  expect(answered).toBeGreaterThan(100);
  const ids = await own.sql(`select encode(id, 'hex') as hex, encode(id, 'base64') as base64 from sign_in_session`);
  for (const { hex, base64 } of ids)
    for (const secret of [hex, base64, JSON.stringify(Buffer.from(String(hex), 'hex')).slice(15, 40)])
      expect(own.answers()).not.toContain(secret);
  for (const cookies of [boss.cookies, person.cookies])
    expect(own.answers()).not.toContain(cookies.get('__Host-session'));
  await own.close();
});

describe('SB10 the application’s database role', () => {
  test('SB10 owns nothing and is nothing more than itself', async () => {
    const roles = `select rolsuper, rolcreatedb, rolcreaterole, rolreplication, rolbypassrls from pg_roles where rolname = 'shala_app'`;
    expect(Object.values((await school.sql(roles))[0] ?? {})).toEqual([false, false, false, false, false]);
    const owned = `select 1 from pg_class join pg_roles owner on owner.oid = relowner where rolname = 'shala_app'`;
    expect(await school.sql(owned)).toEqual([]);
    const member = `select 1 from pg_auth_members where member = 'shala_app'::regrole`;
    expect(await school.sql(member)).toEqual([]);
  });

  test.each([
    `update audit set actor = 'Somebody else'`,
    'delete from audit',
    'truncate audit',
    'update audit_seal set number = number + 1',
    'delete from audit_seal',
    'truncate audit_seal',
    'drop table audit_seal',
    'alter table audit disable trigger all',
    'alter table audit_seal drop column seal',
    'create table mine (id integer)',
    'create function mine() returns integer language sql as $$ select 1 $$',
    'create index on staff (name)',
    'drop table staff',
    'delete from staff',
    'delete from sign_in_account',
    'delete from sign_in_request',
    'create role mine',
    'alter role shala_app superuser',
    'set session_replication_role = replica',
    `copy staff to program 'cat'`,
    `select pg_read_file('/etc/passwd')`,
  ])('SB10 may not: %s', async (statement) => {
    const { db } = school.services;
    await expect(sql.raw(statement).execute(db)).rejects.toMatchObject({ code: '42501' });
  });
});

test('W4 files that are not there take nobody a place, however often they are asked for', async () => {
  for (let turn = 0; turn < 20; turn++) {
    const { status } = await send({ method: 'GET', path: '/assets/none.js' });
    expect([302, 404]).toContain(status);
  }
});
