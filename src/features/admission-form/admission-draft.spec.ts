import type { Page } from '@playwright/test';
import { expectFocusSeen } from '#e2e/access.ts';
import { expect, expectEasyToHit, expectNoSidewaysScroll, expectPage, field, fill, stored, test } from '#e2e/school.ts';

/** The line that says where the draft is stored. */
const status = (page: Page) => page.locator('form > div:has(> div > [type=submit])').getByRole('status');
const welcome = (page: Page) => page.getByText('Welcome back. We filled in what you entered on');

test('B11 what was typed and not saved is there on another device, which says so at the top', async ({
  page,
  school,
  browser,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission3'));
  await fill(page, 'reasonsForAdmission', 'દાદીનું ઘર પાસે છે');
  await expect(status(page)).toHaveText(/^Saved \d\d:\d\d$/);

  const other = await (await browser.newContext({ viewport: { width: 360, height: 640 } })).newPage();
  await other.goto(new URL(family.at('/admission3'), page.url()).href);
  await expect(field(other, 'reasonsForAdmission')).toHaveValue('દાદીનું ઘર પાસે છે');
  await field(other, 'reasonsForAdmission').fill('દાદીનું ઘર');
  await expect(status(other)).toHaveText(/^Saved \d\d:\d\d$/);
  const scrolled = () => other.evaluate<number>('window.scrollY');
  const left = await scrolled();
  expect(left).toBeGreaterThan(500);
  await other.reload();
  // It stands at the top and lies over nothing.
  await expect(welcome(other)).toBeVisible();
  expect(await scrolled()).toBe(left);
  await expectEasyToHit(other);
  await expectNoSidewaysScroll(other);
  await other.context().close();
});

test('B12 I6 typed while the line is away stays on the phone, unreadable without the link, and is sent when it returns', async ({
  page,
  school,
  context,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission2'));
  await expectPage(page, family, '/admission2');
  await context.setOffline(true);
  await fill(page, 'childPersonalityAndHomeRoutine', 'markeroffline');
  await expect(status(page)).toHaveText('Not saved: no connection. Your answers are kept on this device.');
  await expect.poll(() => stored(page)).toContain('row ');
  expect(await stored(page)).not.toContain('markeroffline');
  expect(await stored(page)).not.toContain(family.value);

  await context.setOffline(false);
  await expect(status(page)).toHaveText(/^Saved \d\d:\d\d$/);
  await expect.poll(() => stored(page)).not.toContain('row ');
  await page.reload();
  await expect(field(page, 'childPersonalityAndHomeRoutine')).toHaveValue('markeroffline');
});

test('B12 what could not be sent before the tab was killed is sent by the next visit; an Aadhaar number is not kept', async ({
  page,
  school,
  context,
}) => {
  const family = await school.family();
  // Also blocks what a closing page sends, which a route of Playwright would let through.
  await page.addInitScript(`const send = window.fetch;
    window.fetch = (url, init) => (init?.method === 'PUT' ? Promise.reject(new TypeError('cut off')) : send(url, init));`);
  await page.goto(family.at('/admission'));
  await fill(page, 'caste', 'General');
  await fill(page, 'aadharCardNo', '2341 2341 2346');
  await expect(status(page)).toHaveText('Not saved: no connection. Your answers are kept on this device.');
  await expect.poll(() => stored(page)).toContain('row ');
  await page.close();

  const next = await context.newPage();
  await next.goto(family.at('/admission'));
  await expect(field(next, 'caste')).toHaveValue('General');
  await expect(field(next, 'aadharCardNo')).toHaveValue('');
  await expect(welcome(next)).toBeVisible();
  await expect(status(next)).toHaveText(/^Saved \d\d:\d\d$/);
});

/**
 * Requests a new link on the public page, as the other parent does on another phone, and opens the link of the newest
 * message.
 */
async function askForNewLink(other: Page, mobile: string) {
  await other.goto('/admission');
  await other.getByRole('textbox', { name: 'Mobile number or email address' }).fill(mobile);
  await other.getByRole('button', { name: 'Get a new link' }).click();
  await expect(other.getByText('we sent a new link to it')).toBeVisible();
  const outbox = await (await other.request.get('/dev/outbox')).text();
  const message = outbox.split('<article>').find((article) => article.includes(`to ${mobile},`)) ?? '';
  const [short = ''] = /\/a\/\w{10}/.exec(message) ?? [];
  const { location = '' } = (await other.request.get(short, { maxRedirects: 0 })).headers();
  return /inquiryNo=([0-9a-f]{32})/.exec(location)?.[1] ?? '';
}

test('W6 B12 a parent whose link is replaced while typing is told so, and finds everything typed under the new link', async ({
  page,
  school,
  context,
  browser,
  baseURL,
}) => {
  const motherMobile = '9825066601';
  const family = await school.family({ state: 'half filled', pages: 3, inquiry: { motherMobile } });
  await page.goto(family.at('/admission2'));
  await fill(page, 'childPersonalityAndHomeRoutine', 'Sent before');
  await expect(status(page)).toHaveText(/^Saved/);

  const otherPhone = await browser.newContext({ baseURL });
  const other = await otherPhone.newPage();
  const link = await askForNewLink(other, motherMobile);
  expect(link).not.toBe(family.value);
  // The earlier link works until the new one is opened.
  await other.goto(`/admission2?inquiryNo=${link}`);
  await expect(field(other, 'childPersonalityAndHomeRoutine')).toHaveValue('Sent before');
  await otherPhone.close();

  await fill(page, 'childPersonalityAndHomeRoutine', 'markerreplaced');
  await expect(status(page)).toContainText(
    'Not saved: this link no longer works. Your answers are kept on this device.',
  );
  await expect(status(page).getByRole('link', { name: 'Get a new link' })).toHaveAttribute('href', '/admission');
  await expectEasyToHit(page);
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: 'Save and Next' }).click();
  await expect(page.getByRole('alert')).toContainText('Your answers are kept on this device.');
  await expect(field(page, 'childPersonalityAndHomeRoutine')).toHaveValue('markerreplaced');
  expect(await stored(page)).toContain('row ');
  expect(await stored(page)).not.toMatch(new RegExp(`markerreplaced|${link}|${family.value}`));

  const next = await context.newPage();
  await next.goto(`/admission2?inquiryNo=${link}`);
  await expect(field(next, 'childPersonalityAndHomeRoutine')).toHaveValue('markerreplaced');
  await expect(welcome(next)).toBeVisible();
  await expect(status(next)).toHaveText(/^Saved/);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link no longer works');
});

test('B14 B33 two tabs: the one that knows less is told and chooses, in a bar that covers nothing that has the focus', async ({
  page,
  school,
  context,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission3'));
  const other = await context.newPage();
  await other.setViewportSize({ width: 360, height: 640 });
  await other.goto(family.at('/admission3'));
  await expectPage(other, family, '/admission3');
  await fill(page, 'reasonsForAdmission', 'Written first');
  await expect(status(page)).toHaveText(/^Saved/);
  await fill(other, 'reasonsForAdmission', 'Written second');
  await expect(status(other)).toContainText(/This page was changed on another device at \d\d:\d\d\./);
  const draft = `select number from admission_draft where inquiry_id = ${family.id}`;
  expect(await school.sql(draft)).toEqual([{ number: 1 }]);
  await expectFocusSeen(other);
  await expectEasyToHit(other);

  await other.getByRole('button', { name: 'Keep my version' }).click();
  await expect(status(other)).toHaveText(/^Saved/);
  await fill(page, 'reasonsForAdmission', 'Written third');
  await expect(status(page)).toContainText('This page was changed on another device');
  await page.getByRole('button', { name: 'Show the saved version' }).click();
  await expect(field(page, 'reasonsForAdmission')).toHaveValue('Written second');
});
