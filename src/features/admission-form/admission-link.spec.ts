import type { ConsoleMessage, Locator, Page, Request } from '@playwright/test';
import {
  additionalInfoAnswers,
  basicInfoAnswers,
  educationAnswers,
  healthAnswers,
  parentInfoAnswers,
} from '#database/seed/answers.ts';
import { answerOf, attach, expect, expectPage, type Family, fill, saveAndNext, summary, test } from '#e2e/school.ts';

const paths = ['/admission', '/admission1', '/admission2', '/admission3', '/admission4'];
const formPaths = paths.slice(0, 4);

const alreadySubmitted = (page: Page) => page.getByRole('heading', { name: 'Admission form already submitted!' });
const newLink = (page: Page) => page.getByRole('button', { name: 'Send me a new link' });

test('S001 the five pages open for whoever has the link, without signing in', async ({ page, context, school }) => {
  const family = await school.family();
  for (const path of paths) {
    await page.goto(family.at(path));
    await expectPage(page, family, path);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admission Form 2026-27');
    await expect(page.getByRole('button', { name: /Save and Next|Submit Form/ })).toBeVisible();
  }
  expect(await context.cookies()).toEqual([]);
});

test('S002 the link is carried through all five pages forward and back, and by the step bar', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'ready to submit' });
  await page.goto(family.at('/admission'));
  for (const path of paths.slice(1)) {
    await saveAndNext(page);
    await expectPage(page, family, path);
  }
  for (const path of formPaths.toReversed()) {
    await page.getByRole('link', { name: 'Previous' }).click();
    await expectPage(page, family, path);
  }
  const steps = ['Child', 'Family', 'Health', 'Contacts', 'Documents and submit'];
  for (const [index, name] of [...steps.entries()].reverse()) {
    await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name, exact: true }).click();
    await expectPage(page, family, paths[index] ?? '');
  }
  await page.goBack();
  await expectPage(page, family, '/admission1');
});

test('S003 the title has the academic year of the inquiry', async ({ page, school }) => {
  const family = await school.family();
  await school.sql(
    `update admission_inquiry set academic_year_id = (select id from academic_year where name = '2027-28')
     where id = ${family.id}`,
  );
  await page.goto(family.at('/admission'));
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admission Form 2027-28');
  await expect(page).toHaveTitle('Admission Form 2027-28');
});

for (const path of ['/', '/nowhere', '/admission9', '/school-erp/nowhere'])
  test(`S014 the unknown path ${path} leads to the sign-in page`, async ({ page }) => {
    await page.goto(path);
    await expect(page).toHaveURL('/login');
    await expect(page).toHaveTitle('Sign In | School ERP System');
    await expect(page.getByRole('heading', { level: 1, name: 'Sign In' })).toBeVisible();
  });

for (const path of formPaths)
  test(`S011 S012 ${path} of a submitted form leads to the last page, which has no form`, async ({ page, school }) => {
    const family = await school.family({ state: 'submitted' });
    await page.goto(family.at(path));
    await expect(alreadySubmitted(page)).toBeVisible();
    await expect(page).toHaveURL(family.at('/admission4'));
    await expect(page.getByRole('form')).toHaveCount(0);
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0);
    await expect(page.locator('main input, main select, main textarea')).toHaveCount(0);
  });

test('S013 nothing on page 3 of a submitted form can be filled in, not even before it leads to the last page', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'submitted' });
  await page.addInitScript(`
    window.seen = [];
    new MutationObserver(() => {
      for (const control of document.querySelectorAll('main :is(input, select, textarea, button):enabled'))
        window.seen.push(control.outerHTML);
    }).observe(document, { childList: true, subtree: true, attributes: true });`);
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  await page.route('**/api/admission/inquiry?*', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(family.at('/admission2'));
  await expect(page.getByRole('status').filter({ hasText: 'Loading' })).toBeAttached();
  release();
  await expect(alreadySubmitted(page)).toBeVisible();
  expect(await page.evaluate('window.seen')).toEqual([]);
});

test('S013 page 3 left open while the form is handed in elsewhere takes no more answers', async ({ page, school }) => {
  const family = await school.family({ state: 'half filled', pages: 3 });
  await page.goto(family.at('/admission2'));
  await fill(page, 'childPersonalityAndHomeRoutine', 'Changed too late');
  await school.sql(`update admission_inquiry set submitted_at = now() where id = ${family.id}`);
  await saveAndNext(page);
  await expect(alreadySubmitted(page)).toBeVisible();
  await expect(page).toHaveURL(family.at('/admission4'));
  expect(await school.sql(`select version from admission_health where inquiry_id = ${family.id}`)).toEqual([
    { version: 1 },
  ]);
});

test('B02 a missing, altered, expired or revoked link all give one neutral page with a way to the school', async ({
  page,
  school,
}) => {
  const [good, expired, revoked] = await Promise.all([
    school.family(),
    school.family({ state: 'expired' }),
    school.family({ state: 'revoked' }),
  ]);
  const altered = good.value.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
  const texts = [];
  for (const address of [
    '/admission',
    '/admission?inquiryNo=',
    `/admission?inquiryNo=${altered}`,
    expired.at('/admission'),
    revoked.at('/admission'),
    revoked.at('/admission4'),
  ]) {
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('This link does not open a form');
    await expect(newLink(page)).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: 'office@test-school.example' })).toBeVisible();
    await expect(page.getByRole('main').getByRole('link', { name: '0261 222 1100' })).toBeVisible();
    texts.push(`${await page.title()} ${await page.getByRole('main').textContent()}`);
  }
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]).not.toMatch(/expired|revoked|Meera|Patel/i);
});

test('the page for a link that opens nothing is drawn once, so that what is typed at once on a slow phone stays', async ({
  page,
}) => {
  const line = await page.context().newCDPSession(page);
  await line.send('Emulation.setCPUThrottlingRate', { rate: 6 });
  await page.addInitScript(`
    window.boxes = new Set();
    new MutationObserver(() => window.boxes.add(document.querySelector('[name=contact]')))
      .observe(document, { childList: true, subtree: true });`);
  await page.goto('/admission');
  await expect(newLink(page)).toBeVisible();
  await page.waitForTimeout(2000);
  expect(await page.evaluate<number>('[...window.boxes].filter(Boolean).length')).toBe(1);
});

test('B02 asking for a new link answers alike for a known and an unknown contact, and writes only to the known one', async ({
  page,
  school,
}) => {
  const known = 'known.parent@family.example';
  const unknown = 'unknown.parent@family.example';
  await school.family({ inquiry: { fatherEmail: known } });
  const answers = [];
  for (const contact of [known, unknown]) {
    await page.goto('/admission');
    await page.getByRole('textbox', { name: 'Mobile number or e-mail address' }).fill(contact);
    await newLink(page).click();
    const answer = page.getByRole('main').getByRole('status').filter({ hasText: 'If this is' });
    await expect(answer).toBeVisible();
    answers.push(await page.getByRole('main').textContent());
  }
  expect(new Set(answers).size).toBe(1);
  expect(await school.sql(`select recipient from outbox where recipient in ('${known}', '${unknown}')`)).toEqual([
    { recipient: known },
  ]);
});

/** Opens all five pages, makes each refuse once, and chooses, views and removes a file. */
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
  const preview = page.getByRole('img', { name: 'Preview of the Child Photo you chose' });
  await expect.poll(() => preview.evaluate(({ naturalWidth }) => naturalWidth)).toBe(1);
  await page.getByRole('checkbox', { name: 'Same as present address' }).uncheck();
  await saveAndNext(page);
  await expect(summary(page)).toBeFocused();
  await page.getByRole('checkbox', { name: 'Same as present address' }).check();
  await saveAndNext(page);
  await expectPage(page, family, '/admission1');
}

test('C6 the link is in no Referer, and nothing is asked of another host', async ({ page, context, school }) => {
  const family = await school.family({ state: 'ready to submit' });
  const requests: Request[] = [];
  context.on('request', (request) => requests.push(request));
  await walkEverywhere(page, family);
  await page.goto('/login');

  const network = requests.filter((request) => !/^(blob|data):/.test(request.url()));
  expect(network.length).toBeGreaterThan(30);
  const host = new URL(page.url()).host;
  for (const request of network) {
    expect(new URL(request.url()).host).toBe(host);
    const { referer = '' } = await request.allHeaders();
    expect(referer).not.toContain(family.value);
  }
});

test('E1 no page of the form violates its own content security policy', async ({ page, school }) => {
  const family = await school.family({ state: 'ready to submit' });
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
  expect(violations).toEqual([]);

  // The policy is there and a violation would have been heard.
  await page.evaluate(
    `document.body.append(Object.assign(new Image(), { src: 'https://elsewhere.example/pixel.png' }))`,
  );
  await expect.poll(() => violations.length).toBeGreaterThan(0);
});

test('S015 the saved answers of every page come back whenever the link is opened again', async ({ page, school }) => {
  const family = await school.family({ state: 'ready to submit' });
  await school.sql(`
    insert into admission_language (inquiry_id, home_language, other_languages, first_generation_learner,
      study_language, school_language, has_replaced_language, replaced_language)
    values (${family.id}, 'Marathi', 'Hindi,English', false, 'Hindi', 'English', true, 'Sindhi')`);
  const [career] = await school.sql(`select id, sector_id from academic_career where name = 'Textiles'`);
  const locked = /^(father|mother)?(FirstName|LastName|MobileNo|EmailID)$|^(firstName|lastName|birthDate)$/;
  const hidden = /WorkplaceInfo$|^staffHRISEmployeeID$|^repalcedLangOfChild$/;
  const { fatherBirthDate, motherBirthDate, ...parents } = parentInfoAnswers(
    Number(career?.sector_id),
    Number(career?.id),
  );
  const image = (name: string) => page.getByRole('img', { name, exact: true });
  const cell = (name: string) => page.getByRole('cell', { name, exact: true });
  const alsoShown: Record<string, Locator[]> = {
    '/admission': [image('The Child Photo you uploaded')],
    '/admission1': [image('The Family Photo you uploaded'), page.getByRole('option', { name: 'Textiles' })],
    '/admission2': Object.values(educationAnswers).map(cell),
    '/admission4': ['Birth Certificate', 'Aadhar Card'].map(cell),
  };
  const pages: [path: string, answers: Record<string, string | boolean>][] = [
    ['/admission', { ...basicInfoAnswers, aadharCardNo: 'XXXX XXXX 1234', sameAsPresentAddress: 'on' }],
    ['/admission1', { ...parents, fatherBirthDate: '04,07,1988', motherBirthDate: '20,11,1991' }],
    ['/admission2', healthAnswers],
    ['/admission3', { ...additionalInfoAnswers, isMedicalEmergencyAuthorized: 'on' }],
    [
      '/admission4',
      {
        primaryLangatHome: 'Marathi',
        otherLangChildKnow: 'Hindi,English',
        isChildFluentInEnglish: 'false',
        childStudyLangPreferance: 'Hindi',
        langPreferanceWithSchool: 'English',
        isChildHaveReplacedLang: 'true',
        repalcedLangOfChild: 'Sindhi',
      },
    ],
  ];
  for (const [path, answers] of pages) {
    await page.goto(family.at(path));
    await expectPage(page, family, path);
    for (const [name, value] of Object.entries(answers))
      if (!locked.test(name) && (path === '/admission4' || !hidden.test(name)))
        await expect.poll(() => answerOf(page, name), `${path} ${name}`).toBe(value);
    for (const shown of alsoShown[path] ?? []) await expect(shown).toBeAttached();
  }
});
