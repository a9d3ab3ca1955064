import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { account as accounts } from '#features/account/server/feature.ts';
import { auditLog } from '#features/audit/server.ts';
import { signIn } from '#features/sign-in/server/feature.ts';
import { staff } from '#features/staff/server/feature.ts';
import { type Act, type Acts, admin, challenged, post } from '#testing/acts/act.ts';
import { signInActs } from '#testing/acts/sign-in.ts';
import { staffActs } from '#testing/acts/staff.ts';
import { password } from '#testing/browser.ts';
import type { Answer } from '#testing/exchange.ts';
import { contentsOf, failingAt, failingAtCommit } from '#testing/failing.ts';
import { sampleOf } from '#testing/inputs.ts';
import { matrix } from '#testing/matrix.ts';
import { openSchool, type School } from '#testing/school.ts';
import { oneOfEach } from '#testing/soak.ts';
import { allRoutes } from './server.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

/** Every operation that changes something: a prepared call, and the audit action it writes exactly once. */
const changes: Acts = { ...signInActs, ...staffActs };

const operations = [...accounts.routes, ...signIn.routes, ...staff.routes, ...auditLog.routes].map(
  ({ endpoint }) => endpoint,
);
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** They change nothing here: they return an address to visit, and the sheets or the wrong rows of the sent file. */
const withoutChange = ['POST /sign-in/google', 'POST /staff/import/open', 'POST /staff/import/errors'];

test('H3 every operation that changes something is looked at below', () => {
  const looked = new Set(Object.keys(changes).map((name) => name.split(' by ')[0]));
  const changing = operations
    .filter(({ method }) => method !== 'GET')
    .map(nameOf)
    .filter((name) => !withoutChange.includes(name));
  expect([...looked].sort()).toEqual(changing.sort());
});

const addsOnlyAuditRows = ['POST /audit/verify', 'POST /staff/id-card'];

/** The files that a change adds, or removes; one that replaces a file does neither. */
const storedBy: Record<string, number> = { 'POST /staff/:id/document': 1, 'DELETE /staff/:id/document/:document': -1 };

/** One act of each feature; all of them in `npm run soak`. */
const walked = oneOfEach(Object.entries(changes), ([name]) => /^\w+ \/([a-z-]+)/.exec(name)?.[1]);

const storedFiles = () =>
  readdirSync(join(school.config.folder, 'files'), { recursive: true }).filter((name) => String(name).includes('-'));
const newest = async () => Number((await school.sql('select coalesce(max(id), 0) as id from audit'))[0]?.id);

describe.each(walked)('%s', (name, [said, begin]) => {
  test('H1 H2 H3 leaves nothing behind whichever of its statements fails, and then says once what was done', async () => {
    const act = await begin(school);
    const cookies = [...act.browser.cookies];
    const before = await contentsOf(school);
    const last = await newest();
    if (!addsOnlyAuditRows.includes(name)) {
      expect((await failingAtCommit(school, () => act.send())).status).toBe(500);
      expect(await contentsOf(school)).toEqual(before);
      expect([...act.browser.cookies]).toEqual(cookies);
    }
    // A failed commit may still be stored, so its file waits for the file check (D10); the others leave none.
    const files = storedFiles().length;
    let answer: Answer;
    let failures = 0;
    for (;;) {
      await school.sql('delete from attempt');
      answer = await failingAt(failures + 1, () => act.send());
      if (answer.status === 200) break;
      failures++;
      expect([failures, answer.status]).toEqual([failures, 500]);
      expect([failures, await contentsOf(school)]).toEqual([failures, before]);
      expect([...act.browser.cookies]).toEqual(cookies);
    }
    expect(failures).toBeGreaterThan(1);
    expect(storedFiles()).toHaveLength(files + (storedBy[name] ?? 0));
    const rows =
      await school.sql(`select action, actor, account_id is not null as has_account, role is not null as has_role,
      session is not null as has_session, host(address) as address, result, request_id, now() - at < interval '1 hour' as is_now
      from audit where id > ${last} order by id`);
    const isSignedIn = operations.some((operation) => name === nameOf(operation) && Array.isArray(operation.access));
    const who = isSignedIn ? { has_account: true, has_role: true, has_session: true } : {};
    const row = {
      ...who,
      address: '127.0.0.1',
      result: 'done',
      request_id: answer.headers['x-request-id'],
      is_now: true,
    };
    expect(rows).toMatchObject(said.map((action) => ({ ...row, action })));
  });
});

/** Names of columns and of what the server knows, which a request may try to set. */
const strangers = {
  role: 'Admin',
  is_admin: true,
  google_subject: 'x',
  password_hash: 'x',
  picture_id: 'x',
  status: 'approved',
  staffId: 1,
  staff_id: 1,
  accountId: 1,
  account_id: 1,
  userID: 1,
  createdBy: 1,
  updatedBy: 1,
  actor: 'x',
  at: '2020-01-01',
  created_at: '2020-01-01',
  confirmed_at: '2099-01-01',
  seen_at: '2099-01-01',
};

test('B7 no handler of the product receives a name that its operation does not declare', () => {
  const all = allRoutes.map(({ endpoint }) => {
    const { input } = endpoint;
    const { shape = {} } = input.def as { shape?: object };
    const others = Object.fromEntries(Object.entries(strangers).filter(([name]) => !(name in shape)));
    const sample = { ...(sampleOf(input) as object), ...matrix[nameOf(endpoint)]?.example };
    return { endpoint, plain: input.safeParse(sample), stuffed: input.safeParse({ ...sample, ...others }) };
  });
  for (const { endpoint, plain, stuffed } of all)
    expect([nameOf(endpoint), stuffed.data]).toEqual([nameOf(endpoint), plain.data]);
  // A sample that a rule refuses shows nothing; there are few.
  expect(all.filter(({ plain }) => !plain.success).length).toBeLessThan(all.length / 100);
});

describe.each(walked)('%s', (name, [, begin]) => {
  test('B7 takes nothing from a request that it does not ask for', async () => {
    const [plain, stuffed] = [await begin(school), await begin(school)];
    const rights = () =>
      school.sql(`select account.id, staff_id, is_admin, is_staff, sets, is_active, google_subject, account.version,
        password_hash, picture_id, staff.version as staff_version from sign_in_account account
        join staff on staff.id = staff_id order by account.id`);
    const changedBy = async (act: Act, over?: object) => {
      const before = new Map((await rights()).map((row) => [row.id, JSON.stringify(row)]));
      const { status } = await act.send(over);
      const after = (await rights()).filter((row) => before.get(row.id) !== JSON.stringify(row));
      return [status, after.map(({ id, staff_id, password_hash, picture_id, ...row }) => row)];
    };
    const over = {
      ...strangers,
      // A form with such names is refused as a whole.
      ...(!['POST /staff/:id/picture', 'POST /staff/:id/document'].includes(name) && {
        constructor: 'x',
        toString: 'x',
      }),
    };
    expect(await changedBy(stuffed, over)).toEqual(await changedBy(plain));
    expect(await school.sql(`select 1 from audit where actor = 'x' or at < '2021-01-01'`)).toEqual([]);
    expect(await school.sql(`select 1 from sign_in_session where confirmed_at > now() or seen_at > now()`)).toEqual([]);
    const me = await stuffed.browser.send({ url: '/api/sign-in/me' });
    if (name.includes('verify-otp')) expect(me.json).toMatchObject({ role: 'Staff' });
  });
});

const confirmed = operations.filter(({ isConfirmed }) => isConfirmed);
/** The proof is asked for before any handler, by what the operation declares. */
const confirmedOfEach = oneOfEach(confirmed, ({ method, access }) => [method, access]);

test('A24 changes of rights, and the export of the audit, ask for a fresh proof', () => {
  expect(confirmed.map(nameOf).sort()).toEqual([
    'DELETE /account/:id/session/:number',
    'GET /audit/export',
    'POST /account-request/:id/approve',
    'POST /account-request/:id/decline',
    'POST /account/:id/end-sessions',
    'POST /sign-in/contact/email-code',
    'POST /sign-in/contact/mobile-code',
    'POST /staff/:id/grant',
    'POST /staff/:id/invite',
    'POST /staff/:id/relieve',
    'POST /staff/:id/suspend',
    'POST /staff/account',
    'PUT /account/:id',
  ]);
});

test.each(confirmedOfEach.map(nameOf))(
  'A24 %s is refused ten minutes after the last proof, and done after a new one',
  async (name) => {
    const [, begin] = changes[name] ?? [];
    const { browser } = await admin(school);
    const exporting: Act = { browser, send: () => browser.send({ url: '/api/audit/export' }) };
    const act = begin ? await begin(school) : exporting;
    const before = await contentsOf(school);
    const age = (seconds: number) =>
      school.sql(`update sign_in_session set confirmed_at = now() - interval '${seconds} seconds'`);
    await age(601);
    const { sign_in_session: _, ...rest } = before;
    const refused = await act.send();
    expect([refused.status, refused.json.error.code]).toEqual([403, 'confirm_required']);
    expect(await contentsOf(school)).toMatchObject(rest);
    await post(act.browser, 'sign-in/confirm', { password }).send();
    expect((await act.send()).status).toBe(200);
  },
);

test.each([
  [
    'a wrong code',
    'sign-in.code-refused',
    async () => post((await challenged(school)).browser, 'sign-in/verify-otp', { OTP: 'AAAAA' }),
  ],
  [
    'a code for an unknown address',
    'sign-in.code-sent',
    async () =>
      post(school.browser(), 'sign-in/authenticate-user', {
        AuthenicateUserBy: 'Email',
        EmailID: 'nobody@school.example',
      }),
  ],
  [
    'a wrong password of one’s own',
    'password.wrong',
    async () => post((await admin(school)).browser, 'sign-in/confirm', { password: 'x' }),
  ],
  [
    'a link for an unknown address',
    'password.reset-asked',
    async () => post(school.browser(), 'sign-in/reset-link', { email: 'nobody@school.example' }),
  ],
  ['what one may not', 'access.refused', async () => post(await school.person(), 'audit/verify', {})],
])('H1 %s is written down once, as refused', async (_what, action, begin) => {
  const act = await begin();
  const last = await newest();
  await act.send();
  expect(await school.sql(`select action, result from audit where id > ${last}`)).toEqual([
    { action, result: 'refused' },
  ]);
});
