import { grantedSets } from '#access/contract/grants.ts';
import { expect, expectAccessible, expectBeside, expectFitsEveryone, test, toast } from '#e2e/school.ts';
import { box, codeFor, password, signIn, signInByEmail } from '#e2e/sign-in.ts';

test('S134 an Admin signs in with a password, and comes to the shell after one and a half seconds', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  await page.goto('/login');
  await expect(page).toHaveTitle('Sign In | School ERP System');
  await expect(signIn(page)).toBeDisabled();
  await box(page, 'Username').fill(admin.userName);
  await expect(signIn(page)).toBeDisabled();
  await password(page).fill(admin.password);
  await expect(signIn(page)).toBeEnabled();
  await signIn(page).click();
  await expect(page.getByText('You are signed in.')).toBeVisible();
  const signedInAt = Date.now();
  await expect(page).toHaveURL('/school-erp/dashboard');
  expect(Date.now() - signedInAt).toBeGreaterThan(1200);
  expect(Date.now() - signedInAt).toBeLessThan(4000);
  await expect(page.getByRole('button', { name: admin.name })).toContainText('Admin');

  const kept = await page.evaluate<Record<string, string>>('({ ...localStorage })');
  expect(kept).toMatchObject({ role: 'Admin', userName: admin.name, userData: String(admin.id), userImagePath: '' });
  expect(JSON.parse(kept.user ?? '')).toMatchObject([{ userMasterModel: [{ userID: admin.staffId }] }]);
  expect(Object.keys(kept).sort()).toEqual(
    ['imageURL', 'role', 'staffID', 'user', 'userData', 'userImagePath', 'userName'].sort(),
  );
  expect((await page.evaluate<string>('document.cookie')).split('; ').sort()).toEqual([
    'language=en',
    'sign-in-way=UserNameNPassword',
  ]);
  await page.goto('/login');
  await expect(page).toHaveURL('/school-erp/dashboard');
});

test('S133 a wrong password is told in a toast and above the button, and what is wrong with a field beside it once it is left', async ({
  page,
  school,
}) => {
  const admin = await school.person({ isAdmin: true });
  await page.goto('/login');
  await box(page, 'Username').focus();
  await password(page).focus();
  await expect(page.getByText('Username is Required')).toBeVisible();
  await password(page).fill('12345');
  await box(page, 'Username').fill(admin.userName);
  await expectBeside(page, 'Password', 'Password should be atleast 6 and at the max 15 characters long.');
  await expectBeside(page, 'UserName', undefined);
  await password(page).fill('Wrong-Bridge-48');
  await signIn(page).click();
  await expect(toast(page, 'Invalid Login!')).toBeVisible();
  await expect(toast(page, 'Invalid Login!')).toBeHidden({ timeout: 3000 });
  await expect(page.getByRole('alert').getByText('Invalid Login!')).toBeVisible();
  await expect(password(page)).toBeFocused();
  await expect(box(page, 'Username')).toHaveValue(admin.userName);
});

test('S133 Staff sign in with a code by email; a wrong code shows the alert, and the right one still counts', async ({
  page,
  school,
}) => {
  const person = await school.person({ isStaff: true });
  await page.goto('/login');
  await page.getByRole('radio', { name: 'Email' }).check();
  const getCode = page.getByRole('button', { name: 'Get OTP' });
  await expect(getCode).toBeDisabled();
  await box(page, 'Email address').fill('no address');
  await page.keyboard.press('Tab');
  await expect(page.getByText('Email is Invalid')).toBeVisible();
  await box(page, 'Email address').fill(person.email);
  await getCode.click();
  await expect(getCode).toBeHidden();
  await expect(signIn(page)).toBeDisabled();
  await box(page, 'OTP').fill('ABCD');
  await page.keyboard.press('Tab');
  await expect(page.getByText('OTP is Invalid')).toBeVisible();
  const code = await codeFor(page, person.email);
  await box(page, 'OTP').fill(code === 'AAAAA' ? 'BBBBB' : 'AAAAA');
  await signIn(page).click();
  await expect(page.getByRole('alert').getByText('Invalid OTP.')).toBeVisible();
  await box(page, 'OTP').fill(code.toLowerCase());
  await signIn(page).click();
  await expect(page).toHaveURL('/school-erp/dashboard');
  await expect(page.getByRole('button', { name: person.name })).toContainText('Staff');
});

test('S133 Staff sign in with a code by mobile, and another method starts again without the code', async ({
  page,
  school,
}) => {
  const person = await school.person({ isStaff: true });
  await page.goto('/login');
  await page.getByRole('radio', { name: 'Mobile' }).check();
  await box(page, 'Mobile number').fill('98250');
  await page.keyboard.press('Tab');
  await expect(page.getByText('Mobile number should be 10 characters long.')).toBeVisible();
  await box(page, 'Mobile number').fill(person.mobile);
  await page.getByRole('button', { name: 'Get OTP' }).click();
  await expect(box(page, 'OTP')).toBeVisible();
  await page.getByRole('radio', { name: 'Email' }).check();
  await expect(box(page, 'OTP')).toBeHidden();
  await page.getByRole('radio', { name: 'Mobile' }).check();
  await expect(box(page, 'OTP')).toBeHidden();
  await expect(box(page, 'Mobile number')).toHaveValue('');
  await school.sql(`delete from attempt where kind = 'code-sent-just-now'`);
  await box(page, 'Mobile number').fill(person.mobile);
  await page.getByRole('button', { name: 'Get OTP' }).click();
  await expect(box(page, 'OTP')).toBeVisible();
  await box(page, 'OTP').fill(await codeFor(page, person.mobile));
  await signIn(page).click();
  await expect(page).toHaveURL('/school-erp/dashboard');
});

test('A20 P2.5 Logout forgets everything but the way of signing in, ends the session, and Back shows nothing of it', async ({
  page,
  school,
}) => {
  const person = await school.person({ isStaff: true, sets: grantedSets });
  await signInByEmail(page, person);
  await page.getByRole('button', { name: person.name }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
  const cookies = await page.context().cookies();
  await page.getByRole('button', { name: `${person.name} Staff` }).click();
  await page.getByRole('menuitem', { name: 'Logout' }).click();
  await expect(page).toHaveURL('/login');
  expect(await page.evaluate('localStorage.length + sessionStorage.length')).toBe(0);
  await page.goBack();
  await expect(page).toHaveURL('/login');
  await page.context().addCookies(cookies);
  await page.goto('/school-erp');
  await expect(page).toHaveURL('/login');
  await expect(page.getByRole('radio', { name: 'Email' })).toBeChecked();
});

test('A14 B05 changing role or userData in storage changes nothing of what the shell shows or asks', async ({
  page,
  school,
}) => {
  const person = await school.person({ isStaff: true, sets: ['accountant'] });
  await school.enter(page, person);
  await page.evaluate(`localStorage.setItem('role', 'Admin'); localStorage.setItem('userData', '1')`);
  await page.reload();
  const menu = page.getByRole('navigation', { name: 'Menu' });
  await expect(menu.getByRole('link', { name: 'Dashboard' })).toBeVisible();
  await expect(page.getByRole('region', { name: 'Fee collection' })).toBeVisible();
  await expect(menu.getByRole('button', { name: 'School Setup' })).toBeHidden();
  await expect(page.getByRole('region', { name: 'Accounts' })).toBeHidden();
  await page.getByRole('button', { name: person.name }).click();
  await expect(page.getByRole('menuitem', { name: 'Profile' })).toHaveAttribute(
    'href',
    `/school-erp/staff/view-staff/${person.staffId}`,
  );
});

test('every protected page leads to /login without a session, after asking only for the user', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/')) asked.push(pathname);
  });
  for (const path of ['/school-erp', '/school-erp/fee/fee-master', '/school-erp/staff/view-staff/1']) {
    await page.goto(path);
    await expect(page).toHaveURL('/login');
  }
  expect(new Set(asked)).toEqual(new Set(['/api/sign-in/me']));
});

test('S132 B09 the admission pages say to sign in, and ask the server for nothing', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (const path of ['inquiry', 'review-list', 'process-admission', 'confirm-admission']) {
    await page.goto(`/school-erp/admission/${path}`);
    await expect(page.getByRole('heading', { name: 'Sign in to see admissions' })).toBeVisible();
  }
  await expectAccessible(page);
  expect(asked.filter((path) => path.startsWith('/api/'))).toEqual([]);
  await page.getByRole('link', { name: 'Sign In' }).click();
  await expect(page).toHaveURL('/login');
});

test('signing in works with the keyboard alone, fits a phone, and is accessible in every step', async ({
  page,
  school,
}) => {
  const person = await school.person({ isStaff: true });
  await page.goto('/login');
  const { keyboard } = page;
  await page.getByRole('radio', { name: 'Username' }).focus();
  await keyboard.press('ArrowRight');
  await keyboard.press('Tab');
  await keyboard.type(person.email);
  await keyboard.press('Enter');
  await expect(box(page, 'OTP')).toBeFocused();
  await expectFitsEveryone(page);
  await keyboard.type(await codeFor(page, person.email));
  await keyboard.press('Enter');
  await expect(page).toHaveURL('/school-erp/dashboard');
});

test('the sign-in page takes the colour of the school, and its ways to sign in are equally wide', async ({
  page,
  school,
}) => {
  await school.sql(`update academic_school set colour = 'Purple'`);
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/login');
    await expect(page.getByRole('banner')).toHaveCSS('background-color', 'rgb(123, 63, 166)');
    const widths = await page
      .locator('.method')
      .evaluateAll((ways) => ways.map((way) => Math.round(way.getBoundingClientRect().width)));
    expect(widths).toHaveLength(3);
    expect(Math.max(...widths) - Math.min(...widths), `at ${width} px`).toBeLessThanOrEqual(1);
  }
  await school.sql(`update academic_school set colour = 'Teal'`);
});

test('on a phone the words of each way of signing in stand clear of its edges', async ({ page }) => {
  await page.goto('/login');
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 740 });
    for (const name of ['Username', 'Email', 'Mobile']) {
      const way = page.locator('.method').filter({ hasText: name });
      await way.click();
      const free = await way.locator('span').evaluate((span) => {
        const words = span.ownerDocument.createRange();
        words.selectNodeContents(span);
        return span.getBoundingClientRect().right - words.getBoundingClientRect().right;
      });
      expect(free, `${name} at ${width} px`).toBeGreaterThan(6);
    }
  }
});
