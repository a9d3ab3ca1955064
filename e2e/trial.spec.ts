import { runInNewContext } from 'node:vm';
import type { Page, Response } from '@playwright/test';
import { features } from '../src/app/features.server.ts';
import { dashboardPage } from '../src/app/menu.ts';
import { formPaths } from '../src/features/admission-form/contract/pages.ts';
import { isText } from '../src/kit/contract/text.ts';
import { type Catalogue, inTrial, outsideBrackets, readTexts } from '../testing/trial.ts';
import { expect, expectNothingTooWide, listenToReads, test } from './school.ts';

const texts = await readTexts();

/** The words of the answers that arrived so far. A page may show an answer before its body is read here. */
type Entered = () => Promise<ReadonlySet<string>>;

/**
 * Shows the pages in the trial language by replacing their catalogues. Collects the server's answers: only words that a
 * person entered may be outside brackets.
 */
async function openTrial(page: Page): Promise<Entered> {
  const entered = new Set<string>();
  const reads: Promise<void>[] = [];
  const collect = (value: unknown): void => {
    if (typeof value === 'boolean') entered.add(String(value));
    if (typeof value === 'string' && !(value in texts)) entered.add(value);
    if (typeof value !== 'object' || !value || isText(value)) return;
    for (const [name, part] of Object.entries(value)) {
      // A name may be that of an option, and the details of an audit entry hold codes.
      if (/name$/i.test(name) && typeof part === 'string') entered.add(part);
      else if (name === 'details') for (const words of Object.entries(part ?? {}).flat()) entered.add(String(words));
      else if (name !== 'message' && name !== 'errors') collect(part);
    }
  };
  await page.route(/\/assets\/.*\.js$/, async (route) => {
    const answer = await route.fetch();
    // A page that is left meanwhile needs no script.
    const original = await answer.text().catch(() => '');
    const script = original.replace(/JSON\.parse\((`\{"[^`]{6}":\[(?:[^`\\]|\\.)*`)\)/g, (_, literal) => {
      const messages = JSON.parse(runInNewContext(literal)) as Catalogue;
      return `JSON.parse(${JSON.stringify(JSON.stringify(inTrial({ ...texts, ...messages })))})`;
    });
    await route.fulfill({ response: answer, body: script });
  });
  const read = async (response: Response) => {
    if (response.headers()['content-type']?.includes('json')) collect(await response.json().catch(() => undefined));
    else if (response.request().resourceType() === 'document') {
      const [, configuration] = /app-configuration[^>]*>([^<]*)</.exec(await response.text().catch(() => '')) ?? [];
      if (configuration) collect(JSON.parse(configuration));
    }
  };
  page.on('response', (response) => reads.push(read(response)));
  return async () => {
    await Promise.all(reads);
    return entered;
  };
}

const shown = `(() => {
  const parts = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = texts.nextNode()); )
    if (!node.parentElement.closest('script, style, noscript, textarea')) parts.push(node.data);
  const labels = [...document.querySelectorAll('body *')].flatMap((element) =>
    ['aria-label', 'placeholder', 'title', 'alt', 'data-head'].map((name) => element.getAttribute(name) ?? ''));
  // The specification fixes one title.
  const title = document.title.replace('Sign In | School ERP System', '');
  return { parts, labels: [...labels, title] };
})()`;

/** What a browser writes: dates, months, weekdays, times, the names of keys, devices and operations; and the example of a number. */
const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|[A-Z][a-z]+(?= 20\\d\\d)';
const written = new RegExp(
  [
    `\\b(\\d{1,2} )?(${months})( \\d{4})?\\b`,
    '\\b(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?\\b',
    '\\d+(:\\d\\d)? [ap]m\\b',
    '^Ctrl K$|^Chrome, Linux$|^INQ/[\\d/-]+$|^EMP\\d+$',
    // The operation of a refused request, in the audit log.
    '^(GET|POST|PUT|DELETE) /[\\w/:-]+$',
  ].join('|'),
  'gi',
);

/** Each word on the page is in the trial language or was entered by a person, and the page fits a phone's width. */
async function expectTrial(page: Page, entered: Entered) {
  const { parts, labels } = await page.evaluate<{ parts: string[]; labels: string[] }>(shown);
  expect(parts.join(' ')).toContain('«');
  const all = [...outsideBrackets(parts), ...labels.flatMap((label) => outsideBrackets([label]))];
  // A page may join what was entered with commas and spaces.
  const wordsOf = (value: string) => value.split(/[,|@.\s]+/);
  const known = new Set([...(await entered())].flatMap(wordsOf));
  const isEntered = (rest: string) => wordsOf(rest).every((word) => known.has(word) || !/\p{L}.*\p{L}/u.test(word));
  const left = all.map((rest) => rest.replaceAll(written, '').trim()).filter((rest) => /\p{L}/u.test(rest));
  expect([...new Set(left.filter((rest) => !isEntered(rest)))]).toEqual([]);
  await expectNothingTooWide(page);
}

test.use({ viewport: { width: 360, height: 740 } });

// A script that is still on its way when a test ends is not waited for.
test.afterEach(({ page }) => page.unrouteAll({ behavior: 'ignoreErrors' }));

const pages = [dashboardPage, ...features.flatMap((feature) => feature.pages)];
const submit = (page: Page) => page.locator('main form button[type="submit"]:visible').last().click();

for (const { path, title } of pages.filter(({ path }) => path.startsWith('/')))
  test(`${title.id}, ${path}: is whole in the trial language and fits a phone, with its form refused`, async ({
    page,
  }) => {
    const entered = await openTrial(page);
    await page.goto(path);
    await expect(page.locator('h1').first()).toContainText('«');
    await expectTrial(page, entered);
    // The sign-in button waits for both fields.
    if ((await page.locator('main form button[type="submit"]:enabled').count()) === 0) return;
    await submit(page);
    await expectTrial(page, entered);
  });

for (const { path, title } of pages.filter(({ path }) => !path.startsWith('/')))
  test(`${title.id}, ${path}: is whole in the trial language and fits a phone, each part of it, with its form refused`, async ({
    page,
    school,
  }) => {
    test.slow();
    const entered = await openTrial(page);
    const person = await school.person({ isAdmin: true, isStaff: true });
    const isRead = listenToReads(page);
    await school.enter(page, person, { path: `/school-erp/${path.replace(/\$\w+/, String(person.staffId))}` });
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    const parts = page.locator('main nav').getByRole('link');
    for (let part = 0; part < Math.max(await parts.count(), 1); part++) {
      if (part > 0) {
        await parts.nth(part).click();
        await expect(parts.nth(part)).toHaveAttribute('aria-current', 'page');
      }
      await isRead();
      await expectTrial(page, entered);
      const add = page.getByRole('button', { name: /^«Aadd / });
      if ((await add.count()) === 0) continue;
      await add.first().click();
      await page.getByRole('dialog').locator('button[type="submit"]').first().click();
      await expect(page.getByRole('dialog').getByRole('alert').first()).toBeVisible();
      await expectTrial(page, entered);
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
  });

for (const [state, path] of [
  ...formPaths.map((path) => ['untouched', path] as const),
  ['half filled', '/admission'],
  ['ready to submit', '/admission4'],
  ['submitted', '/admission4'],
  ['consent needed', '/admission'],
  ['expired', '/admission'],
] as const)
  test(`the form, ${state}, at ${path}: is whole in the trial language and fits a phone, with its answers refused`, async ({
    page,
    school,
  }) => {
    const entered = await openTrial(page);
    const family = await school.family({ state });
    await page.goto(family.at(path));
    await expect(page.locator('h1').first()).toContainText('«');
    await expectTrial(page, entered);
    const next = page.locator('button[type="submit"]:visible').last();
    if ((await next.count()) === 0) return;
    await next.click();
    await expectTrial(page, entered);
  });
