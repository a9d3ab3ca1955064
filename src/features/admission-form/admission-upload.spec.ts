import type { Page } from '@playwright/test';
import sharp from 'sharp';
import { attach, expect, expectBeside, expectPage, field, fill, question, saveAndNext, test } from '#e2e/school.ts';

const photo = 'admissionStudentImageIFormFile';
const saves = (url: URL) => url.pathname === '/api/admission/basic-info';

/** A photo as a phone takes it: large, grainy, and with the place in its metadata. */
async function cameraPhoto(width: number, height: number) {
  const create = {
    width,
    height,
    channels: 3,
    background: '#888',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  } as const;
  const place = {
    GPSLatitudeRef: 'N',
    GPSLatitude: '23/1 1/1 21/1',
    GPSLongitudeRef: 'E',
    GPSLongitude: '72/1 34/1 0/1',
  };
  const buffer = await sharp({ create })
    .jpeg({ quality: 93 })
    .withExif({ IFD0: { Make: 'Phone' }, IFD3: place })
    .toBuffer();
  return { name: 'IMG_0001.JPG', mimeType: 'image/jpeg', buffer };
}

/** Records the request, so that a test can check its bytes. */
const keepSent = (page: Page) =>
  page.addInitScript(`{
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (body) {
      window.lastSent = body;
      return send.call(this, body);
    };
  }`);

const lastSent = async (page: Page, name: string) =>
  Buffer.from(
    await page.evaluate<string>(`new Promise((done) => {
      const reader = new FileReader();
      reader.onload = () => done(reader.result.split(',')[1]);
      reader.readAsDataURL(window.lastSent.get('${name}'));
    })`),
    'base64',
  );

const bar = (page: Page) => page.locator('form > div:has(> div > [type=submit])');

test('B17 B19 S083 on a desk an 8 MB photo is made smaller on request, says no more where it was taken, is saved and shown', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 1 });
  const original = await cameraPhoto(4000, 3000);
  expect(original.buffer.length).toBeGreaterThan(8_000_000);
  expect(original.buffer.includes('Exif')).toBe(true);
  await keepSent(page);
  await page.goto(family.at('/admission'));
  await expect(page.getByText('Choose another file')).toBeVisible();
  await expect(page.getByText('Take a photo')).toBeHidden();
  await attach(page, photo, original);
  await expectBeside(page, photo, 'File size exceeds 2MB');
  const makeSmaller = page.getByRole('button', { name: 'Make it smaller for me' });
  await makeSmaller.click();
  await expect(question(page, photo)).toContainText('IMG_0001.jpg', { timeout: 20_000 });
  await expect(makeSmaller).toBeHidden();
  await expectBeside(page, photo, undefined);
  await saveAndNext(page);
  await expect(page).toHaveURL(family.at('/admission1'));

  const sent = await lastSent(page, photo);
  expect(sent.length).toBeLessThan(2 * 1024 * 1024);
  expect(sent.includes('Exif')).toBe(false);
  const { format, width, height } = await sharp(sent).metadata();
  expect([format, width, height]).toEqual(['jpeg', 1200, 900]);
  await page.goto(family.at('/admission'));
  const shown = page.getByRole('img', { name: 'Child Photo, uploaded' });
  await expect.poll(() => shown.evaluate(({ naturalWidth }) => naturalWidth)).toBeGreaterThan(0);
});

test.describe('on a phone', () => {
  test.use({ viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true });

  test('B19 Take a photo opens the camera, Choose a file does not, and both name what they are for', async ({
    page,
    school,
  }) => {
    const family = await school.family();
    await page.goto(family.at('/admission'));
    const camera = page.getByLabel('Take a photo');
    await expect(page.getByText('Take a photo')).toBeVisible();
    await expect(page.getByText('Choose a file')).toBeVisible();
    await expect(camera).toHaveAccessibleName('Take a photo Child Photo');
    await expect(page.getByLabel('Choose a file')).toHaveAccessibleName('Choose a file Child Photo');
    await camera.setInputFiles(await cameraPhoto(600, 400));
    await expect(page.getByAltText('Child Photo, preview')).toBeVisible();
    await page.getByRole('button', { name: 'Remove Child Photo' }).tap();
    await expect(question(page, photo)).not.toContainText('IMG_0001.JPG');
  });
});

test('an upload says how far it is, takes no answers meanwhile that would be lost, can be cancelled and sent again, and does not fetch back who leaves', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 1 });
  const line = await page.context().newCDPSession(page);
  await page.goto(family.at('/admission'));
  await fill(page, 'religion', 'Jain');
  await attach(page, photo, await cameraPhoto(1500, 1000));
  const slow = { offline: false, latency: 100, downloadThroughput: 1_000_000, uploadThroughput: 250_000 };
  await line.send('Network.emulateNetworkConditions', slow);
  await saveAndNext(page);
  await expect(bar(page).getByText(/^Uploading [1-9]0 %$/)).toBeVisible();
  await expect(bar(page).getByRole('progressbar', { name: 'Upload' })).toBeVisible();
  const answers = () =>
    page.evaluate<string[]>(
      `[...document.querySelectorAll('main :is(input, select, textarea)')].map((field) => field.value + field.checked)`,
    );
  const before = await answers();
  expect(before.length).toBeGreaterThan(20);
  for (let stops = 0; stops < 6; stops++) {
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('7');
  }
  await field(page, 'religion').click({ force: true });
  await page.keyboard.type('Lost');
  expect(await answers()).toEqual(before);
  await bar(page).getByRole('button', { name: 'Cancel upload' }).click();
  await expect(bar(page)).toContainText('Upload cancelled. Your answers are still here.');
  await expect(field(page, 'religion')).toHaveValue('Jain');
  await expect(question(page, photo)).toContainText('IMG_0001.JPG');
  await expect(page).toHaveURL(family.at('/admission'));

  await saveAndNext(page);
  await expect(bar(page).getByText(/^Uploading [1-9]0 %$/)).toBeVisible();
  const saved = page.waitForResponse((answer) => saves(new URL(answer.url())) && answer.request().method() === 'POST');
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Contacts' }).click();
  await expectPage(page, family, '/admission3');
  await line.send('Network.emulateNetworkConditions', { ...slow, latency: 0, uploadThroughput: -1 });
  expect((await saved).status()).toBe(200);
  await fill(page, 'reasonsForAdmission', 'Close to home');
  await expect(bar(page)).toContainText(/Saved \d\d:\d\d/);
  await expectPage(page, family, '/admission3');
  await page.goto(family.at('/admission'));
  await expect(field(page, 'religion')).toHaveValue('Jain');
});
