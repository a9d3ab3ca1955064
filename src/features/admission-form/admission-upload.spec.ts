import type { Page } from '@playwright/test';
import sharp from 'sharp';
import {
  attach,
  expect,
  expectBeside,
  expectFitsEveryone,
  expectProblem,
  field,
  fill,
  listenToSaves,
  padded,
  question,
  saveAndNext,
  summary,
  test,
} from '#e2e/school.ts';

const photo = 'admissionStudentImageIFormFile';
const saves = (url: URL) => url.pathname === '/api/admission/basic-info';

/** A photo as a phone makes it: large, grainy, and telling where it was taken. */
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

/** Keeps what is sent, so that a test can look at its bytes. */
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

const bar = (page: Page) => page.locator('.step-bar');

test('B17 an 8 MB photo is made smaller on request, says no more where it was taken, and is saved', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 1 });
  const original = await cameraPhoto(4000, 3000);
  expect(original.buffer.length).toBeGreaterThan(8_000_000);
  expect(original.buffer.includes('Exif')).toBe(true);
  await keepSent(page);
  await page.goto(family.at('/admission'));
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
});

test('B17 a picture that cannot be made smaller is refused in words, a PDF is not offered it', async ({
  page,
  school,
}) => {
  const family = await school.family();
  await page.goto(family.at('/admission'));
  const broken = padded((await cameraPhoto(600, 400)).buffer.subarray(0, 500), 3_000_000);
  await attach(page, photo, { name: 'broken.jpg', mimeType: 'image/jpeg', buffer: broken });
  await expectBeside(page, photo, 'File size exceeds 2MB');
  await expectFitsEveryone(page);
  await page.getByRole('button', { name: 'Make it smaller for me' }).click();
  await expectBeside(page, photo, 'This picture could not be made smaller here. Please choose another one.');

  await page.goto(family.at('/admission4'));
  const scan = { name: 'scan.pdf', mimeType: 'application/pdf', buffer: padded(Buffer.from('%PDF-1.4'), 5_000_000) };
  await attach(page, 'DocumentIFormFile', scan);
  await expectBeside(page, 'DocumentIFormFile', 'File select up 4 Mb file');
  await expect(page.getByRole('button', { name: 'Make it smaller for me' })).toBeHidden();
});

test('B17 on a slow line a picture over 800 kB is made smaller without asking', async ({ page, school }) => {
  const family = await school.family();
  await page.addInitScript(`Object.defineProperty(navigator, 'connection', { value: { effectiveType: '3g' } })`);
  await page.goto(family.at('/admission'));
  const large = await cameraPhoto(1500, 1000);
  expect(large.buffer.length).toBeGreaterThan(800_000);
  await attach(page, photo, large);
  await expect(question(page, photo)).toContainText('IMG_0001.jpg');
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
    const file = page.getByLabel('Choose a file');
    await expect(page.getByText('Take a photo')).toBeVisible();
    await expect(page.getByText('Choose a file')).toBeVisible();
    await expect(camera).toHaveAccessibleName('Take a photo Child Photo');
    await expect(file).toHaveAccessibleName('Choose a file Child Photo');
    await expect(camera).toHaveAttribute('capture', 'environment');
    await expect(camera).toHaveAttribute('accept', 'image/*');
    expect(await file.getAttribute('capture')).toBeNull();
    await camera.setInputFiles(await cameraPhoto(600, 400));
    await expect(question(page, photo)).toContainText('IMG_0001.JPG');
    await expect(page.getByAltText('Preview of the Child Photo you chose')).toBeVisible();
    await page.getByRole('button', { name: 'Remove Child Photo' }).tap();
    await expect(question(page, photo)).not.toContainText('IMG_0001.JPG');
  });
});

test('B19 on a desk one button chooses, and a file can be dropped', async ({ page, school }) => {
  const family = await school.family();
  await page.goto(family.at('/admission'));
  await expect(page.getByText('Choose a file')).toBeVisible();
  await expect(page.getByText('Take a photo')).toBeHidden();
  const transfer = await page.evaluateHandle(`{
    const transfer = new DataTransfer();
    transfer.items.add(new File([new Uint8Array([0x89, 0x50, 0x4e, 0x47])], 'dropped.png', { type: 'image/png' }));
    transfer;
  }`);
  await question(page, photo).locator('.upload').dispatchEvent('drop', { dataTransfer: transfer });
  await expect(question(page, photo)).toContainText('dropped.png');
});

test('an upload says how far it is, can be cancelled without losing anything, and be sent again', async ({
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
  await bar(page).getByRole('button', { name: 'Cancel upload' }).click();
  await expect(bar(page)).toContainText('Upload cancelled. Your answers are still here.');
  await line.send('Network.emulateNetworkConditions', { ...slow, latency: 0, uploadThroughput: -1 });
  await expect(field(page, 'religion')).toHaveValue('Jain');
  await expect(question(page, photo)).toContainText('IMG_0001.JPG');
  await expect(page).toHaveURL(family.at('/admission'));
  await saveAndNext(page);
  await expect(page).toHaveURL(family.at('/admission1'));
});

test('while an upload is on its way nothing can be entered that would be lost, and who leaves is not fetched back', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 1 });
  const line = await page.context().newCDPSession(page);
  await page.goto(family.at('/admission'));
  await attach(page, photo, await cameraPhoto(1500, 1000));
  const slow = { offline: false, latency: 100, downloadThroughput: 1_000_000, uploadThroughput: 250_000 };
  await line.send('Network.emulateNetworkConditions', slow);
  await saveAndNext(page);
  await expect(bar(page).getByText(/^Uploading [1-9]0 %$/)).toBeVisible();
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
  const saved = page.waitForResponse((answer) => saves(new URL(answer.url())) && answer.request().method() === 'POST');
  await page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name: 'Contacts' }).click();
  await fill(page, 'reasonsForAdmission', 'Close to home');
  expect((await saved).status()).toBe(200);
  await page.waitForTimeout(500);
  await expect(page).toHaveURL(family.at('/admission3'));
  await expect(field(page, 'reasonsForAdmission')).toHaveValue('Close to home');
});

test('a form is not handed in while a document is on its way', async ({ page, school }) => {
  const family = await school.family({ state: 'ready to submit' });
  const line = await page.context().newCDPSession(page);
  await page.goto(family.at('/admission4'));
  await field(page, 'documentName').selectOption('Other');
  await fill(page, 'otherDocumentDescription', 'Report card');
  await attach(page, 'DocumentIFormFile', await cameraPhoto(1500, 1000));
  const slow = { offline: false, latency: 100, downloadThroughput: 1_000_000, uploadThroughput: 250_000 };
  await line.send('Network.emulateNetworkConditions', slow);
  await page.getByRole('button', { name: 'Upload', exact: true }).click();
  await expect(page.getByText(/^Uploading [1-9]0 %$/)).toBeVisible();
  await page.getByRole('button', { name: 'Submit Form' }).click();
  await expect(summary(page)).toContainText('Please wait until the document is uploaded, or cancel the upload.');
  await expect(page.getByRole('link', { name: /^View Other/ })).toBeVisible();
});

test('a picture that was removed while it was made smaller stays removed', async ({ page, school }) => {
  const family = await school.family();
  await page.addInitScript(`Object.defineProperty(navigator, 'connection', { value: { saveData: true } })`);
  await page.goto(family.at('/admission'));
  await attach(page, photo, await cameraPhoto(1500, 1000));
  await page.getByRole('button', { name: 'Remove Child Photo' }).click();
  await page.waitForTimeout(2500);
  await expect(question(page, photo)).not.toContainText('IMG_0001');
});

test('B15 a broken upload is tried again by itself, three times with longer pauses, under one key', async ({
  page,
  school,
}) => {
  const family = await school.family({ state: 'half filled', pages: 1 });
  const { requests } = await listenToSaves(page, 'basic-info');
  await page.goto(family.at('/admission'));
  await attach(page, photo, await cameraPhoto(600, 400));
  const sent: number[] = [];
  await page.route(saves, (route) => {
    if (route.request().method() !== 'POST') return route.continue();
    sent.push(Date.now());
    return route.abort();
  });
  await saveAndNext(page);
  await expect(bar(page)).toContainText('No connection. Trying again.');
  await expect.poll(() => requests.length, { timeout: 20_000 }).toBe(4);
  const [first = 0, second = 0, third = 0] = sent.slice(1).map((at, index) => at - (sent[index] ?? 0));
  expect(second).toBeGreaterThan(1.5 * first);
  expect(third).toBeGreaterThan(1.5 * second);
  await expectProblem(page, photo, 'The file could not be uploaded. Try again.');
  await expect(question(page, photo)).toContainText('IMG_0001.JPG');
  await page.unroute(saves);
  await saveAndNext(page);
  await expect(page).toHaveURL(family.at('/admission1'));
  expect(new Set(requests.map((request) => request.headers()['idempotency-key'])).size).toBe(1);
});
