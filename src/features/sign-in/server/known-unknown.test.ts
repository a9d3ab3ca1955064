import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Browser, openAccount, openBrowser, type Person, password } from '#testing/browser.ts';
import { openSchool, type School } from '#testing/school.ts';
import { recordStatements } from '#testing/statements.ts';

let school: School;
let known: Awaited<ReturnType<typeof openAccount>>;
let onlyStaff: typeof known;
let onlyAdmin: typeof known;
let closed: typeof known;
let person: Person;
beforeAll(async () => {
  school = await openSchool();
  known = await openAccount(school);
  onlyStaff = await openAccount(school, { isAdmin: false });
  onlyAdmin = await openAccount(school, { isStaff: false });
  closed = await openAccount(school);
  await school.sql(`update sign_in_account set is_active = false where id = ${closed.id}`);
  person = await school.person();
  await signUp(school.browser(), 'pending@example.com');
});
afterAll(() => school.close());
beforeEach(() => school.sql('delete from attempt'));

const post = (browser: Browser, path: string, body: object) =>
  browser.send({ method: 'POST', url: `/api/sign-in/${path}`, body });
const byPassword = (browser: Browser, UserName: string, Password = 'Wrong-Bridge-48') =>
  post(browser, 'authenticate-user', { AuthenicateUserBy: 'UserNameNPassword', UserName, Password });
const byEmail = (browser: Browser, EmailID: string) =>
  post(browser, 'authenticate-user', { AuthenicateUserBy: 'Email', EmailID });
const byMobile = (browser: Browser, MobileNo: string) =>
  post(browser, 'authenticate-user', { AuthenicateUserBy: 'Mobile', MobileNo });
const reset = (browser: Browser, email: string) => post(browser, 'reset-link', { email });
let asked = 0;
const signUp = (browser: Browser, email: string, mobile = String(6_500_000_000 + ++asked)) =>
  post(browser, 'request', { name: 'Rekha', email, mobile, reason: 'I teach.' });

const strange = () => school.browser();
/** With a cookie that no browser was ever given. */
function marked(): Browser {
  const browser = openBrowser(school);
  browser.cookies.set('__Host-device', 'a'.repeat(43));
  return browser;
}
const browsers = { strange, marked };

/** Does the same for each in turn: the statements and the answers must be equal. */
async function expectAlike<About>(
  all: readonly About[],
  act: (about: About) => Promise<{ status: number; text: string }>,
) {
  const seen: { texts: string[]; answer: [number, string] }[] = [];
  for (const about of all) {
    await school.sql('delete from attempt');
    const { texts, result } = await recordStatements(school, () => act(about));
    seen.push({ texts, answer: [result.status, result.text] });
  }
  const [first, ...others] = seen;
  expect(first?.texts.length).toBeGreaterThan(0);
  for (const other of others) expect(other).toEqual(first);
}

/** Repeats an act, half a minute apart. */
const repeat = async (times: number, act: () => Promise<unknown>) => {
  for (let time = 0; time < times; time++) {
    await act();
    await school.sql(`delete from attempt where kind = 'code-sent-just-now'`);
  }
};

describe.each(['strange', 'marked'] as const)('in a browser that is %s', (name) => {
  const browser = browsers[name];

  test('W18 A9 a wrong password makes the same statements for somebody and for nobody', () =>
    expectAlike([known.userName, 'nobody', onlyStaff.userName, closed.userName], (user) =>
      byPassword(browser(), user),
    ));

  test('W18 A9 so does the right password of who may not use it', () =>
    expectAlike([onlyStaff.userName, 'nobody', closed.userName], (user) => byPassword(browser(), user, password)));

  test('W18 A9 so does one that has to wait', () =>
    expectAlike([known.userName, 'nobody'], async (user) => {
      await repeat(5, () => byPassword(browser(), user));
      return withoutSeconds(await byPassword(browser(), user));
    }));

  test('W18 A9 asking for a code by email makes the same statements for somebody and for nobody', () =>
    expectAlike([known.email, 'nobody@staff.example', onlyAdmin.email, closed.email], (email) =>
      byEmail(browser(), email),
    ));

  test('W18 A9 asking for a code by mobile makes the same statements for somebody and for nobody', () =>
    expectAlike([known.mobile, '8000000001', onlyAdmin.mobile, closed.mobile], (mobile) =>
      byMobile(browser(), mobile),
    ));

  test('W18 A9 asking for a third code is refused alike, and so is asking twice within half a minute', async () => {
    await expectAlike([known.email, 'nobody@staff.example'], async (email) => {
      await repeat(2, () => byEmail(browser(), email));
      return withoutSeconds(await byEmail(browser(), email));
    });
    await expectAlike([known.email, 'nobody@staff.example'], async (email) => {
      await byEmail(browser(), email);
      return withoutSeconds(await byEmail(browser(), email));
    });
  });

  test('W17 W18 A9 that two addresses belong to one person is told by neither answers nor statements', () =>
    expectAlike(
      [
        [known.email, known.mobile],
        [known.email, onlyStaff.mobile],
        ['nobody@staff.example', '8000000001'],
      ] as const,
      async ([email, mobile]) => {
        await repeat(2, () => byEmail(browser(), email));
        return byMobile(browser(), mobile);
      },
    ));

  test('W18 A9 A17 asking for a link to a password makes the same statements for somebody and for nobody', () =>
    expectAlike([known.email, 'nobody@staff.example', onlyStaff.email, closed.email], (email) =>
      reset(browser(), email),
    ));

  test('W7 W18 A17 so does asking about an Admin whose address was changed lately', async () => {
    const moved = await openAccount(school);
    await school.sql(`update staff set email = 'moved-${name}@staff.example' where email = '${moved.email}'`);
    await expectAlike([`moved-${name}@staff.example`, 'nobody@staff.example', known.email], (email) =>
      reset(browser(), email),
    );
  });

  test('W18 A9 A16 asking for an account makes the same statements whoever has the address', () =>
    expectAlike([known.email, `new-${name}@example.com`, 'pending@example.com', closed.email], (email) =>
      signUp(browser(), email),
    ));

  test('W18 A9 a wrong code makes the same statements for somebody and for nobody', () =>
    expectAlike([known.email, 'nobody@staff.example'], async (email) => {
      const own = browser();
      await byEmail(own, email);
      return post(own, 'verify-otp', { OTP: 'AAAAA' });
    }));

  test('W18 A17 a made-up link to a password makes the same statements under any number', async () => {
    await reset(browser(), known.email);
    await school.sql('delete from attempt');
    await reset(browser(), 'nobody@staff.example');
    const rows = await school.sql('select id from sign_in_reset order by id desc limit 2');
    await expectAlike([...rows.map(({ id }) => id), 999_999], (id) =>
      post(browser(), 'reset-password', { token: `${id}.${'a'.repeat(32)}`, newPassword: 'Neem-Window-17' }),
    );
  });
});

test('W18 A9 a code to a new address makes the same statements whoever has the address', () =>
  expectAlike([known.email, 'nobody@staff.example'], (email) => post(person, 'contact/email-code', { email })));

test('W18 what is made for nobody is never sent, and removed after a day', async () => {
  const [before] = await school.sql('select coalesce(max(id), 0) as id from outbox');
  await byEmail(strange(), 'nobody@staff.example');
  await reset(strange(), 'nobody@staff.example');
  expect(await school.sql(`select status, recipient from outbox where id > ${before?.id}`)).toEqual([
    { status: 'expired', recipient: null },
    { status: 'expired', recipient: null },
  ]);
});

/** The waiting time depends on the second of the request. */
const withoutSeconds = <Answer extends { text: string }>(answer: Answer) => ({
  ...answer,
  text: answer.text
    .replace(/\d+ (seconds?|minutes?)/g, 'a while')
    .replace(/"text":\{"id":"[^"]*","values":\{[^}]*\}\}/, ''),
});
