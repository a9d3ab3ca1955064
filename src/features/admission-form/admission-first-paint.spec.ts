import { expect, expectPage, field, test } from '#e2e/school.ts';

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the heading and the instructions of the first page are in the HTML, and nothing of the family', async ({
    page,
    school,
  }) => {
    const family = await school.family({ state: 'half filled', pages: 1 });
    const answer = await page.goto(family.at('/admission'));
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Admission Form');
    await expect(page.getByText('Test School')).toBeVisible();
    await expect(page.getByText('Keep these ready')).toBeVisible();
    await expect(page.getByText('a photo of the child and a family photo')).toBeVisible();
    await expect(page.getByRole('navigation', { name: 'Steps' })).toContainText('Step 1 of 5 · Child');

    // Nor a link to another step, which would lack the family's link value.
    await expect(page.getByRole('navigation', { name: 'Steps' }).getByRole('link')).toHaveCount(0);
    const html = (await answer?.text()) ?? '';
    expect(html).not.toMatch(/<style|style=| on[a-z]+=/);
    for (const fact of ['Meera', 'Patel', family.value, family.inquiryNo]) expect(html).not.toContain(fact);
  });
});

test('the page that the script draws takes the place of the words in the HTML without moving them', async ({
  page,
  school,
}) => {
  const family = await school.family();
  let letGo = () => {};
  const held = new Promise<void>((go) => {
    letGo = go;
  });
  await page.route('**/api/admission/**', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(family.at('/admission'));
  const heading = page.getByRole('heading', { level: 1 });
  const words = page.getByText('Keep these ready');
  await expect(heading).toHaveText('Admission Form');
  const before = [await heading.boundingBox(), await words.boundingBox()];
  letGo();

  await expect(field(page, 'nationality')).toHaveValue('Indian');
  await expectPage(page, family, '/admission');
  await expect(heading).toHaveText('Admission Form 2026-27');
  await expect(page.getByText('Keep these ready')).toHaveCount(1);
  expect([await heading.boundingBox(), await words.boundingBox()]).toEqual(before);
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
  await expect(page.getByRole('button', { name: 'Get a new link' })).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(await page.evaluate<number>('[...window.boxes].filter(Boolean).length')).toBe(1);
});
