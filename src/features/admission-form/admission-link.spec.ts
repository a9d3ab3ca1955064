import type { ConsoleMessage, Page, Request } from '@playwright/test';
import { attach, expect, expectPage, type Family, saveAndNext, summary, test } from '#e2e/school.ts';

const paths = ['/admission', '/admission1', '/admission2', '/admission3', '/admission4'];

test('S014 an unknown path leads to the sign-in page', async ({ page }) => {
  for (const path of ['/', '/nowhere', '/admission9', '/school-erp/nowhere']) {
    await page.goto(path);
    await expect(page).toHaveURL('/login');
    await expect(page).toHaveTitle('Sign In | School ERP System');
    await expect(page.getByRole('heading', { level: 1, name: 'Sign In' })).toBeVisible();
  }
});

test('S002 the browser’s Back leads through the steps with the link in each address', async ({ page, school }) => {
  const family = await school.family({ state: 'half filled', pages: 4 });
  await page.goto(family.at('/admission'));
  await saveAndNext(page);
  await expectPage(page, family, '/admission1');
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Contacts' }).click();
  await expectPage(page, family, '/admission3');
  await page.goBack();
  await expectPage(page, family, '/admission1');
  await page.goBack();
  await expectPage(page, family, '/admission');
});

/** Opens all five pages, submits each once with mistakes, and chooses, views and removes a file. */
async function walkEverywhere(page: Page, family: Family) {
  for (const path of paths) {
    await page.goto(family.at(path));
    await expectPage(page, family, path);
  }
  await page.getByRole('button', { name: 'Submit Form' }).click();
  await expect(summary(page)).toBeFocused();
  const opened = page.waitForEvent('popup');
  await page.getByRole('link', { name: 'View Birth Certificate, opens in a new tab' }).click();
  const view = await opened;
  await expect(view.getByRole('img')).toBeVisible();
  await page.getByRole('button', { name: 'Remove Birth Certificate' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();

  await page.goto(family.at('/admission'));
  await attach(page, 'admissionStudentImageIFormFile');
  const preview = page.getByRole('img', { name: 'Child Photo, preview' });
  await expect.poll(() => preview.evaluate(({ naturalWidth }) => naturalWidth)).toBe(1);
  await page.getByRole('checkbox', { name: 'Same as present address' }).uncheck();
  await saveAndNext(page);
  await expect(summary(page)).toBeFocused();
  await page.getByRole('checkbox', { name: 'Same as present address' }).check();
  await saveAndNext(page);
  await expectPage(page, family, '/admission1');
}

test('C6 E1 the link is in no Referer, nothing is asked of another host, and no page violates the content security policy', async ({
  page,
  context,
  school,
}) => {
  const family = await school.family({ state: 'ready to submit' });
  const requests: Request[] = [];
  context.on('request', (request) => requests.push(request));
  const violations: string[] = [];
  const listen = (message: ConsoleMessage) => {
    if (/Content.Security.Policy|^Violation:/i.test(message.text())) violations.push(message.text());
  };
  page.on('console', listen);
  await page.addInitScript(`document.addEventListener('securitypolicyviolation', (event) =>
    console.error('Violation: ' + event.violatedDirective + ' ' + event.blockedURI));`);
  await walkEverywhere(page, family);
  await page.goto('/login');
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible();

  const network = requests.filter((request) => !/^(blob|data):/.test(request.url()));
  expect(network.length).toBeGreaterThan(30);
  const host = new URL(page.url()).host;
  for (const request of network) {
    expect(new URL(request.url()).host).toBe(host);
    const { referer = '' } = await request.allHeaders();
    expect(referer).not.toContain(family.value);
  }
  expect(violations).toEqual([]);

  // The policy is set, and a violation would have been reported.
  await page.evaluate(
    `document.body.append(Object.assign(new Image(), { src: 'https://elsewhere.example/pixel.png' }))`,
  );
  await expect.poll(() => violations.length).toBeGreaterThan(0);
});
