import { once } from 'node:events';
import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { Agent, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { basicInfoAnswers, educationAnswers } from '#database/seed/answers.ts';
import { cleanLine } from '#kit/contract/typed.ts';
import { openLog } from '#kit/server/log.ts';
import { familyInquiry, openOwnSchool, type School } from '#testing/school.ts';
import { recordStatements } from '#testing/statements.ts';
import { holdTable } from '#testing/stored.ts';
import { openHttp } from './http.ts';

let school: School;
beforeAll(async () => {
  school = await openOwnSchool();
});
afterAll(() => school.close());

test('B1 a route that does not say who may call it keeps the server from starting', async () => {
  const app = await openHttp({ log: openLog('silent'), trustedProxies: [], isSecure: false });
  app.get('/bare', async () => 'open to all');
  await expect(app.ready()).rejects.toThrow('GET /bare does not say who may call it');
});

describe('headers', () => {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ');

  test('E1 E2 RA2 every answer carries them, errors too', async () => {
    const family = await school.inquiry();
    const answers = await Promise.all([
      family.get('inquiry'),
      family.get('files/x'),
      family.post('siblings', { siblingName: 'x' }),
      school.send({ url: '/healthz' }),
      school.send({ url: '/api/nothing' }),
      school.send({ url: '/nothing' }),
      school.send({ method: 'POST', url: '/api/admission/new-link', body: '{' }),
      school.send({ url: `/${'x'.repeat(5000)}` }),
      school.send({ url: '/api/%ff' }),
      school.send({ url: '/%ed%a0%80' }),
      family.get(`files/${'x'.repeat(300)}`),
      school.send({ url: '/api/app-configuration' }),
      school.send({ url: '/dev/outbox' }),
    ]);
    for (const { headers } of answers) {
      expect(headers).toMatchObject({
        'content-security-policy': policy,
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'cache-control': 'no-store',
        'x-robots-tag': 'noindex, nofollow',
      });
      expect(headers['permissions-policy']).toContain('geolocation=()');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
      for (const name of ['server', 'x-powered-by', 'strict-transport-security', 'access-control-allow-origin'])
        expect(headers[name]).toBeUndefined();
    }
  });

  test('E2 people who come over TLS are told to stay with it', async () => {
    const secure = await openOwnSchool({ PUBLIC_URL: 'https://admission.school.example' });
    expect((await secure.send({ url: '/healthz' })).headers['strict-transport-security']).toBe(
      'max-age=31536000; includeSubDomains',
    );
    await secure.close();
  });

  test('E2 a built asset may be kept for ever', async () => {
    const [asset] = globSync('dist/assets/*.js');
    expect(asset).toBeDefined();
    const { status, headers } = await school.send({ url: `/${asset?.replace('dist/', '')}` });
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  });
});

test('a page comes with brotli only to a browser that takes it, with the same words', async () => {
  const varying = 'accept-encoding, accept-language, cookie';
  const plain = await school.send({ url: '/admission' });
  expect(plain.text).toContain('Test School');
  expect([plain.headers['content-encoding'], plain.headers.vary]).toEqual([undefined, varying]);

  const compressed = await school.send({
    url: '/admission',
    headers: { 'accept-encoding': 'gzip, deflate, br, zstd' },
  });
  expect([compressed.headers['content-encoding'], compressed.headers.vary]).toEqual(['br', varying]);
  expect(brotliDecompressSync(compressed.bytes).toString()).toBe(plain.text);

  const refused = await school.send({ url: '/admission', headers: { 'accept-encoding': 'gzip, br;q=0' } });
  expect([refused.headers['content-encoding'], refused.text]).toEqual([undefined, plain.text]);
});

describe('what is not there', () => {
  test('E7 an unknown operation is 404 in JSON, an unknown page leads to /login', async () => {
    expect((await school.send({ url: '/api/nothing' })).json).toEqual({
      error: { code: 'not_found', message: 'Not found.', text: { id: 'Not found.' } },
    });
    for (const url of [
      '/',
      '/nothing',
      '/.git/config',
      '/.env',
      '/openapi.json',
      '/metrics',
      '/admission5',
      '/assets',
    ]) {
      const { status, headers } = await school.send({ url });
      expect([url, status, headers.location]).toEqual([url, 302, '/login']);
    }
    expect((await school.send({ method: 'POST', url: '/nothing', body: {} })).status).toBe(404);
  });

  test('E7 no source map is built, and the outbox is no page of production', async () => {
    expect(existsSync('dist/form.html')).toBe(true);
    expect(globSync('dist/**/*.map')).toEqual([]);
    const real = await openOwnSchool({ NODE_ENV: 'production' });
    expect((await real.send({ url: '/dev/outbox' })).status).toBe(302);
    await real.close();
  });

  test('E5 leads nobody to another host', async () => {
    for (const url of [
      '//evil.example',
      '/\\evil.example',
      '/http://evil.example',
      '/login/..//evil.example',
      '/javascript:alert(1)',
    ]) {
      const { headers } = await school.send({ url });
      expect([undefined, '/login']).toContain(headers.location);
    }
    await school.inquiry({
      firstName: 'x javascript:alert(1) http://a"onclick=x',
      fatherMobile: '9825099991',
    });
    await school.send({ method: 'POST', url: '/api/admission/new-link', body: { contact: '9825099991' } });
    const { text } = await school.send({ url: '/dev/outbox' });
    expect(text).toMatch(/\/a\/\w{10}/);
    for (const [, address] of text.matchAll(/href="([^"]*)"/g)) expect(address).toMatch(/^https?:\/\//);
  });
});

describe('limits on what is read', () => {
  const post = (body: string | Buffer, headers = {}) =>
    school.send({
      method: 'POST',
      url: '/api/admission/new-link',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });

  test('F4 a body of 64 KB, an address of 4 KB, a depth of 10', async () => {
    expect((await post(JSON.stringify({ contact: 'x'.repeat(70_000) }))).status).toBe(413);
    expect((await school.send({ url: `/api/admission/inquiry?inquiryNo=${'a'.repeat(4100)}` })).status).toBe(414);
    const nested = (depth: number) => `{"contact":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect((await post(nested(9))).status).toBe(422);
    expect((await post(nested(10))).status).toBe(400);
    expect((await post(nested(20_000))).status).toBe(400);
  });

  test('F4 headers of 8 KB', async () => {
    await school.app.listen({ port: 0, host: '127.0.0.1' });
    const { port } = school.app.server.address() as AddressInfo;
    const status = await new Promise((done, fail) => {
      httpRequest({ port, host: '127.0.0.1', path: '/healthz', headers: { 'x-long': 'x'.repeat(9000) } }, (answer) =>
        done(answer.statusCode),
      )
        .on('error', fail)
        .end();
    });
    expect(status).toBe(431);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/xml',
    'application/json\tx',
    ' application/json2',
    'multipart/form-data; boundary=x',
    undefined,
  ])('F4 E6 a body of the type %s is refused', async (type) => {
    const headers: Record<string, string> = type ? { 'content-type': type } : {};
    const { status } = await school.send({
      method: 'POST',
      url: '/api/admission/new-link',
      body: Buffer.from('{"contact":"x"}'),
      headers,
    });
    expect([400, 415, 422]).toContain(status);
    expect(status).not.toBe(200);
  });

  test.each([
    ['is not JSON', '{contact:1}'],
    ['is a list', '[1]'],
    ['is a text', '"x"'],
    ['names a field twice', '{"contact":"a@b.cd","contact":"x"}'],
    ['names __proto__', '{"__proto__":{"a":1},"contact":"x"}'],
    ['names a hidden __proto__', '{"\\u005f_proto__":{},"contact":"x"}'],
    ['names a field twice in another spelling', '{"contact":"x","c\\u006fntact":"y"}'],
    ['holds 1e309', '{"contact":1e309}'],
    ['holds NaN', '{"contact":NaN}'],
  ])('F6 a body that %s is refused', async (_what, body) => {
    const { status } = await post(body);
    expect([400, 422]).toContain(status);
  });

  test('F6 repeated and structured names in the query are no way in', async () => {
    const family = await school.inquiry();
    for (const extra of [
      '&admissionID=1&admissionID=2',
      '&admissionID[]=1',
      '&__proto__[a]=1',
      '&constructor=1',
      '&admissionID=9007199254740993',
      '&admissionID=NaN',
    ]) {
      const { status } = await school.send({ url: `/api/admission/basic-info?inquiryNo=${family.link}${extra}` });
      expect([200, 400, 404]).toContain(status);
    }
  });
});

describe('what goes in comes out as text', () => {
  const payloads = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "'; drop table admission_inquiry; --",
    '{{7*7}}',
    '=1+1',
    'a\r\nBcc: all@school.example',
    '\\',
    '%s%n',
    'null',
    'undefined',
    '1; select pg_sleep(5)',
  ];

  test('F3 E3 in every text field of a page, and no statement changes its meaning', async () => {
    const family = await school.inquiry({ gender: 'F' });
    for (const payload of payloads) {
      const text = payload.slice(0, 50);
      const saved = await family.saveBasicInfo({
        firstName: text,
        lastName: text,
        caste: text,
        subCaste: text,
        religion: text,
        nationality: text,
        currentCity: text,
        aadharCardNo: text,
      });
      const [row] = saved.json.data.lstStudentAdmissionBasicInfoModel;
      // Fields of one line have one space where a line was broken.
      const stored = cleanLine(text);
      expect(row).toMatchObject({ firstName: stored, caste: stored, religion: stored, currentCity: stored });
      expect((await family.post('education-history', { ...educationAnswers, schoolName: text })).status).toBe(200);
    }
    expect(Number((await school.sql('select count(*) from admission_inquiry'))[0]?.count)).toBeGreaterThan(0);
  });

  test('F2 names of fields are never names of columns', async () => {
    const family = await school.inquiry();
    const forged = {
      ...basicInfoAnswers,
      'photo_id = null --': 'x',
      submitted_at: '2020-01-01',
      'first_name"; drop table audit; --': 'x',
      version: '999',
    };
    expect((await family.saveBasicInfo(forged)).json.data.rowVersion).toBe(1);
    expect((await family.get('inquiry')).json[0].isFormSubmitted).toBe(false);
  });

  test('F3 statements are built from parameters alone', async () => {
    // A restore and bulk inserts name tables, constraints and columns, which cannot be parameters; they are quoted.
    // Lists and masters write out their table and columns. The dates of backups use one constant text for both clients.
    // The parts of a discarded year are deleted in one statement, which names them by their number.
    // Undoing an import deletes rows of the tables that its code names.
    // A search names the table whose names it searches, a proposal that of its subject, and a start
    // those that say whether a demo is whole.
    // A report numbers its columns, and a certificate names those of its language.
    // Constants of the code stand where a kept plan has to know them; `lit` quotes them.
    const naming = [
      'src/features/admission/server/literals.ts',
      'src/features/approval/server/dashboard-card.ts',
      'src/features/calendar/server/roll-over.ts',
      'src/features/fee-money/server/report.ts',
      'src/features/fee-money/server/report-groups.ts',
      'src/features/fee-price/server/control/terms-approval.ts',
      'src/features/student/server/identity/merge-parts.ts',
      'src/features/student/server/paper/certificate-facts.ts',
      'src/features/homework/server/merge.ts',
      'src/app/backup/tables.ts',
      'src/app/backup/daily.ts',
      'src/app/make-demo.ts',
      'src/kit/server/database/bulk.ts',
      'src/kit/server/import/import-journal.ts',
      'src/kit/server/list/pagination.ts',
      'src/kit/server/list/record-list.ts',
      'src/kit/server/master/sql.ts',
      'src/kit/server/record/added.ts',
      'src/kit/server/record/columns.ts',
      'src/kit/server/record/parts.ts',
      'src/kit/server/record/read-fields.ts',
      'src/kit/server/search.ts',
    ];
    const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts') && !naming.includes(file));
    expect(files.length).toBeGreaterThan(40);
    const texts = await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const));
    const named = /sql\.(raw|lit|ref|table|id)\b|\.query\(`[^`]*\$\{(?!appRole\})/;
    expect(texts.flatMap(([file, text]) => (named.test(text) ? [`${file} ${named.exec(text)?.[0]}`] : []))).toEqual([]);
  });

  test('E3 E4 a name with markup or line breaks stays a name in messages and on the outbox page', async () => {
    await school.inquiry({
      ...familyInquiry,
      firstName: 'Zed\r\nBcc: all@school.example <b onload=x>',
      fatherMobile: '9825012121',
    });
    await school.send({ method: 'POST', url: '/api/admission/new-link', body: { contact: '9825012121' } });
    const { text } = await school.send({ url: '/dev/outbox' });
    expect(text).toContain('<h2>Admission form for Zed Bcc: all@school.example &lt;b onload=x&gt;</h2>');
    expect(text).not.toContain('<b onload');
  });

  test.each(['/admission', '/login'])('%s brings its configuration along, so that it need not ask', async (path) => {
    const { text } = await school.send({ url: path });
    const [, written = ''] = /<script type="application\/json" id="app-configuration">(.*?)<\/script>/.exec(text) ?? [];
    expect(JSON.parse(written)).toMatchObject({ schoolName: 'Test School', needsTls: false });
  });

  test('a page comes in the colours that were chosen on the device, and takes nothing else from their cookie', async () => {
    const rootOf = async (cookie: string) => {
      const { text } = await school.send({ url: '/login', headers: { cookie } });
      return /<html [^>]*>/.exec(text)?.[0];
    };
    expect(await rootOf('colours=dark')).toBe('<html data-colours="dark" lang="en">');
    expect(await rootOf('colours=light')).toBe('<html data-colours="light" lang="en">');
    for (const cookie of ['', 'colours=', 'colours="onload="x', 'other=dark'])
      expect([cookie, await rootOf(cookie)]).toEqual([cookie, '<html lang="en">']);
  });

  test('E3 the configuration in a page cannot end its script', async () => {
    await school.sql(`update academic_school set name = '</script><script>alert(1)</script>'`);
    const { text } = await school.send({ url: '/admission' });
    expect(text).not.toContain('<script>alert');
    expect(text).toContain('\\u003c/script>');
    await school.sql(`update academic_school set name = 'Test School'`);
  });
});

test('E6 a failure of ours says nothing of itself, and its log holds no answers', async () => {
  const family = await school.inquiry();
  await school.sql('alter table admission_education rename to hidden');
  const { status, text, json } = await family.post('education-history', {
    ...educationAnswers,
    schoolName: 'Secret-marker',
  });
  await school.sql('alter table hidden rename to admission_education');
  expect([status, json.code]).toEqual([500, 'unexpected']);
  expect(text).not.toMatch(/select|insert|relation|stack|node_modules|\/src\/|kysely|postgres/i);
  expect(school.log()).toContain('does not exist');
  expect(school.log()).not.toContain('Secret-marker');
});

test('E6 a column added to a table does not reach an answer', async () => {
  const family = await school.inquiry();
  await family.saveBasicInfo();
  await school.sql(`alter table admission_basic_info add column secret_note text default 'Hidden-marker'`);
  const { status, text } = await family.get('basic-info');
  expect(status).toBe(200);
  expect(text).not.toContain('Hidden-marker');
});

test('I6 the pages are served from the school alone', async () => {
  for (const file of ['form.html', 'browser.html']) {
    const html = await readFile(join('dist', file), 'utf8');
    expect(html.match(/(src|href)="(?!\/)[^"]*"/g)).toBeNull();
  }
});

test('C6 an address that cannot be read is refused like everything else, and the answer does not repeat it', async () => {
  for (const [url, status, code] of [
    ['/api/admission/inquiry/%ff', 400, 'malformed'],
    ['/api/%c3', 400, 'malformed'],
    [`/api/admission/files/${'x'.repeat(201)}`, 414, 'too_long'],
  ] as const) {
    const { json, text, ...answer } = await school.send({ url: `${url}?inquiryNo=${'a'.repeat(32)}` });
    expect([url, answer.status, json.error.code, text.includes('inquiryNo')]).toEqual([url, status, code, false]);
  }
  const page = await school.send({ url: `/%c3?inquiryNo=${'a'.repeat(32)}` });
  expect([page.status, page.headers.location, page.text]).toEqual([302, '/login', '']);
});

test('the work of a request is given up when its caller leaves, and not after its whole answer', async () => {
  if (!school.app.server.listening) await school.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = school.app.server.address() as AddressInfo;
  const { link } = await school.inquiry();
  const address = `http://127.0.0.1:${port}/api/admission/inquiry?inquiryNo=${link}`;
  const abort = vi.spyOn(AbortController.prototype, 'abort');
  onTestFinished(() => abort.mockRestore());
  const send = (agent = new Agent({ keepAlive: false })) => httpRequest(address, { agent }).end();

  const [answer] = await once(send(), 'response');
  await once(answer.resume(), 'close');
  const table = await holdTable(school, 'academic_board');
  onTestFinished(table.letGo);
  await recordStatements(school, async (asked) => {
    const leaving = send().on('error', () => undefined);
    await expect.poll(() => asked.some((text) => text.includes('"academic_board"'))).toBe(true);
    expect(abort).not.toHaveBeenCalled();
    leaving.destroy();
    await expect.poll(() => abort.mock.calls.length).toBe(1);
  });
});
