import type { Page } from '@playwright/test';
import { grantedSets } from '#access/contract/grants.ts';
import {
  expect,
  expectAccessible,
  expectFitsEveryone,
  expectNoSidewaysScroll,
  picture,
  test,
  toast,
} from '#e2e/school.ts';
import { box, signInByEmail, signInByPassword } from '#e2e/sign-in.ts';

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
  await page.getByRole('button', { name: `Picture of ${person.name}` }).click();
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(page.getByRole('dialog')).toContainText('Choose a file.');
  await page.getByLabel('Choose a file').setInputFiles(picture);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect(toast(page, 'Saved.')).toBeVisible();
  await expect(page.getByRole('button', { name: `Picture of ${person.name}` })).toBeFocused();
  await expect(page.getByRole('banner').locator('button img')).toBeVisible();

  await page.getByRole('button', { name: /^Sign out Chrome/ }).click();
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect(page.getByRole('button', { name: /^Sign out Chrome/ })).toBeHidden();
  await phone.reload();
  await expect(phone).toHaveURL('/login');
  await phone.close();
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
