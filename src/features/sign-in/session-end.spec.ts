import type { Page } from '@playwright/test';
import { goToPreview } from '#e2e/import.ts';
import {
  expect,
  expectAccessible,
  expectLooks,
  listenToReads,
  type Person,
  picture,
  test,
  toast,
} from '#e2e/school.ts';
import { box, codeFor, signInByPassword } from '#e2e/sign-in.ts';

const over = (page: Page) => page.getByRole('dialog', { name: 'You have been signed out' });
const secret = (page: Page) => over(page).getByLabel('Password');
const enter = (page: Page) => over(page).getByRole('button', { name: 'Sign In', exact: true });
const boards = '/school-erp/academic/academic-master?tab=board';

type Sql = (statement: string) => Promise<Record<string, unknown>[]>;
const endSession = (sql: Sql, { id }: Person) => sql(`delete from sign_in_session where account_id = ${id}`);

/** Signs in again in the dialog, as the page's user. */
async function signInAgain(page: Page, person: Person) {
  await expect(over(page).getByRole('textbox', { name: 'Username' })).toHaveValue(person.userName);
  await secret(page).fill(person.password);
  await enter(page).click();
  await expect(over(page)).toBeHidden();
}

/** Records later requests of one kind: their Idempotency-Key and the status of the answer. */
function listen(page: Page, method: string, path: string) {
  const sent: [key: string | undefined, status: number][] = [];
  page.on('response', (response) => {
    const request = response.request();
    if (request.method() === method && new URL(request.url()).pathname === path)
      sent.push([request.headers()['idempotency-key'], response.status()]);
  });
  return sent;
}

test('A19 a form that is sent after the session ended asks to sign in over it, keeps what was typed and is saved once', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  const name = `Board ${Date.now() % 1e6}`;
  await school.enter(page, admin, { path: boards });
  const sent = listen(page, 'POST', '/api/academic/board');
  await page.getByRole('button', { name: 'Add board' }).click();
  const form = page.getByRole('dialog', { name: 'Add board' });
  const typed = form.locator('[name=name]');
  await typed.fill(name);
  await endSession(school.sql, admin);
  await typed.press('Enter');

  await expect(over(page)).toContainText('Sign in again to continue. Your entries are still here.');
  await expect(secret(page)).toBeFocused();
  await expectAccessible(page);
  // Tab stays within the dialog, and Escape asks before anything is lost.
  for (let stops = 0; stops < 8; stops++) {
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.closest("dialog")?.ariaLabel')).not.toBe('Add board');
  }
  await page.keyboard.press('Escape');
  const question = page.getByRole('dialog', { name: 'Leave without signing in?' });
  await expect(question).toContainText('Your entries on this page will be lost.');
  await page.keyboard.press('Escape');
  await expect(question).toBeHidden();
  await expect(over(page)).toBeVisible();

  await secret(page).fill('Wrong-Bridge-48');
  await secret(page).press('Enter');
  await expect(over(page).getByRole('alert').filter({ hasText: 'Invalid Login!' })).toBeVisible();
  await page.route('**/authenticate-user', (route) => route.abort());
  await secret(page).fill(admin.password);
  await secret(page).press('Enter');
  await expect(over(page).getByRole('alert').filter({ hasText: 'No connection.' })).toBeVisible();
  await page.unroute('**/authenticate-user');
  await expect(typed).toHaveValue(name);
  await secret(page).press('Enter');

  await expect(toast(page, `${name} was added.`)).toBeVisible();
  await expect(form).toBeHidden();
  await expect(page.getByRole('button', { name: 'Add board' })).toBeFocused();
  const [[key] = []] = sent;
  expect(key).toBeTruthy();
  expect(sent).toEqual([
    [key, 401],
    [key, 200],
  ]);
  expect(await school.sql(`select name from academic_board where name = '${name}'`)).toHaveLength(1);
});

test('A19 Staff sign in again with a code, and what was typed in the profile is sent', async ({ page, school }) => {
  const person = await school.person({ isStaff: true });
  await school.enter(page, person, { path: `/school-erp/staff/view-staff/${person.staffId}` });
  await page.getByRole('button', { name: 'Edit email address' }).click();
  const form = page.getByRole('dialog', { name: 'Edit email address' });
  await form.locator('[name=email]').fill(`new-${person.email}`);
  await endSession(school.sql, person);
  await form.getByRole('button', { name: 'Send code' }).click();

  await expect(over(page).getByRole('radio')).toHaveCount(2);
  await expect(over(page).getByRole('link', { name: 'Sign in with Google in another tab' })).toHaveAttribute(
    'target',
    '_blank',
  );
  await expect(over(page).getByRole('textbox', { name: 'Email address' })).toHaveValue(person.email);
  await over(page).getByRole('button', { name: 'Get OTP' }).click();
  await expect(box(page, 'OTP')).toBeFocused();
  await expectLooks(page);
  await box(page, 'OTP').fill(await codeFor(page, person.email));
  // On a slow machine the dialog, which has its own code box, closes only after the page's box appears.
  await page.evaluate(`window.addEventListener('close', (event) => {
    if (!event.isTrusted) return;
    event.stopImmediatePropagation();
    setTimeout(() => event.target.dispatchEvent(new Event('close')), 1000);
  }, true)`);
  await enter(page).click();
  await expect(over(page)).toBeHidden();
  await expect(form.getByRole('textbox', { name: 'Code' })).toBeFocused();
});

test('A19 reads, exports, imports and uploads that find the session ended go on once somebody signed in again', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  const name = `House ${Date.now() % 1e6}`;
  const isRead = listenToReads(page);
  await school.enter(page, admin, { path: boards });
  await expect(page.getByRole('button', { name: 'Add board' })).toBeVisible();
  const acts: Record<string, () => Promise<() => Promise<unknown>>> = {
    // The list and its options are requested together: one dialog serves both.
    read: async () => {
      await page.getByRole('link', { name: 'Houses' }).click();
      return () => expect(page.getByRole('button', { name: 'Add house' })).toBeVisible();
    },
    export: async () => {
      const file = page.waitForEvent('download');
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: /CSV/ }).click();
      return () => file;
    },
    import: async () => {
      await page.getByRole('button', { name: 'More' }).click();
      await page.getByRole('menuitem', { name: 'Import…' }).click();
      const file = { name: 'houses.csv', mimeType: 'text/csv', buffer: Buffer.from(`Name,Colour\n${name},Red\n`) };
      await page.getByLabel(/^Choose a/).setInputFiles(file);
      return async () => {
        await goToPreview(page.getByRole('dialog'));
        await page.getByRole('button', { name: 'Import 1 row' }).click();
        await expect(toast(page, '1 house imported.')).toBeVisible();
        await page.getByRole('dialog').getByRole('button', { name: 'Close', exact: true }).last().press('Enter');
      };
    },
    guard: async () => {
      await page.getByRole('button', { name: admin.name }).click();
      await page.getByRole('menuitem', { name: 'Profile' }).click();
      return () => expect(page.getByRole('heading', { level: 1, name: admin.name })).toBeVisible();
    },
    upload: async () => {
      await page.getByRole('button', { name: `Picture of ${admin.name}` }).click();
      await page.getByLabel('Choose a file').setInputFiles(picture);
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      return () => expect(toast(page, 'Saved.')).toBeVisible();
    },
  };
  for (const act of Object.values(acts)) {
    // A read that is still running would find the ended session before the act does.
    await isRead();
    await endSession(school.sql, admin);
    const isDone = await act();
    await expect(over(page)).toHaveCount(1);
    await signInAgain(page, admin);
    await isDone();
  }
});

test('A19 another person who signs in over a page gets one of their own, and nothing of the former one is sent', async ({
  page,
  school,
}) => {
  const [admin, other] = [await school.person({ isAdmin: true }), await school.person({ isAdmin: true })];
  const name = `Board ${Date.now() % 1e6}`;
  await school.enter(page, admin, { path: boards });
  const sent = listen(page, 'POST', '/api/academic/board');
  await page.getByRole('button', { name: 'Add board' }).click();
  await page.getByRole('dialog').locator('[name=name]').fill(name);
  await endSession(school.sql, admin);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await expect(over(page)).toContainText('If another person signs in, this page closes and your entries are lost.');
  await over(page).getByRole('textbox', { name: 'Username' }).fill(other.userName);
  await secret(page).fill(other.password);
  await enter(page).click();
  await expect(page).toHaveURL('/school-erp/dashboard');
  const words = page.getByRole('status').filter({ hasText: 'Their page was closed, and nothing they typed was sent.' });
  await expect(words).toBeVisible();
  await expect(page.getByRole('button', { name: other.name })).toBeVisible();
  expect(sent.map(([, status]) => status)).toEqual([401]);
  expect(await school.sql(`select name from academic_board where name = '${name}'`)).toEqual([]);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible();
  await expect(words).toBeHidden();
});

/** Types on a page that asks before leaving. Returns the dialogs that the browser shows from then on. */
async function typeGuarded(page: Page) {
  await page.goto('/school-erp/academic/organizational-master');
  await page.locator('main [name=name]').first().fill('Another name of the school');
  const asked: string[] = [];
  page.on('dialog', (dialog) => {
    asked.push(dialog.type());
    return dialog.accept();
  });
  return asked;
}

test('A19 after a sign-in in another tab this tab continues; after another person’s, it starts again', async ({
  page,
  context,
  school,
}) => {
  const [admin, other] = [await school.person({ isAdmin: true }), await school.person({ isAdmin: true })];
  await school.enter(page, admin, { path: boards });
  await page.getByRole('button', { name: 'Add board' }).click();
  const name = `Board ${Date.now() % 1e6}`;
  await page.getByRole('dialog').locator('[name=name]').fill(name);
  await endSession(school.sql, admin);
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(over(page).getByText('You are not signed in yet.')).toBeVisible();
  const tab = await context.newPage();
  await signInByPassword(tab, admin);
  await expect(tab).toHaveURL('/school-erp/dashboard');
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(toast(page, `${name} was added.`)).toBeVisible();
  await expect(over(page)).toBeHidden();

  const asked = await typeGuarded(page);
  await tab.getByRole('button', { name: admin.name }).click();
  await tab.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(tab).toHaveURL('/login');
  await signInByPassword(tab, other);
  await expect(page.getByText('Their page was closed, and nothing they typed was sent.')).toBeVisible();
  await expect(page.getByRole('button', { name: other.name })).toBeVisible();
  expect(asked).toEqual([]);
});

test('A19 a person who leaves instead is warned that the entries are lost, and comes to the sign-in page', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  await school.enter(page, admin, { path: boards });
  const asked = await typeGuarded(page);
  await endSession(school.sql, admin);
  await page.getByRole('button', { name: 'Save' }).first().click();
  await over(page).getByRole('button', { name: 'Leave this page' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without signing in?' });
  await question.getByRole('button', { name: 'Stay on this page' }).click();
  await expect(page.locator('main [name=name]').first()).toHaveValue('Another name of the school');
  await over(page).getByRole('button', { name: 'Leave this page' }).click();
  await question.getByRole('button', { name: 'Leave this page' }).click();
  await expect(page).toHaveURL('/login');
  expect(asked).toEqual([]);
});
