import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import type { Shot } from './pages.ts';
import { moment, type Role, type SignedIn } from './school.ts';

const widths = [360, 1280];
const colourSchemes = ['light', 'dark'] as const;
/** Milliseconds after which a page that is still busy counts as an error. */
const patience = 30_000;

/** A picture of the school's guide: the top of a page as it opens, in light colours. */
export interface GuideShot {
  /** Of its file. */
  name: string;
  role?: Role;
  /** Below /school-erp, with the demo's records as `$name`; `form` and `family` are a family's links. */
  path: string;
  size?: 'desk' | 'phone';
}

const guideSizes = { desk: { width: 1280, height: 800 }, phone: { width: 360, height: 720 } };

interface Options {
  browser: Browser;
  origin: string;
  people: Record<Role, SignedIn>;
  /** The folder of the pictures. */
  folder: string;
}

interface Taken {
  problems: string[];
  /** The page's other tabs. */
  tabs: Shot[];
}

export interface Camera {
  /** Opens a page and takes its pictures. */
  take: (shot: Shot) => Promise<Taken>;
  /** Takes one picture for the guide. */
  takeForGuide: (shot: GuideShot & { address: string }) => Promise<{ problems: string[]; picture: Buffer }>;
}

/** Opens a browser for each role and one without a user, in all of which the clock stands still. */
export async function openCamera({ browser, origin, people, folder }: Options): Promise<Camera> {
  const contexts = {
    nobody: await openContext(browser, origin),
    Staff: await openContext(browser, origin, people.Staff),
    Admin: await openContext(browser, origin, people.Admin),
    Teacher: await openContext(browser, origin, people.Teacher),
  };
  return {
    take: async (shot) => {
      const page = await contexts[shot.role ?? 'nobody'].newPage();
      try {
        const problems = listenForProblems(page);
        const isQuiet = listenForQuiet(page);
        await page.goto(shot.address);
        await isQuiet();
        for (const colourScheme of colourSchemes) {
          for (const width of widths) {
            await page.emulateMedia({ colorScheme: colourScheme });
            await showWhole(page, width, isQuiet);
            const path = join(folder, `${shot.name}-${width}-${colourScheme}.png`);
            await page.screenshot({ path, animations: 'disabled' });
          }
        }
        const found = shot.isRefused ? [] : [...problems, ...(await findProblems(page, shot))];
        return { problems: found, tabs: await findTabs(page, shot) };
      } finally {
        await page.close();
      }
    },
    takeForGuide: async ({ name, address, role, size = 'desk' }) => {
      const page = await contexts[role ?? 'nobody'].newPage();
      try {
        const problems = listenForProblems(page);
        const isQuiet = listenForQuiet(page);
        await page.setViewportSize(guideSizes[size]);
        await page.goto(address);
        await isQuiet();
        const found = await findProblems(page, { name, address });
        return { problems: [...problems, ...found], picture: await page.screenshot({ animations: 'disabled' }) };
      } finally {
        await page.close();
      }
    },
  };
}

async function openContext(browser: Browser, origin: string, person?: SignedIn): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: origin,
    locale: 'en-IN',
    timezoneId: 'Asia/Kolkata',
    reducedMotion: 'reduce',
  });
  await context.clock.setFixedTime(moment);
  if (!person) return context;
  const { staffId, role, cookies } = person;
  const place = { domain: new URL(origin).hostname, path: '/', secure: true, httpOnly: true };
  await context.addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, ...place })));
  // As the sign-in page would have stored it for display.
  await context.addInitScript(
    `localStorage.setItem('userData', '${staffId}'); localStorage.setItem('role', '${role}')`,
  );
  return context;
}

/** Makes the window as high as the page, so that sticky elements lie at the picture's edges. */
async function showWhole(page: Page, width: number, isQuiet: () => Promise<void>) {
  await page.setViewportSize({ width, height: 800 });
  await isQuiet();
  const height = await page.evaluate<number>('document.documentElement.scrollHeight');
  await page.setViewportSize({ width, height });
  await isQuiet();
}

/** Waits until the page is idle and drawn; returns how much it shows. */
const drawn = `new Promise((done) =>
  requestAnimationFrame(() => requestIdleCallback(() => done(document.documentElement.innerHTML.length))))`;
/**
 * The number of unchanged checks in a row after which a page counts as idle: between two requests it may pause for a
 * moment.
 */
const timesUnchanged = 5;

/** Returns a function that waits until the page has no open request, no running animation and nothing left to draw. */
function listenForQuiet(page: Page) {
  let asked = 0;
  let underWay = 0;
  page.on('request', () => {
    asked += 1;
    underWay += 1;
  });
  const end = () => {
    underWay -= 1;
  };
  page.on('requestfinished', end);
  page.on('requestfailed', end);
  return async () => {
    const latest = Date.now() + patience;
    let before = '';
    for (let unchanged = 0; unchanged < timesUnchanged; ) {
      if (Date.now() > latest) throw new Error('It does not become quiet.');
      const size = await page.evaluate<number>(drawn);
      const isWaiting = underWay > 0 || (await page.locator('[data-skeleton]').count()) > 0;
      const now = `${asked} ${size}`;
      unchanged = isWaiting || now !== before ? 0 : unchanged + 1;
      before = now;
    }
  };
}

function listenForProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  page.on('pageerror', ({ message }) => problems.push(message));
  return problems;
}

/** The errors that the page shows, and whether it is another page than the requested one. */
async function findProblems(page: Page, { address }: Shot): Promise<string[]> {
  const { pathname } = new URL(page.url());
  const wanted = new URL(address, page.url()).pathname;
  const said = await page
    .locator('[role=alert]:not(section, :empty):visible, .error:not(:empty):visible')
    .allTextContents();
  return pathname === wanted ? said : [...said, `It leads to ${pathname}.`];
}

/** The tabs linked from a page. Each tab has the same links. */
async function findTabs(page: Page, shot: Shot): Promise<Shot[]> {
  if (shot.address.includes('?')) return [];
  const searches = await page.evaluate<string[]>(
    `[...document.querySelectorAll('main nav a[href*="tab="]:not([aria-current])')].map(({ search }) => search)`,
  );
  return searches.map((search) => ({
    ...shot,
    name: [shot.name, ...new URLSearchParams(search).values()].join('-'),
    address: shot.address + search,
  }));
}
