import type { Page } from '@playwright/test';
import { expect, expectFitsEveryone, test } from '#e2e/school.ts';

// One after another: the fake Google's identity applies to the next person who signs in.
test.describe.configure({ mode: 'serial' });

const google = (page: Page) => page.getByRole('button', { name: 'Sign in with Google' });

test('A15 Staff sign in with Google: asked of nobody before the click, and its answer stands in no history', async ({
  page,
  school,
}) => {
  const person = await school.person({ isStaff: true });
  await school.google({ email: person.email, email_verified: true, sub: `sub-${person.id}` });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('/login');
  await expect(google(page)).toBeVisible();
  const origin = new URL(page.url()).origin;
  expect(asked.filter((address) => !address.startsWith(origin))).toEqual([]);
  await google(page).click();
  await expect(page.getByText('You are signed in.')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  await expect(page).toHaveURL('/school-erp/dashboard');
  await expect(page.getByRole('button', { name: person.name })).toContainText('Staff');
});

test('A15 a person without an account sees so beside the button, and can sign in another way', async ({
  page,
  school,
}) => {
  await school.google({ email: 'stranger@staff.example', email_verified: true, sub: 'stranger' });
  await page.goto('/login');
  await google(page).click();
  const alert = page.getByRole('alert').filter({ hasText: 'Could not sign in with Google.' });
  await expect(alert).toBeVisible();
  await expect(page).toHaveURL('/login');
  await expect(google(page)).toBeEnabled();
  await expectFitsEveryone(page);
  await page.reload();
  await expect(alert).toBeHidden();
});
