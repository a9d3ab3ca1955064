import { expect, type Locator } from '@playwright/test';

/** Leads from the sheet of a chosen file to its preview, without deciding on words that fit nothing. */
export async function goToPreview(dialog: Locator, { asksWords = false } = {}) {
  const next = dialog.getByRole('button', { name: 'Continue' });
  for (const step of ['Sheet', 'Columns', ...(asksWords ? ['Values'] : [])]) {
    await expect(dialog.getByRole('heading', { name: step })).toBeVisible();
    await next.press('Enter');
  }
  await expect(dialog.getByRole('heading', { name: 'Preview' })).toBeVisible();
}
