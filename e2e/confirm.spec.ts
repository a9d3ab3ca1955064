import type { Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, ownYears, type Person, test, toast } from './school.ts';

const proofOf = (page: Page) => page.getByRole('dialog', { name: 'Confirm that it is you' });

async function prove(page: Page, { password }: Person) {
  const proof = proofOf(page);
  await expect(proof).toBeVisible();
  await proof.getByLabel('Password').fill(password);
  await proof.getByRole('button', { name: 'Confirm' }).click();
  await expect(proof).toBeHidden();
}

test('W11 a download over 500 names asks for the password, and then goes on', async ({ page, school }) => {
  await page.setViewportSize({ width: 360, height: 800 });
  const admin = await school.person({ isAdmin: true });
  const mark = `H${admin.id}`;
  await school.sql(`insert into academic_house (name, colour, staff_id)
    select '${mark}', 'Red', staff_id from sign_in_account where id = ${admin.id}`);
  await school.enter(page, admin, { path: `/school-erp/academic/academic-master?tab=house&search=${mark}` });
  await school.sql(`insert into attempt (kind, subject, hits, window_ends)
    values ('taken-names', '${admin.id}', 500, now() + interval '1 hour')`);
  await school.sql(
    `update sign_in_session set confirmed_at = now() - interval '11 minutes' where account_id = ${admin.id}`,
  );
  await expect(page.getByText(mark).first()).toBeVisible();
  const choose = async () => {
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Export as CSV' }).click();
  };
  await choose();
  await proofOf(page).getByRole('button', { name: 'Cancel' }).click();
  await expect(page.getByRole('alert').filter({ hasText: 'Enter your password again to continue.' })).toBeVisible();
  await choose();
  await expect(proofOf(page)).toBeVisible();
  await expectAccessible(page);
  await expectNoSidewaysScroll(page);
  const saved = page.waitForEvent('download');
  await prove(page, admin);
  expect((await saved).suggestedFilename()).toBe('houses.csv');
});

test('W11 deleting a year asks for the password over its own question, and is then done', async ({ page, school }) => {
  const admin = await school.person({ isAdmin: true });
  const start = ownYears();
  const name = `${start}-${start + 1}`;
  await school.sql(`insert into academic_year (name, starts_on, ends_on, age_cutoff_on)
    values ('${name}', '${start}-06-01', '${start + 1}-05-31', '${start}-06-01')`);
  await school.enter(page, admin, { path: `/school-erp/academic/academic-master?search=${name}` });
  await school.sql(
    `update sign_in_session set confirmed_at = now() - interval '11 minutes' where account_id = ${admin.id}`,
  );
  await page.getByRole('button', { name: `Actions for ${name}` }).click();
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click();
  const question = page.getByRole('dialog', { name: `Delete ${name}` });
  await question.getByRole('button', { name: 'Delete' }).click();
  await prove(page, admin);
  await expect(question).toBeHidden();
  await expect(toast(page, 'Deleted.')).toBeVisible();
});
