import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { account as accounts } from '#features/account/server/feature.ts';
import { auditLog } from '#features/audit/server.ts';
import { branchMaster, departmentMaster, designationMaster } from '#features/school/contract/masters.ts';
import { codeOf } from '#features/sign-in/server/code.ts';
import { signIn } from '#features/sign-in/server/feature.ts';
import { resetMessage } from '#features/sign-in/server/own-password.ts';
import { staff } from '#features/staff/server/feature.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { render } from '#kit/server/messages/outbox.ts';
import { sealAudit } from '#kit/server/security/audit-seal.ts';
import { type Browser, openAccount, type Person, password } from '#testing/browser.ts';
import type { Answer } from '#testing/exchange.ts';
import { contentsOf, failingAt, failingAtCommit } from '#testing/failing.ts';
import { create } from '#testing/masters.ts';
import { form, openSchool, photo, type School } from '#testing/school.ts';
import { oneOfEach } from '#testing/soak.ts';

let school: School;
beforeAll(async () => {
  school = await openSchool();
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const account = () => openAccount(school);
let made = 0;

/** A user with a prepared change; `send` may be called until it succeeds. */
interface Act {
  browser: Browser;
  send: (over?: object) => Promise<Answer>;
}

const post = (browser: Browser, url: string, body: object): Act => ({
  browser,
  send: (over = {}) => browser.send({ method: 'POST', url: `/api/${url}`, body: { ...body, ...over } }),
});

const removal = (browser: Browser, url: string): Act => ({
  browser,
  send: (over) => browser.send({ method: 'DELETE', url: `/api/${url}`, ...(over && { body: over }) }),
});

async function admin() {
  const own = await account();
  const browser = school.browser();
  const body = { AuthenicateUserBy: 'UserNameNPassword', UserName: own.userName, Password: password };
  await post(browser, 'sign-in/authenticate-user', body).send();
  await school.sql('delete from attempt');
  return { ...own, browser };
}

async function challenged() {
  const { email } = await account();
  const browser = school.browser();
  await post(browser, 'sign-in/authenticate-user', { AuthenicateUserBy: 'Email', EmailID: email }).send();
  const [row] = await school.sql('select id, salt from sign_in_code order by id desc limit 1');
  return { browser, OTP: codeOf(school.services, row as { id: number; salt: Buffer }) };
}

async function resetToken() {
  const { email } = await account();
  await post(school.browser(), 'sign-in/reset-link', { email }).send();
  const [row] = await school.sql('select max(id) as id from sign_in_reset');
  const message = await render(school.services, resetMessage, Number(row?.id));
  return /token=(\S+)/.exec(message?.text ?? '')?.[1] ?? '';
}

const asking = () => {
  const number = ++made;
  const [email, mobile] = [`ask${number}@example.com`, String(6_800_000_000 + number)];
  return post(school.browser(), 'sign-in/request', { name: 'Rekha', email, mobile, reason: 'I teach.' });
};
async function request() {
  await asking().send();
  const [row] = await school.sql('select max(id) as id from sign_in_request');
  return Number(row?.id);
}

const listView = { name: 'Office', isShared: false, address: { search: 'a' }, columns: ['name'] };

/** What a member of staff works as. */
async function work() {
  const name = `Work ${++made}`;
  const added = async (table: string, columns = 'name', values = `'${name}'`) =>
    (await school.sql(`insert into academic_${table} (${columns}) values (${values}) returning id`))[0]?.id;
  return {
    designationId: await added('designation'),
    departmentId: await added('department'),
    branchId: await added('branch', 'name, code', `'${name}', 'W${made}'`),
  };
}

/** An import of one colleague, as previewed. */
async function importing(browser: Browser) {
  await work();
  const heads = 'Name,Email address,Joining date,Designation,Department,Branch';
  const file = `${heads}\nRekha,new${++made}@school.example,01-06-2026,Work ${made - 1},Work ${made - 1},Work ${made - 1}\n`;
  const { confirmToken } = (await post(browser, 'staff/import', { file }).send()).json;
  return post(browser, 'staff/import', { file, confirmToken });
}

/** Every operation that changes something: a prepared call, and the audit action it writes exactly once. */
const changes: Record<string, [said: string[], begin: () => Promise<Act>]> = {
  'POST /sign-in/authenticate-user by password': [
    ['sign-in.signed-in'],
    async () => {
      const { userName } = await account();
      const body = { AuthenicateUserBy: 'UserNameNPassword', UserName: userName, Password: password };
      return post(school.browser(), 'sign-in/authenticate-user', body);
    },
  ],
  'POST /sign-in/authenticate-user by a code': [
    ['sign-in.code-sent'],
    async () => {
      const { mobile } = await account();
      return post(school.browser(), 'sign-in/authenticate-user', { AuthenicateUserBy: 'Mobile', MobileNo: mobile });
    },
  ],
  'POST /sign-in/verify-otp': [
    ['sign-in.signed-in'],
    async () => {
      const { browser, OTP } = await challenged();
      return post(browser, 'sign-in/verify-otp', { OTP });
    },
  ],
  'POST /sign-in/sign-out': [['sign-in.signed-out'], async () => post((await admin()).browser, 'sign-in/sign-out', {})],
  'POST /sign-in/reset-link': [
    ['password.reset-asked'],
    async () => post(school.browser(), 'sign-in/reset-link', { email: (await account()).email }),
  ],
  'POST /sign-in/reset-password': [
    ['password.changed'],
    async () =>
      post(school.browser(), 'sign-in/reset-password', { token: await resetToken(), newPassword: 'Neem-Window-17' }),
  ],
  'POST /sign-in/request': [['account.asked-for'], async () => asking()],
  'POST /sign-in/password': [
    ['password.changed'],
    async () => post((await admin()).browser, 'sign-in/password', { password, newPassword: 'Neem-Window-17' }),
  ],
  'POST /sign-in/confirm': [
    ['session.confirmed'],
    async () => post((await admin()).browser, 'sign-in/confirm', { password }),
  ],
  'POST /sign-in/contact/email-code': [
    ['contact.code-sent'],
    async () => post((await admin()).browser, 'sign-in/contact/email-code', { email: `c${++made}@school.example` }),
  ],
  'POST /sign-in/contact/mobile-code': [
    ['contact.code-sent'],
    async () =>
      post((await admin()).browser, 'sign-in/contact/mobile-code', { mobile: String(6_600_000_000 + ++made) }),
  ],
  'POST /sign-in/contact': [
    ['contact.changed'],
    async () => {
      const { browser } = await admin();
      await post(browser, 'sign-in/contact/email-code', { email: `c${++made}@school.example` }).send();
      const [row] = await school.sql('select id, salt from sign_in_contact order by id desc limit 1');
      return post(browser, 'sign-in/contact', { OTP: codeOf(school.services, row as { id: number; salt: Buffer }) });
    },
  ],
  'DELETE /sign-in/session/:number': [
    ['session.ended'],
    async () => {
      const { browser, id } = await admin();
      const [row] = await school.sql(`select number from sign_in_session where account_id = ${id}`);
      const url = `/api/sign-in/session/${row?.number}`;
      return { browser, send: (body) => browser.send({ method: 'DELETE', url, ...(body && { body }) }) };
    },
  ],
  'DELETE /account/:id/session/:number': [
    ['session.ended'],
    async () => {
      const [{ browser }, { id }] = [await admin(), await admin()];
      const [row] = await school.sql(`select number from sign_in_session where account_id = ${id}`);
      const url = `/api/account/${id}/session/${row?.number}`;
      return { browser, send: (body) => browser.send({ method: 'DELETE', url, ...(body && { body }) }) };
    },
  ],
  'DELETE /sign-in/session': [
    ['session.others-ended'],
    async () => {
      const { browser, userName } = await admin();
      const body = { AuthenicateUserBy: 'UserNameNPassword', UserName: userName, Password: password };
      await post(school.browser(), 'sign-in/authenticate-user', body).send();
      const url = '/api/sign-in/session';
      return { browser, send: (body) => browser.send({ method: 'DELETE', url, ...(body && { body }) }) };
    },
  ],
  'PUT /account/:id': [
    ['account.changed'],
    async () => {
      const [{ browser }, other] = [await admin(), await school.person()];
      const body = {
        version: 1,
        userName: `user${other.id}`,
        isStaff: true,
        isAdmin: true,
        sets: ['hr'],
        isActive: true,
      };
      const url = `/api/account/${other.id}`;
      return { browser, send: (over = {}) => browser.send({ method: 'PUT', url, body: { ...body, ...over } }) };
    },
  ],
  'POST /account/:id/end-sessions': [
    ['account.signed-out-everywhere'],
    async () => post((await admin()).browser, `account/${(await school.person()).id}/end-sessions`, {}),
  ],
  'POST /account-request/:id/approve': [
    ['account-request.approved', 'account.created'],
    async () => {
      const { browser } = await admin();
      const body = { userName: '', isStaff: true, isAdmin: false, sets: ['office'] };
      return post(browser, `account-request/${await request()}/approve`, body);
    },
  ],
  'POST /account-request/:id/decline': [
    ['account-request.declined'],
    async () => post((await admin()).browser, `account-request/${await request()}/decline`, {}),
  ],
  'POST /staff/:id/picture': [
    ['staff.picture-saved'],
    async () => {
      const person = await school.person();
      const url = `/api/staff/${person.staffId}/picture`;
      const send = async (over: object = {}) =>
        person.send({ method: 'POST', url, body: form({ ...over }, { picture: await photo() }) });
      await send();
      return { browser: person, send };
    },
  ],
  'DELETE /staff/:id/picture': [
    ['staff.picture-removed'],
    async () => {
      const person = await school.person();
      const url = `/api/staff/${person.staffId}/picture`;
      await person.send({ method: 'POST', url, body: form({}, { picture: await photo() }) });
      return { browser: person, send: (body) => person.send({ method: 'DELETE', url, ...(body && { body }) }) };
    },
  ],
  'POST /staff/:id/qualification': [
    ['staff.qualification-added'],
    async () => {
      const { browser, staffId } = await admin();
      return post(browser, `staff/${staffId}/qualification`, { qualificationId: 1 });
    },
  ],
  'DELETE /staff/:id/qualification/:qualification': [
    ['staff.qualification-removed'],
    async () => {
      const { browser, staffId } = await admin();
      await post(browser, `staff/${staffId}/qualification`, { qualificationId: 1 }).send();
      return removal(browser, `staff/${staffId}/qualification/${await newestOf('staff_qualification')}`);
    },
  ],
  'POST /staff/:id/experience': [
    ['staff.experience-added'],
    async () => {
      const { browser, staffId } = await admin();
      return post(browser, `staff/${staffId}/experience`, job);
    },
  ],
  'DELETE /staff/:id/experience/:experience': [
    ['staff.experience-removed'],
    async () => {
      const { browser, staffId } = await admin();
      await post(browser, `staff/${staffId}/experience`, job).send();
      return removal(browser, `staff/${staffId}/experience/${await newestOf('staff_experience')}`);
    },
  ],
  'POST /staff/:id/document': [['staff.document-handed-in'], async () => handsIn(await school.person())],
  'POST /staff/:id/document/:document/decide': [
    ['staff.document-verified'],
    async () => {
      const [{ browser }, person] = [await admin(), await school.person()];
      await (await handsIn(person)).send();
      const document = await newestOf('staff_document');
      return post(browser, `staff/${person.staffId}/document/${document}/decide`, { version: 1, isVerified: true });
    },
  ],
  'DELETE /staff/:id/document/:document': [
    ['staff.document-removed'],
    async () => {
      const person = await school.person();
      await (await handsIn(person)).send();
      return removal(person, `staff/${person.staffId}/document/${await newestOf('staff_document')}`);
    },
  ],
  'POST /staff/import': [['staff.created', 'staff.imported'], async () => importing((await admin()).browser)],
  'POST /staff/import/undo': [
    ['import.undone'],
    async () => {
      const { browser } = await admin();
      const { json } = await (await importing(browser)).send();
      const input = { importId: json.importId };
      const { confirmToken } = (await post(browser, 'staff/import/undo', input).send()).json;
      return post(browser, 'staff/import/undo', { ...input, confirmToken });
    },
  ],
  'POST /staff/view': [
    ['list-view.saved'],
    async () => post(await school.person({ sets: ['office'] }), 'staff/view', listView),
  ],
  'DELETE /staff/view/:id': [
    ['list-view.removed'],
    async () => {
      const person = await school.person({ sets: ['office'] });
      const { json } = await post(person, 'staff/view', listView).send();
      const send = async (over: object = {}) =>
        person.send({ method: 'DELETE', url: `/api/staff/view/${json.id}`, body: over });
      return { browser: person, send };
    },
  ],
  'POST /staff': [
    ['staff.created'],
    async () => {
      const number = ++made;
      const person = { name: 'Rekha', gender: '', email: `new${number}@school.example`, mobile: '' };
      const hired = { ...(await work()), joinedOn: '2026-06-01', employeeNumber: '' };
      return post((await admin()).browser, 'staff', { ...person, ...hired });
    },
  ],
  'PUT /staff/:id': [
    ['staff.changed'],
    async () => {
      const [{ browser }, { staffId }] = [await admin(), await school.person()];
      const { version, person } = (await browser.send({ url: `/api/staff/${staffId}/record` })).json;
      const body = { ...person, version, email: `new${++made}@school.example` };
      const url = `/api/staff/${staffId}`;
      return { browser, send: (over = {}) => browser.send({ method: 'PUT', url, body: { ...body, ...over } }) };
    },
  ],
  'POST /staff/:id/post': [
    ['staff.post-changed'],
    async () => {
      const [{ browser }, { staffId }] = [await admin(), await school.person()];
      return post(browser, `staff/${staffId}/post`, { ...(await work()), version: 1, from: '2090-06-01' });
    },
  ],
  'POST /staff/:id/relieve': [
    ['staff.relieved', 'account.ended'],
    async () => {
      const [{ browser }, { staffId }] = [await admin(), await school.person()];
      const [reason] = await school.sql('select id from hris_separation_reason limit 1');
      const relieving = post(browser, `staff/${staffId}/relieve`, {
        lastDay: toLocalDate(new Date()),
        separationReasonId: Number(reason?.id),
      });
      const { confirmToken } = (await relieving.send()).json;
      return { browser, send: (over = {}) => relieving.send({ confirmToken, ...over }) };
    },
  ],
  'POST /staff/:id/rejoin': [
    ['staff.rejoined'],
    async () => {
      const [{ browser }, { staffId }] = [await admin(), await school.person()];
      await school.sql(`update staff_employment set joined_on = '2020-01-01', last_day = '2020-12-31'
        where staff_id = ${staffId}`);
      const [designation, department, branch] = [
        await create(browser, designationMaster),
        await create(browser, departmentMaster),
        await create(browser, branchMaster),
      ];
      return post(browser, `staff/${staffId}/rejoin`, {
        joinedOn: '2026-01-01',
        designationId: designation.id,
        departmentId: department.id,
        branchId: branch.id,
      });
    },
  ],
  'POST /staff/:id/invite': [
    ['account.created', 'staff.invited'],
    async () => {
      const number = ++made;
      const [row] = await school.sql(`insert into staff (name, employee_number, email)
        values ('Invited', 'I${number}', 'i${number}@staff.example') returning id`);
      return post((await admin()).browser, `staff/${row?.id}/invite`, { channel: 'Email', sets: ['office'] });
    },
  ],
  'POST /staff/:id/suspend': [
    ['account.changed'],
    async () => {
      const { staffId } = await school.person();
      return post((await admin()).browser, `staff/${staffId}/suspend`, { version: 1, isSuspended: true });
    },
  ],
  'POST /staff/:id/grant': [
    ['account.changed'],
    async () => {
      const { staffId } = await school.person();
      return post((await admin()).browser, `staff/${staffId}/grant`, { version: 1, sets: ['office'] });
    },
  ],
  'POST /staff/account': [
    ['account.changed'],
    async () => {
      const [{ browser }, { staffId }] = [await admin(), await school.person()];
      const act = { selection: { ids: [staffId] }, act: 'Suspend', channel: '' };
      const { json } = await post(browser, 'staff/account', act).send();
      return post(browser, 'staff/account', { ...act, confirmToken: json.confirmToken });
    },
  ],
  'POST /staff/id-card': [
    ['staff.id-cards-printed'],
    async () => {
      const { staffId } = await school.person();
      return post((await admin()).browser, 'staff/id-card', { ids: [staffId] });
    },
  ],
  'POST /audit/verify': [
    ['audit.verified'],
    async () => {
      const { browser } = await admin();
      await sealAudit(school.services);
      return post(browser, 'audit/verify', {});
    },
  ],
};

const job = { employer: 'Vidyalaya', jobTitle: 'Teacher', fromDay: '2020-06-01' };

async function handsIn(person: Person): Promise<Act> {
  const url = `/api/staff/${person.staffId}/document`;
  const proof = await idOfType('Identity proof');
  const send = async (over: object = {}) =>
    person.send({ method: 'POST', url, body: form({ documentTypeId: proof, ...over }, { file: await photo() }) });
  return { browser: person, send };
}

const idOfType = async (name: string) =>
  Number((await school.sql(`select id from hris_document_type where name = '${name}'`))[0]?.id);
const newestOf = async (table: string) => Number((await school.sql(`select max(id) as id from ${table}`))[0]?.id);

const operations = [...accounts.routes, ...signIn.routes, ...staff.routes, ...auditLog.routes].map(
  ({ endpoint }) => endpoint,
);
const nameOf = ({ method, path }: (typeof operations)[number]) => `${method} ${path}`;

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
    const act = await begin();
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

describe.each(Object.entries(changes))('%s', (name, [, begin]) => {
  test('B7 takes nothing from a request that it does not ask for', async () => {
    const [plain, stuffed] = [await begin(), await begin()];
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

test.each(confirmed.map(nameOf))(
  'A24 %s is refused ten minutes after the last proof, and done after a new one',
  async (name) => {
    const [, begin] = changes[name] ?? [];
    const { browser } = await admin();
    const exporting: Act = { browser, send: () => browser.send({ url: '/api/audit/export' }) };
    const act = begin ? await begin() : exporting;
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
    async () => post((await challenged()).browser, 'sign-in/verify-otp', { OTP: 'AAAAA' }),
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
    async () => post((await admin()).browser, 'sign-in/confirm', { password: 'x' }),
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
