import type { Page } from '@playwright/test';
import { countedKeyboard } from '#e2e/counted-keys.ts';
import { expect, expectLooks, type School, test } from '#e2e/school.ts';
import { openAdmission } from '#testing/open-admission.ts';

/** Opens a page as the office. The admission's pages ask for a sign-in in browsers in which nobody has signed in. */
async function openAs(page: Page, school: School, path: string) {
  const { id, ...office } = await school.person({ isStaff: true, sets: ['office'] });
  await page.addInitScript(`localStorage.setItem('userData', '${office.staffId}')`);
  await school.enter(page, { id, ...office }, { path });
}

test('B37 An inquiry is captured on one screen by keyboard alone, and the same mobile number shows the family’s other inquiries before it is saved', async ({
  page,
  school,
}) => {
  const mark = String(Math.floor(Math.random() * 1e5)).padStart(5, '0');
  const mobile = `97240${mark}`;
  await school.family({ inquiry: { firstName: `Elder${mark}`, lastName: 'Rathod', fatherMobile: mobile } });
  await openAdmission(school, 'academic_year.id = academic_year_on()');
  await openAs(page, school, '/school-erp/admission/inquiry');
  await page.getByRole('button', { name: 'Add inquiry' }).first().focus();
  const { counted, press, type, tabTo } = countedKeyboard(page);
  const started = Date.now();
  await press('Enter');
  const drawer = page.getByRole('dialog', { name: 'Add inquiry' });
  await expect(drawer.getByRole('textbox', { name: 'Mobile number', exact: true })).toBeFocused();
  await type(mobile);
  await expect(drawer.getByRole('link', { name: `Elder${mark} Rathod` })).toBeVisible();
  await expect(drawer.getByText('Family already on record:')).toBeVisible();
  await tabTo(drawer.getByRole('textbox', { name: /^Caller’s name/ }));
  await type('Mahesh Rathod');
  await expect(drawer.getByText('First name Mahesh, last name Rathod')).toBeVisible();
  await press('Tab');
  await type(`Younger${mark}`);
  await expect(drawer.getByRole('textbox', { name: /^Child’s last name/ })).toHaveValue('Rathod');
  await tabTo(drawer.getByRole('radio', { name: 'Female' }));
  await press('Space');
  await press('Tab');
  await type('5-1-20');
  await tabTo(drawer.getByRole('combobox', { name: /^Grade/ }));
  await type('Grade 1');
  // Asked where the school has several, and this device has added none yet.
  for (const name of [/^Academic year/, /^Program/, /^Lead source/]) {
    const choice = drawer.getByRole('combobox', { name });
    if (!(await choice.isVisible()) || (await choice.inputValue()) !== '') continue;
    await tabTo(choice);
    await press('ArrowDown');
  }
  await expect(drawer.getByText(/, fits$/)).toBeVisible();
  await expectLooks(page);
  await press('Control+Enter');
  await expect(page.getByRole('link', { name: `Younger${mark} Rathod` })).toBeVisible();
  expect(counted.keys).toBeLessThan(90);
  expect(Date.now() - started).toBeLessThan(60_000);
});

test('a click on WhatsApp leads to an ordinary link, which opens in a new tab', async ({ page, school }) => {
  const family = await school.family({ inquiry: { fatherMobile: '9825012345' } });
  await openAs(page, school, `/school-erp/admission/inquiry/${family.id}`);
  await page.getByRole('link', { name: 'Form', exact: true }).click();
  await page.getByRole('button', { name: 'WhatsApp to the father' }).click();
  const link = page.getByRole('link', { name: 'Open WhatsApp (father)' });
  await expect(link).toBeFocused();
  await expect(link).toHaveAttribute('href', /^https:\/\/wa\.me\/919825012345\?text=/);
  await expect(link).toHaveAttribute('rel', 'noopener noreferrer');
  await expect(link).toHaveAttribute('target', '_blank');
  await expectLooks(page);
});

test('a run that sends to families is undone by keyboard before it begins', async ({ page, school }) => {
  const mark = String(Math.floor(Math.random() * 1e5)).padStart(5, '0');
  await openAdmission(school, 'academic_year.id = academic_year_on()');
  await school.family({ inquiry: { firstName: `Undone${mark}`, fatherMobile: `97250${mark}` } });
  await openAs(page, school, `/school-erp/admission/inquiry?search=Undone${mark}`);
  await page.getByRole('checkbox', { name: new RegExp(`Undone${mark}`) }).check();
  await page.getByRole('button', { name: 'Remind…' }).press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Send', exact: true }).press('Enter');
  const undo = page.getByRole('button', { name: 'Undo' });
  await expect(undo).toBeVisible();
  await expectLooks(page);
  await undo.press('Enter');
  await expect(page.getByText('Finished: 0 done, 1 skipped, 0 failed.')).toBeVisible();
  await expect(page.getByText('Undone before it began.')).toBeVisible();
});
