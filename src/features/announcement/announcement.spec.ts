import { expect, field, test } from '#e2e/school.ts';

test('what is typed while the editor loads stays, and typing goes on in the editor', async ({ page, school }) => {
  const editor = Promise.withResolvers<void>();
  await page.route(/RichTextEditor/, async (route) => {
    await editor.promise;
    await route.continue();
  });
  const office = await school.person({ isStaff: true, sets: ['office'] });
  await school.enter(page, office, { path: '/school-erp/announcement/announcement-list' });
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  await page.keyboard.press('n');
  await expect(field(page, 'title')).toBeFocused();
  await page.keyboard.type('Sports day');
  await page.keyboard.press('Tab');
  const text = page.getByRole('dialog').getByRole('textbox', { name: 'Text' });
  await expect(text).toBeFocused();
  await page.keyboard.type('Bring a hat.');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Water is there');
  editor.resolve();
  await expect(page.getByRole('button', { name: 'Bold' })).toBeVisible();
  await expect(text).toBeFocused();
  await page.keyboard.type(' for all.');
  await expect(text.getByRole('paragraph')).toHaveText(['Bring a hat.', 'Water is there for all.']);
});
