import type { Page } from '@playwright/test';
import { grantedSets } from '#access/contract/grants.ts';
import { chooseByTyping } from '#e2e/by-keyboard.ts';
import {
  expect,
  expectAccessible,
  expectFitsEveryone,
  expectNoSidewaysScroll,
  picture,
  test,
  toast,
} from '#e2e/school.ts';
import { box, codeFor, signInByEmail, signInByPassword } from '#e2e/sign-in.ts';
import { teach } from '#testing/teachers.ts';

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name });

/** The newest message to an address, as the outbox shows it. */
async function messageTo(page: Page, address: string): Promise<string> {
  const shown = await (await page.request.get('/dev/outbox')).text();
  return shown.split('<article>').find((message) => message.includes(` to ${address},`)) ?? '';
}

test('A17 a forgotten password is replaced by the link that was sent, and the new one signs in', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  await page.goto('/login');
  await page.getByRole('link', { name: 'Forgot your password?' }).click();
  await expect(heading(page, 'Choose a new password')).toBeVisible();
  await box(page, 'Email address').fill(admin.email);
  await page.getByRole('button', { name: 'Send link' }).click();
  await expect(page.getByText('we sent a link to it')).toBeVisible();

  const [link = ''] = /http[^ <"]+reset-password[^ <"]+/.exec(await messageTo(page, admin.email)) ?? [];
  const { pathname, search } = new URL(link);
  await page.goto(pathname + search);
  await box(page, 'New password').fill('password1');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('This password is too common.').first()).toBeVisible();
  await expectFitsEveryone(page);
  await box(page, 'New password').fill('Neem-Window-17');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('Password changed.')).toBeVisible();
  await page.goto(pathname + search);
  await box(page, 'New password').fill('Palm-Window-18');
  await page.getByRole('button', { name: 'Save password' }).click();
  await expect(page.getByText('This link was used or has expired.').first()).toBeVisible();

  await signInByPassword(page, { ...admin, password: 'Neem-Window-17' });
  await expect(page).toHaveURL('/school-erp/dashboard');
});

test('A16 A24 an Admin approves a request after confirming the password, and the person signs in with a code', async ({
  page,
  school,
  browser,
}) => {
  const admin = await school.person({ isAdmin: true });
  const name = `Rekha ${Date.now()}`;
  const email = `rekha${Date.now()}@school.example`;
  await page.goto('/sign-up');
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByRole('alert', { name: 'There is a problem' })).toContainText('Name is required.');
  await box(page, 'Name').fill(name);
  await box(page, 'Email address').fill(email);
  await box(page, 'Mobile number').fill(String(7_000_000_000 + (Date.now() % 1e9)));
  await box(page, 'Reason').fill('I teach in Grade 3.');
  await page.getByRole('button', { name: 'Send request' }).click();
  await expect(page.getByText('Request sent.')).toBeVisible();

  await school.enter(page, admin);
  await school.sql(
    `update sign_in_session set confirmed_at = now() - interval '11 minutes' where account_id = ${admin.id}`,
  );
  await page.getByRole('button', { name: admin.name }).click();
  await page.getByRole('menuitem', { name: 'Accounts' }).click();
  await expect(heading(page, 'Accounts')).toBeFocused();
  await page.getByRole('button', { name: `Approve ${name}` }).click();
  const form = page.getByRole('dialog', { name: `Approve ${name}` });
  await form.getByRole('checkbox', { name: 'Office', exact: true }).check();
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Add account' }).click();
  const proof = page.getByRole('dialog', { name: 'Confirm that it is you' });
  await proof.getByLabel('Password').fill('Wrong-Bridge-48');
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof.getByText('This is not your password.')).toBeVisible();
  await proof.getByLabel('Password').fill(admin.password);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(form).toBeHidden();
  await expect(page.getByRole('button', { name: `Approve ${name}` })).toBeHidden();
  await expect(heading(page, 'Accounts')).toBeFocused();

  const own = await browser.newPage();
  await signInByEmail(own, { ...admin, email, name });
  await expect(own.getByRole('button', { name })).toContainText('Staff');
  await own.close();
});

test('A21 an Admin closes an account, and whoever uses it is out at the next step', async ({
  page,
  school,
  browser,
}) => {
  const [admin, person] = [await school.person({ isAdmin: true }), await school.person({ isStaff: true })];
  const own = await browser.newPage();
  await school.enter(own, person);
  await school.enter(page, admin, { path: '/school-erp/sign-in/account' });
  await page.getByRole('searchbox', { name: 'Search accounts' }).fill(person.email);
  await expect(page.getByText('1 account')).toBeVisible();
  await expect(page).toHaveURL(/search=/);
  await page.getByRole('button', { name: `Edit ${person.name}` }).click();
  await page.getByRole('checkbox', { name: 'Can sign in' }).uncheck();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('cell', { name: 'Inactive' })).toBeVisible();
  await own.reload();
  await expect(own).toHaveURL('/login');
  await own.close();
});

test('A22 an Admin sees a person’s devices, and signs out one of them', async ({ page, school, browser }) => {
  const [admin, person] = [await school.person({ isAdmin: true }), await school.person({ isStaff: true })];
  const own = await browser.newPage();
  await school.enter(own, person);
  await school.sql(`insert into sign_in_session (id, account_id, role, method, device, address, seen_at) values
    (sha256('${person.email}'), ${person.id}, 'Staff', 'Mobile', 'Mozilla (Windows) Firefox/130.0', '10.0.0.8', now() - interval '3 minutes')`);
  await school.enter(page, admin, { path: `/school-erp/sign-in/account?search=${person.email}` });
  await page.getByRole('button', { name: `Edit ${person.name}` }).click();
  const dialog = page.getByRole('dialog', { name: `Edit ${person.name}` });
  const sessions = dialog.getByRole('listitem').filter({ hasText: 'Last used' });
  await expect(sessions).toHaveCount(2);
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  await dialog.getByRole('button', { name: 'Sign out Firefox, Windows' }).click();
  await expect(sessions).toHaveCount(1);
  await expect(sessions).toContainText('Chrome');
  await own.reload();
  await expect(own.getByRole('button', { name: person.name })).toBeVisible();
  await own.close();
});

test('P2.2 a person sees their own page, gives it a picture that the header shows, and ends another session', async ({
  page,
  school,
  browser,
}) => {
  const person = await school.person({ isStaff: true, sets: ['office'] });
  const phone = await browser.newPage();
  await school.enter(phone, person);
  await school.enter(page, person);
  await page.getByRole('button', { name: person.name }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await expect(heading(page, person.name)).toBeFocused();
  await expect(page.getByText(person.email)).toBeVisible();
  await page.getByLabel('Choose a file').setInputFiles(picture);
  await page.getByRole('button', { name: 'Save picture' }).click();
  await expect(toast(page, 'Saved.')).toBeVisible();
  await expect(page.getByRole('banner').locator('button img')).toBeVisible();

  await page.getByRole('button', { name: /^Sign out Chrome/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page.getByRole('button', { name: /^Sign out Chrome/ })).toBeHidden();
  await phone.reload();
  await expect(phone).toHaveURL('/login');
  await phone.close();
});

test('a person changes their email address with the code that goes to the new one, by keyboard, and signs in with it', async ({
  page,
  school,
}) => {
  const person = await school.person({ isStaff: true });
  const email = `new-${person.email}`;
  await school.enter(page, person, { path: `/school-erp/staff/view-staff/${person.staffId}` });
  await page.getByRole('button', { name: 'Edit email address' }).focus();
  await page.keyboard.press('Enter');
  await expect(box(page, 'New email address')).toBeFocused();
  await page.keyboard.type('nobody');
  await page.keyboard.press('Enter');
  await expect(page.getByText('New email address is not valid.').first()).toBeVisible();
  await box(page, 'New email address').fill(email);
  await page.keyboard.press('Enter');
  await expect(box(page, 'Code')).toBeFocused();
  await page.keyboard.type('AAAAA');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Invalid OTP.').first()).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 320, height: 640 });
  await expectNoSidewaysScroll(page);
  await box(page, 'Code').fill(await codeFor(page, email));
  await page.keyboard.press('Enter');
  await expect(toast(page, 'Saved.')).toBeVisible();
  await expect(page.getByText(email)).toBeVisible();
  expect(await messageTo(page, person.email)).toContain('Your email address was changed');

  await page.context().clearCookies();
  await signInByEmail(page, { ...person, email });
});

test('W7 an Admin who signed in with a code must sign in with the password to change their contacts', async ({
  page,
  school,
}) => {
  const person = await school.person({ isStaff: true, isAdmin: true });
  const path = `/school-erp/staff/view-staff/${person.staffId}`;
  await school.enter(page, person, { path, role: 'Staff' });
  // The email address, the mobile number and the password.
  await expect(page.getByText('Sign in with your password to change this.')).toHaveCount(3);
  await expect(page.getByRole('button', { name: 'Edit email address' })).toBeHidden();
  await expectNoSidewaysScroll(page);

  await page.context().clearCookies();
  await school.enter(page, person, { path });
  await page.getByRole('button', { name: 'Edit email address' }).click();
  await expect(box(page, 'New email address')).toBeFocused();
});

test('A24 more than ten minutes after signing in, a person proves who they are before changing contacts', async ({
  page,
  school,
}) => {
  const [person, admin] = [await school.person({ isStaff: true }), await school.person({ isAdmin: true })];
  const later = () =>
    school.sql(`update sign_in_session set confirmed_at = now() - interval '11 minutes'
    where account_id in (${person.id}, ${admin.id})`);
  await school.enter(page, person, { path: `/school-erp/staff/view-staff/${person.staffId}` });
  await later();
  await page.getByRole('button', { name: 'Edit mobile number' }).click();
  await box(page, 'New mobile number').fill('7000012345');
  await page.getByRole('button', { name: 'Send code' }).click();
  await expect(page.getByRole('dialog', { name: 'Confirm that it is you' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(box(page, 'New mobile number')).toHaveValue('7000012345');

  await page.context().clearCookies();
  await school.enter(page, admin, { path: `/school-erp/staff/view-staff/${admin.staffId}` });
  await later();
  await page.getByRole('button', { name: 'Edit mobile number' }).click();
  await box(page, 'New mobile number').fill('7000012346');
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByRole('textbox', { name: 'Password', exact: true }).fill(admin.password);
  await page.keyboard.press('Enter');
  await expect(box(page, 'Code')).toBeVisible();
});

test('of a colleague there is a card, and of nobody the same words as of somebody who is gone', async ({
  page,
  school,
}) => {
  const [person, colleague] = [await school.person({ isStaff: true }), await school.person({ isStaff: true })];
  await school.enter(page, person, { path: `/school-erp/staff/view-staff/${colleague.staffId}` });
  await expect(heading(page, colleague.name)).toBeVisible();
  await expect(page.getByText(colleague.email)).toBeVisible();
  await expect(page.getByText(colleague.mobile)).toBeHidden();
  await page.goto('/school-erp/staff/view-staff/999999');
  await expect(heading(page, 'Page not found')).toBeVisible();
});

test('H4 an Admin reads the audit log, also of one record, verifies it and exports it', async ({ page, school }) => {
  const [admin, person] = [await school.person({ isAdmin: true }), await school.person({ isStaff: true })];
  await school.enter(page, person);
  await page.context().clearCookies();
  await school.enter(page, admin, { path: '/school-erp/audit' });
  await expect(heading(page, 'Audit log')).toBeVisible();
  await expect(page.getByRole('cell', { name: 'Signed in' }).first()).toBeVisible();
  await chooseByTyping(page.getByRole('combobox', { name: 'User', exact: true }), person.name);
  await expect(page).toHaveURL(/staffId=/);
  await expect(page.getByRole('cell', { name: person.name }).first()).toBeVisible();
  await page
    .getByRole('button', { name: `Show all entries of Account: ${person.name}` })
    .first()
    .click();
  await expect(page.getByRole('cell', { name: 'Created', exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Verify log' }).click();
  await expect(page.getByRole('status').getByText(/^All [0-9,]+ entries are unchanged/)).toBeVisible();
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export' }).click();
  expect((await saved).suggestedFilename()).toBe('audit.csv');
});

test('sets have names: where they are given, in the list, and on the page of who holds them', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  const person = await school.person({ isStaff: true, sets: ['admissionHead'] });
  await teach(school, person);
  await school.enter(page, admin, { path: `/school-erp/sign-in/account?search=${person.email}` });
  await expect(page.getByRole('cell', { name: 'Admission head, Class teacher' })).toBeVisible();
  await page.getByRole('button', { name: `Edit ${person.name}` }).click();
  const set = page.getByRole('checkbox', { name: 'Finance approver', exact: true });
  await expect(set).toHaveAccessibleDescription(/^Approves concessions/);
  await set.check();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('link', { name: person.name }).click();
  await expect(heading(page, person.name)).toBeFocused();
  await page.getByRole('link', { name: 'Account', exact: true }).click();
  await expect(page.getByText('Finance approver')).toBeVisible();
});

/** The parts of an address in the list that wrap onto a second line. */
const brokenWords = `[...document.querySelectorAll('main td, main th')].flatMap((cell) => {
  const words = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const broken = [];
  while (words.nextNode()) {
    for (const { 0: word, index } of words.currentNode.data.matchAll(/[^ ]+/g)) {
      const range = document.createRange();
      range.setStart(words.currentNode, index);
      range.setEnd(words.currentNode, index + word.length);
      if (range.getClientRects().length > 1) broken.push(word);
    }
  }
  return broken;
})`;

/** Heads of columns that are wider than their column. */
const cutHeads = `[...document.querySelectorAll('.list th')]
  .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
  .map(({ textContent }) => textContent)`;

test('accounts and requests break no word, and addresses only at @ and dots, on a phone, a tablet and a desk', async ({
  page,
  school,
}) => {
  const mark = `list${Date.now()}`;
  const persons = [
    { isStaff: true, email: `balasubramanian.venkatanarasimha@${mark}.sunrise-school.example`, sets: grantedSets },
    { isStaff: true, name: `${mark} Maharajkumari Balasubrahmanyam Krishnamoorthy Chattopadhyay`, sets: [] },
    { isStaff: true, name: `${mark} Asha`, email: null, isAdmin: true },
  ];
  for (const person of persons) await school.person(person);
  await school.sql(`insert into sign_in_request (name, email, mobile, reason)
    values ('${mark} Jignesh', 'jignesh.shah-mehta@family_school-of-surat.example', '7000012345', 'I teach.')`);
  await school.enter(page, await school.person({ isAdmin: true, name: `${mark} Admin` }), {
    path: `/school-erp/sign-in/account?search=${mark}`,
  });
  await expect(page.getByText('4 accounts')).toBeVisible();
  await expect(page.getByText('No email address')).toBeVisible();
  for (const width of [360, 768, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate('document.documentElement.scrollWidth'), `at ${width} px`).toBe(width);
    expect(await page.evaluate(brokenWords), `at ${width} px`).toEqual([]);
    if (width >= 768) expect(await page.evaluate(cutHeads), `at ${width} px`).toEqual([]);
  }
  await expectNoSidewaysScroll(page);
  await school.sql(`delete from sign_in_request where name = '${mark} Jignesh'`);
});

test('on a phone the filters of the audit stand behind a button that says how many are set', async ({
  page,
  school,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await school.enter(page, await school.person({ isAdmin: true }), { path: '/school-erp/audit' });
  const filters = page.getByRole('button', { name: /^Filters/ });
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(box(page, 'From')).toBeHidden();
  await filters.click();
  await expectAccessible(page);
  await page.getByRole('combobox', { name: 'Action' }).selectOption('Signed in');
  await page.getByRole('combobox', { name: 'Result' }).selectOption('Done');
  await expect(filters).toHaveText('Filters: 2 set');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(filters).toHaveText('Filters');
  await expect(page).toHaveURL('/school-erp/audit');
  await expectNoSidewaysScroll(page);
});

test('what is wrong on a page of the shell is listed where the header does not cover it', async ({ page, school }) => {
  const person = await school.person({ isStaff: true });
  await page.setViewportSize({ width: 360, height: 500 });
  await school.enter(page, person, { path: `/school-erp/staff/view-staff/${person.staffId}` });
  await page.getByRole('button', { name: 'Save picture' }).click();
  const listed = page.getByRole('alert', { name: 'There is a problem' });
  await expect(listed).toBeFocused();
  expect((await listed.boundingBox())?.y).toBeGreaterThanOrEqual(48);
});
