import type { Page } from '@playwright/test';
import { expect, expectFitsEveryone, test } from '#e2e/school.ts';
import { box, password, signIn } from '#e2e/sign-in.ts';

// One after another: what the stand-in for Google says of a person holds for whoever comes next.
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
  await expectFitsEveryone(page);
  await google(page).click();
  await expect(page.getByText('You are signed in.')).toBeVisible();
  expect(new URL(page.url()).search).toBe('');
  await expect(page).toHaveURL('/school-erp/dashboard');
  await expect(page.getByRole('button', { name: person.name })).toContainText('Staff');
});

test('A15 who has no account here is told so beside the button, and may sign in another way', async ({
  page,
  school,
}) => {
  await school.google({ email: 'stranger@staff.example', email_verified: true, sub: 'stranger' });
  await page.goto('/login');
  await google(page).click();
  const alert = page.getByRole('alert').filter({ hasText: 'You could not be signed in with Google.' });
  await expect(alert).toBeVisible();
  await expect(page).toHaveURL('/login');
  await expect(google(page)).toBeEnabled();
  await expectFitsEveryone(page);
  await page.reload();
  await expect(alert).toBeHidden();
});

for (const [way, where] of [
  ['e-mail address', 'email'],
  ['mobile number', 'mobile'],
] as const)
  test(`W12 A14 in a new browser an Admin types a code after the password: ${where}`, async ({ page, school }) => {
    const admin = await school.person({ isAdmin: true, isStaff: true });
    // What was delivered is the whole school's, and other tests sign in meanwhile: the answer is the one the server gives then.
    const answer = { messageVal: `A code is on its way to your ${way}.`, isSuccess: true };
    const whole = [{ ...answer, otPval: '', imageURL: '', userMasterModel: [] }];
    await page.route('**/authenticate-user', (route) => route.fulfill({ json: whole }));
    await page.goto('/login');
    await box(page, 'Username').fill(admin.userName);
    await password(page).fill(admin.password);
    await signIn(page).click();
    await expect(page.getByText(`We sent a 5-character code to your ${where}.`)).toBeVisible();
    await expect(box(page, 'OTP')).toBeFocused();
    await expect(page.getByRole('button', { name: 'Send another code' })).toBeVisible();
    await expectFitsEveryone(page);
  });
