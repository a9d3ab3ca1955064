import type { Page } from '@playwright/test';
import { openIn, otherPages, paths } from '#e2e/access.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, field, fill, test } from '#e2e/school.ts';

const scripts = { gu: { name: 'ગુજરાતી', script: 'Gujarati' }, hi: { name: 'हिन्दी', script: 'Devanagari' } } as const;

/** Lines whose box is too low for the marks above and below their letters; headings and buttons rarely have a second line. */
const lowLines = (script: string) => `[...document.querySelectorAll('body *')]
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && /\\p{Script=${script}}/u.test(node.data)))
  .flatMap((element) => {
    const { lineHeight, fontSize } = getComputedStyle(element);
    const ratio = parseFloat(lineHeight) / parseFloat(fontSize);
    const least = element.closest('h1, h2, h3, h4, button, header, nav') ? 1.4 : 1.55;
    return ratio < least - 0.001 ? [ratio.toFixed(2) + ' ' + element.tagName + '.' + element.className + ' ' + element.textContent.slice(0, 40)] : [];
  })`;

async function expectReadableIn(page: Page, language: keyof typeof scripts) {
  const { name, script } = scripts[language];
  await page.getByRole('link', { name, exact: true }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', language);
  await expectNoSidewaysScroll(page);
  expect(await page.evaluate<string[]>(lowLines(script)), name).toEqual([]);
  await expectAccessible(page);
}

for (const [index, path] of paths.entries())
  test(`LG16 page ${index + 1} with every error fits 320 px in Gujarati and Hindi, with room for every mark`, async ({
    page,
    school,
  }) => {
    await openIn(page, school, path, 'errors');
    for (const language of ['gu', 'hi'] as const) await expectReadableIn(page, language);
  });

test('LG16 the pages around the form fit 320 px in Gujarati and Hindi, with room for every mark', async ({
  page,
  school,
}) => {
  test.slow();
  for (const open of Object.values(otherPages)) {
    await page.context().clearCookies();
    await open(page, school);
    for (const language of ['gu', 'hi'] as const) await expectReadableIn(page, language);
  }
});

test('LG19 after a release, a Gujarati form whose next page is missing reloads in Gujarati and keeps what was typed', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission'));
  await page.getByRole('link', { name: scripts.gu.name, exact: true }).click();
  const html = page.locator('html');
  await expect(html).toHaveAttribute('lang', 'gu');
  let missing = 0;
  await page.route('**/assets/ParentInfoPage-*.js', (route) => {
    missing += 1;
    return missing === 1 ? route.fulfill({ status: 404 }) : route.continue();
  });
  await fill(page, 'caste', 'વણિક');
  const step = (name: string) => page.locator('nav ol').getByRole('link', { name });
  const loaded = page.waitForEvent('load');
  await step('પરિવાર').click();
  await loaded;
  await expect(field(page, 'fatherHobbies')).toBeVisible();
  await expect(html).toHaveAttribute('lang', 'gu');
  await expect(page).toHaveTitle(/^પરિવાર/);
  await step('બાળક').click();
  await expect(field(page, 'caste')).toHaveValue('વણિક');
  await expect(html).toHaveAttribute('lang', 'gu');
  expect(missing).toBe(2);
});

const press = (words: string) => async (page: Page) => {
  const button = page.getByText(words).first();
  await button.evaluate((element) => {
    const fold = element.closest('details');
    if (fold && !element.closest('summary')) fold.open = true;
  });
  await button.click();
};
for (const [name, state, file, open, seen] of [
  ['the consent', 'consent needed', 'ConsentPage', undefined, 'આપની સંમતિ'],
  ['the withdrawal', 'untouched', 'WithdrawConsent', press('આપની સંમતિ'), 'સંમતિ પાછી ખેંચો'],
  ['what a family tells the school', 'untouched', 'TellSchoolDialog', press('શાળાને જણાવો'), 'શાળાને મોકલો'],
] as const)
  test(`LG19 after a release, ${name} whose file is missing is shown once the Gujarati page has reloaded`, async ({
    page,
    school,
  }) => {
    const family = await school.family({ state });
    await page.context().addCookies([{ name: 'language', value: 'gu', domain: '127.0.0.1', path: '/' }]);
    let missing = 0;
    await page.route(`**/assets/${file}-*.js`, (route) => {
      missing += 1;
      return missing === 1 ? route.fulfill({ status: 404 }) : route.continue();
    });
    await page.goto(family.at('/admission'));
    const loaded = open && page.waitForEvent('load');
    await open?.(page);
    await loaded;
    await expect(page.locator('html')).toHaveAttribute('lang', 'gu');
    await open?.(page);
    await expect(page.getByText(seen, { exact: true }).last()).toBeVisible();
    expect(missing).toBe(2);
  });

test('a part of a page whose file does not come for want of a connection is shown on the next try', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'consent needed' });
  const away = ['**/assets/ConsentPage-*.js', '**/healthz'];
  for (const path of away) await page.route(path, (route) => route.abort());
  await page.goto(family.at('/admission'));
  await expect(page.getByText('No connection. Your answers are still here. Try again.')).toBeVisible();
  for (const path of away) await page.unroute(path);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect(page.getByRole('button', { name: 'I do not agree' })).toBeVisible();
});
