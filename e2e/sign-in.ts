import type { Page } from '@playwright/test';
import { expect, type Person } from './school.ts';

export const signIn = (page: Page) => page.getByRole('button', { name: 'Sign In', exact: true });
export const box = (page: Page, name: string) => page.getByRole('textbox', { name });
export const password = (page: Page) => page.getByLabel('Password');

/** The code of the newest message to an address, as the outbox shows it. */
export async function codeFor(page: Page, address: string): Promise<string> {
  const shown = await (await page.request.get('/dev/outbox')).text();
  const [, code] = new RegExp(`<h2>([A-Z0-9]{5}) is your code[^<]*</h2>\\s*<p>\\w+ to ${address},`).exec(shown) ?? [];
  if (!code) throw new Error(`No code was sent to ${address}.`);
  return code;
}

export async function signInByEmail(page: Page, { email }: Person) {
  await page.goto('/login');
  await page.getByRole('radio', { name: 'Email' }).check();
  await box(page, 'Email address').fill(email);
  await page.getByRole('button', { name: 'Get OTP' }).click();
  await expect(box(page, 'OTP')).toBeFocused();
  await box(page, 'OTP').fill(await codeFor(page, email));
  await signIn(page).click();
  await expect(page).toHaveURL('/school-erp/dashboard');
}

export async function signInByPassword(page: Page, { userName, password: secret }: Person) {
  await page.goto('/login');
  await page.getByRole('radio', { name: 'Username' }).check();
  await box(page, 'Username').fill(userName);
  await password(page).fill(secret);
  await signIn(page).click();
}
