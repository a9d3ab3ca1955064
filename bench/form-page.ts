import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { type Figure, median } from './budgets.ts';
import { mostOfForm } from './sizes.ts';

interface Visit {
  origin: string;
  /** The link of a family that has not entered anything. */
  untouched: string;
  /** The link of a family whose first page is saved. */
  link: string;
  executablePath: string;
}

interface Vitals {
  fcp: number;
  lcp: number;
  lcpElement: string;
  cls: number;
  inp: number;
  slowest: number;
  interactions: number;
}

/** What one visit took; `plain` counts scripts and style sheets that did not come as brotli. */
interface Seen extends Vitals {
  answers: number;
  plain: number;
  opened: number;
}

const bits = (megabits: number) => (megabits * 1_000_000) / 8;
const slow4G = { offline: false, latency: 150, downloadThroughput: bits(1.6), uploadThroughput: bits(0.75) };
const slowness = 4;
const visits = 5;

/** Opens a half-filled form on a slow phone and works in it; the median of five visits, each with a fresh browser. */
export async function measureFormPage(visit: Visit): Promise<{ figures: Figure[]; visits: Seen[] }> {
  const { requests, kilobytes } = await weigh(visit);
  const seen: Seen[] = [];
  for (let count = 0; count < visits; count++) seen.push(await visitOnce(visit));
  const middle = (name: keyof Omit<Vitals, 'lcpElement'> | 'opened') => median(seen.map((vitals) => vitals[name]));
  return {
    visits: seen,
    figures: [
      { name: 'Form, untouched: requests', value: requests, unit: '', most: mostOfForm.requests },
      { name: 'Form, untouched: transferred', value: kilobytes, unit: 'kB', most: mostOfForm.kilobytes },
      { name: 'Form: first words painted (FCP)', value: middle('fcp') / 1000, unit: 's' },
      { name: 'Form: largest words painted (LCP)', value: middle('lcp') / 1000, unit: 's', most: 2 },
      { name: 'Form: fields can be filled in', value: middle('opened') / 1000, unit: 's' },
      { name: 'Form: what moved by itself (CLS)', value: middle('cls'), unit: '', most: 0.05 },
      { name: 'Form: answer to a key or tap (INP)', value: middle('inp'), unit: 'ms', most: 200 },
      { name: 'Form: the slowest answer of a visit', value: middle('slowest'), unit: 'ms' },
      {
        name: 'Form: scripts and styles without brotli',
        value: Math.max(...seen.map(({ answers, plain }) => (answers > 0 ? plain : Number.NaN))),
        unit: '',
        most: 0,
      },
    ],
  };
}

/** What an untouched form transfers with an empty cache, headers included. */
async function weigh({ origin, untouched, executablePath }: Visit): Promise<{ requests: number; kilobytes: number }> {
  const browser = await launch(executablePath);
  try {
    const page = await browser.newPage();
    const tools = await page.context().newCDPSession(page);
    const transferred: number[] = [];
    tools.on('Network.loadingFinished', ({ encodedDataLength }) => {
      // A picture embedded in a style sheet needs no request.
      if (encodedDataLength > 0) transferred.push(encodedDataLength);
    });
    await tools.send('Network.enable');
    await page.goto(`${origin}/admission?inquiryNo=${untouched}`);
    await control(page, 'caste').waitFor();
    await page.waitForLoadState('networkidle');
    // The headless shell shows no icon and does not ask for it.
    await page.evaluate(`fetch(document.querySelector('link[rel=icon]').href).then((answer) => answer.blob())`);
    await tools.send('Network.disable');
    return { requests: transferred.length, kilobytes: transferred.reduce((sum, bytes) => sum + bytes, 0) / 1000 };
  } finally {
    await browser.close();
  }
}

const launch = (executablePath: string) =>
  chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
  });

async function visitOnce({ origin, link, executablePath }: Visit): Promise<Seen> {
  const browser = await launch(executablePath);
  try {
    const page = await slowPhone(browser);
    const coded: (string | undefined)[] = [];
    page.on('response', (answer) => {
      if (/\.(js|css)$/.test(answer.url())) coded.push(answer.headers()['content-encoding']);
    });
    await page.goto(`${origin}/admission?inquiryNo=${link}`);
    await control(page, 'caste').waitFor();
    const opened = await page.evaluate<number>('performance.now()');
    await page.waitForLoadState('networkidle');
    await workOn(page);
    const vitals = await page.evaluate<Vitals>('window.vitals()');
    return { ...vitals, opened, answers: coded.length, plain: coded.filter((coding) => coding !== 'br').length };
  } finally {
    await browser.close();
  }
}

async function slowPhone(browser: Browser): Promise<Page> {
  const phone = { viewport: { width: 360, height: 740 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
  const context: BrowserContext = await browser.newContext({ ...phone, locale: 'en-IN' });
  const page = await context.newPage();
  await page.addInitScript({ path: `${import.meta.dirname}/vitals.js` });
  const tools = await context.newCDPSession(page);
  await tools.send('Network.enable');
  await tools.send('Network.emulateNetworkConditions', slow4G);
  await tools.send('Emulation.setCPUThrottlingRate', { rate: slowness });
  return page;
}

const control = (page: Page, name: string) => page.locator(`[name="${name}"]:not(meta)`).first();

/** Types, chooses and saves: page 1 is changed and saved, page 2 is opened and refused for missing answers. */
async function workOn(page: Page) {
  const saveAndNext = page.getByRole('button', { name: 'Save and Next' });
  await type(page, 'caste', 'General');
  await type(page, 'currentAddress1', 'Rivera Residency, Adajan Road 12');
  await choose(page, 'foodOption', 'Jain. Food');
  await choose(page, 'isTransportServiceOpted', 'false');
  await pick(page, 'bloodGroup');
  await saveAndNext.tap();

  await control(page, 'fatherQualification').waitFor();
  await type(page, 'fatherQualification', 'B.Com., Surat');
  await choose(page, 'fatherOccupation', 'Business');
  await pick(page, 'fatherCareerClusterID');
  await unfold(page, 'isParentDivorced');
  await choose(page, 'isParentDivorced', 'true');
  await type(page, 'otherFamilyIssueDtl', 'Grandparents live with us and fetch the child.');
  await saveAndNext.tap();
  await page.getByRole('alert', { name: 'There is a problem' }).waitFor();
  await page.waitForTimeout(1000); // Layout shifts after the last answer count too.
}

async function type(page: Page, name: string, words: string) {
  await control(page, name).tap();
  await page.keyboard.press('ControlOrMeta+a');
  await page.keyboard.type(words, { delay: 60 });
}

const choose = (page: Page, name: string, value: string) => page.locator(`[name="${name}"][value="${value}"]`).tap();

/** Opens the part of the page that has a question, where it is folded. */
async function unfold(page: Page, name: string) {
  const folded = page.locator('details:not([open])', { has: page.locator(`[name="${name}"]`) });
  if ((await folded.count()) > 0) await folded.locator('summary').first().tap();
}

/** Chooses the next entry of a list by keyboard: a phone's native list is not part of the page. */
async function pick(page: Page, name: string) {
  await control(page, name).focus();
  await page.keyboard.press('ArrowDown');
}
