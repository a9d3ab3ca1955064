import type { Page } from '@playwright/test';
import { expect, expectLooks, field, fill, type School, saveAndNext, test, toast } from '#e2e/school.ts';
import { openAdmission } from '#testing/open-admission.ts';

/** Opens a page as the office. The admission's pages ask for a sign-in in browsers in which nobody has signed in. */
async function openAs(page: Page, school: School, path: string) {
  const { id, ...office } = await school.person({ isStaff: true, sets: ['office'] });
  await page.addInitScript(`localStorage.setItem('userData', '${office.staffId}')`);
  await school.enter(page, { id, ...office }, { path });
}

test('a form is reviewed by keyboard, corrected by its family, and verified', async ({ page, school, browser }) => {
  const family = await school.family({ state: 'submitted', inquiry: { fatherMobile: '9825000000' } });
  await openAs(page, school, `/school-erp/admission/review-list/${family.id}`);
  await expect(page.getByText(/XXXX XXXX \d{4}/)).toBeVisible();
  await expect(page.getByRole('img', { name: 'Birth Certificate', exact: true })).toBeVisible();
  const at = () => page.evaluate<string>("document.activeElement?.closest('[data-review]')?.dataset.review");
  const answer = () => page.evaluate<string>("document.activeElement.dataset.answer ?? ''");
  const accept = async () => {
    const place = page.locator(`[data-review="${await at()}"]`);
    await page.keyboard.press('a');
    await expect(place.getByText(/^(Accepted|Verified)$/)).toBeVisible();
  };

  const walk = async (to: RegExp) => {
    for (let steps = 0; steps < 10 && !to.test(String(await at())); steps++) await page.keyboard.press('j');
    expect(await at()).toMatch(to);
  };

  await walk(/^section-Family$/);
  for (let rows = 0; rows < 20 && (await answer()) !== 'fatherHobbies'; rows++) await page.keyboard.press('ArrowDown');
  expect(await answer()).toBe('fatherHobbies');
  await page.keyboard.press('c');
  await page.keyboard.type('Please name one.');
  await expectLooks(page);
  await page.keyboard.press('Enter');
  await expect.poll(answer).toBe('fatherHobbies');
  await expect(page.getByText('Please name one.')).toBeVisible();
  await page.keyboard.press('k');
  expect(await at()).toBe('section-Child');
  await accept();
  expect(await at()).toBe('section-Child');
  await page.keyboard.press('j');
  for (const next of ['section-Health', 'section-Contacts', 'section-Languages']) {
    await page.keyboard.press('j');
    expect(await at()).toBe(next);
    await accept();
  }
  await expectLooks(page);
  await page.getByRole('button', { name: 'Send back…' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Send back' }).press('Enter');
  await expect(toast(page, 'Sent back to the family.')).toBeVisible();

  const phone = await browser.newContext({ viewport: { width: 360, height: 800 } });
  const form = await phone.newPage();
  await form.goto(family.at('/admission'));
  await expect(form).toHaveURL(family.at('/admission4'));
  await expect(form.getByText('Please name one.')).toBeVisible();
  await form.goto(family.at('/admission2'));
  await expect(form).toHaveURL(family.at('/admission4'));
  await form.goto(family.at('/admission1'));
  await fill(form, 'fatherHobbies', 'Chess');
  await expect(field(form, 'fatherHobbies')).toHaveAccessibleDescription(/Please name one/);
  await saveAndNext(form);
  await form.getByRole('button', { name: 'Submit Form' }).click();
  await form.getByRole('dialog').getByRole('button', { name: 'Yes, submit' }).click();
  await expect(form.getByRole('heading', { name: 'Admission form already submitted!' })).toBeVisible();
  await phone.close();

  await page.reload();
  const hobbies = page.locator('dt').filter({ hasText: 'Changed' });
  await expect(hobbies).toHaveText(/Hobbies/);
  // The keys work once the page has read the user's permissions.
  await expect(page.getByRole('button', { name: 'Mark as verified' })).toBeVisible();
  await walk(/^section-Family$/);
  await accept();
  await walk(/^document-/);
  await accept();
  await page.keyboard.press('j');
  await accept();
  await expect(page.getByText('6 of 6 accepted')).toBeVisible();
  await page.keyboard.press('j');
  await expect(page.getByRole('button', { name: 'Mark as verified' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByText('Waits for the admission head')).toBeVisible();
  await expectLooks(page);
});

test('the office writes down a call by keyboard, is told of a known family, and prints the link’s QR code', async ({
  page,
  school,
}) => {
  const mark = String(Math.floor(Math.random() * 1e6)).padStart(6, '0');
  await openAdmission(school, 'academic_year.id = academic_year_on()');
  await openAs(page, school, '/school-erp/admission/inquiry');
  await page.getByRole('button', { name: 'Add inquiry' }).first().press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Add inquiry' });
  await expect(drawer.getByRole('textbox', { name: 'Mobile number', exact: true })).toBeFocused();
  await page.keyboard.type(`98250${mark.slice(0, 5)}`);
  await drawer.getByRole('textbox', { name: /^Child’s first name/ }).fill(`Diya${mark}`);
  await drawer.getByRole('textbox', { name: /^Child’s last name/ }).fill('Rathod');
  await drawer.getByRole('radio', { name: 'Female' }).press('Space');
  await drawer.getByRole('textbox', { name: /^Birth date/ }).fill('05-01-2020');
  await drawer.getByRole('combobox', { name: /^Grade/ }).selectOption({ index: 4 });
  for (const name of [/^Academic year/, /^Program/, /^Lead source/]) {
    const choice = drawer.getByRole('combobox', { name });
    if (await choice.isVisible()) await choice.selectOption({ index: 1 });
  }
  await drawer.getByRole('button', { name: 'Add', exact: true }).press('Enter');
  await expect(page.getByRole('link', { name: `Diya${mark} Rathod` })).toBeVisible();
  await page.getByRole('link', { name: `Diya${mark} Rathod` }).press('Enter');
  await page.getByRole('link', { name: 'Form', exact: true }).press('Enter');
  await page.getByRole('button', { name: 'Copy link and show QR code' }).press('Enter');
  await expect(page.getByRole('img', { name: 'QR code of the form’s link' })).toBeVisible();
  await expectLooks(page);
});
