import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { test as base, expect, type Page, type Request } from '@playwright/test';
import type { RunOptions } from 'axe-core';
import { familyFacts } from '../database/seed/answers.ts';
import type { NewAccount } from '../src/features/account/api.ts';

export const port = Number(process.env.E2E_PORT ?? 21470);
const door = `http://127.0.0.1:${port + 1}`;

type State = 'untouched' | 'consent needed' | 'half filled' | 'ready to submit' | 'submitted' | 'expired' | 'revoked';

interface Wanted {
  state?: State;
  /** The number of saved pages in a half-filled form. */
  pages?: number;
  /** The values of the inquiry, over the usual ones. Null removes a value. */
  inquiry?: Record<string, string | null>;
}

export interface Family {
  id: number;
  inquiryNo: string;
  value: string;
  /** Returns the address of a page of this family's form. */
  at: (path: string) => string;
}

/** For a family without known values: no field is locked. */
export const nothingKnown = Object.fromEntries(Object.keys(familyFacts).map((name) => [name, null]));

/** A user with an account, and how they sign in. */
export interface Person {
  /** The account. */
  id: number;
  staffId: number;
  name: string;
  userName: string;
  password: string;
  email: string;
  mobile: string;
  isAdmin?: boolean;
}

export interface School {
  family: (wanted?: Wanted) => Promise<Family>;
  person: (wanted: Partial<NewAccount>) => Promise<Person>;
  /** Signs in without the sign-in page, as an Admin where the user is one or as `how` says, and opens the dashboard. */
  enter: (page: Page, person: Person, how?: { path?: string; role?: 'Staff' | 'Admin' }) => Promise<void>;
  /** What the fake Google says about the next person to sign in. */
  google: (person: { email: string; email_verified: boolean; sub: string }) => Promise<unknown>;
  /** Works on the runs that this person started, without the half minute in which they can be undone. */
  doRuns: (person: Pick<Person, 'id'>) => Promise<unknown>;
  /** Runs a statement as the database's owner, for what no page can do. */
  sql: (statement: string) => Promise<Record<string, unknown>[]>;
}

/** Asks the server of the browser tests for what no page does. */
export async function ask<Made>(path: string, body: object): Promise<Made> {
  const answer = await fetch(door + path, { method: 'POST', body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return (await answer.json()) as Made;
}

export const codesTold = () => ask<{ made: number; told: number }>('/codes', {});

export const school: School = {
  family: async ({ state = 'untouched', pages, inquiry } = {}) => {
    const facts = Object.entries({ ...familyFacts, ...inquiry }).filter(([, value]) => value !== null);
    const made = await ask<Omit<Family, 'at'>>('/family', {
      state,
      pages,
      grade: 'Grade 1',
      inquiry: Object.fromEntries(facts),
    });
    return { ...made, at: (path: string) => `${path}?inquiryNo=${made.value}` };
  },
  person: async (wanted) => {
    const number = Math.floor(Math.random() * 1e9);
    const person = {
      name: `Person ${number}`,
      userName: `person${number}`,
      password: 'Teak-Bridge-48',
      email: `person${number}@staff.example`,
      mobile: String(8_000_000_000 + number),
      ...wanted,
    };
    return { ...person, ...(await ask<Pick<Person, 'id' | 'staffId'>>('/person', person)) } as Person;
  },
  enter: async (page, { id, isAdmin }, { path = '/school-erp/dashboard', role = isAdmin ? 'Admin' : 'Staff' } = {}) => {
    const device = await page.evaluate<string>('navigator.userAgent');
    const cookies = await ask<Record<string, string>>('/session', { accountId: id, role, device });
    const of = { domain: '127.0.0.1', path: '/', secure: true, httpOnly: true };
    await page.context().addCookies(Object.entries(cookies).map(([name, value]) => ({ name, value, ...of })));
    await page.goto(path);
  },
  doRuns: ({ id }) => ask('/runs', { accountId: id }),
  google: (person) => ask('/google', person),
  // Two tests that create grades at the same moment may deadlock; the database then aborts one of them.
  sql: (statement) =>
    ask<Record<string, unknown>[]>('/sql', { statement }).catch((error: Error) => {
      if (!error.message.includes('deadlock detected')) throw error;
      return ask('/sql', { statement });
    }),
};

export const test = base.extend<{ school: School }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern.
  school: ({}, use) => use(school),
});
export { expect };

let years = 0;
/** The first of three academic years that no other test uses: a school's years must not overlap. */
export const ownYears = () => 2100 + test.info().workerIndex * 60 + 3 * years++;

const axe = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
const axeOptions: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
  selectors: false,
  preload: false, // No request is needed; only rules that are off by default read from the network.
};
const violations = (
  more: object,
) => `axe.run(document, ${JSON.stringify({ ...axeOptions, ...more })}).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')))`;

/** The page in its current state has no accessibility violation (WCAG 2.2 AA). */
export async function expectAccessible(page: Page, more: RunOptions = {}) {
  // A page is empty until its scripts have drawn it.
  await expect(page.locator('h1').first()).toBeAttached();
  // At the end of the form and at the start of other pages, the fixed bar and the heads of tables cover no control;
  // elsewhere they do, and axe reports the covered control as too small.
  await page.evaluate(`window.scrollTo(0, document.querySelector('.step-bar') ? document.body.scrollHeight : 0);
    for (const dialog of document.querySelectorAll('dialog[open]')) dialog.scrollTo(0, dialog.scrollHeight)`);
  if (!(await page.evaluate(`'axe' in window`))) await page.evaluate(axe);
  // A page that is just being exchanged for the next has no content yet for its skip link.
  await expect.poll(() => page.evaluate<string[]>(violations(more))).toEqual([]);
}

/**
 * Also what only a wide window shows is accessible. Contrast is measured in the dark alone: palette.test.ts measures the
 * colours of both, and the gallery is looked at in both.
 */
export const expectAccessibleWide = (page: Page) =>
  expectAccessible(page, { rules: { 'color-contrast': { enabled: false } } });

// The target of a radio, tick box or file input is its label. Links within a sentence and elements behind an open
// dialog do not count (WCAG 2.5.8).
const smallTargets = `(() => {
  const top = [...document.querySelectorAll('dialog:modal')].at(-1) ?? document;
  const all = [...top.querySelectorAll('a[href], button, summary, input, select, textarea')];
  const targets = new Set(all.flatMap((element) => {
    if (!element.checkVisibility({ visibilityProperty: true })) return [];
    const { width, height } = element.getBoundingClientRect();
    const pressed = width < 44 || height < 44 ? (element.labels?.[0] ?? element) : element;
    const isOffScreen = pressed.getBoundingClientRect().bottom <= 0 && getComputedStyle(pressed).position === 'absolute';
    // Texts beside elements have an element of their own (decision 0111).
    const holder = element.parentElement.closest(':not(x-t)');
    const isInSentence = element.tagName === 'A' && getComputedStyle(element).display.startsWith('inline')
      && holder.textContent.trim() !== element.textContent.trim() && element.closest('p') === holder;
    return isOffScreen || isInSentence ? [] : [pressed];
  }));
  const boxes = [...targets].map((target) => [target, target.getBoundingClientRect()]);
  const isFree = (target, box) => {
    const [x, y] = [(box.left + box.right) / 2, (box.top + box.bottom) / 2];
    return boxes.every(([other, { left, right, top, bottom }]) =>
      other === target || Math.hypot(Math.max(left - x, 0, x - right), Math.max(top - y, 0, y - bottom)) >= 22);
  };
  return boxes
    .filter(([target, box]) => (box.width < 43.5 || box.height < 43.5) && !(box.width >= 24 && box.height >= 24 && isFree(target, box)))
    .map(([target, { width, height }]) => target.outerHTML.slice(0, 120) + ' ' + width.toFixed(1) + ' x ' + height.toFixed(1));
})()`;

/** Elements that overflow the window on the right, scroll sideways by themselves or cut off text. */
const tooWide = `(() => {
  const width = document.documentElement.clientWidth;
  const { scrollWidth } = document.documentElement;
  const wide = scrollWidth > width ? ['the page: ' + scrollWidth] : [];
  // Words for screen readers are cut to one pixel, with all that is in them.
  const unseen = new Set();
  for (const element of document.querySelectorAll('body *')) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    if (unseen.has(element.parentElement) || getComputedStyle(element).clipPath !== 'none') {
      unseen.add(element);
      continue;
    }
    // A two-dimensional table may scroll within its frame (WCAG 1.4.10), and tabs are one row that slides; the frame fits
    // the window.
    const frame = element.closest('section[tabindex="0"], nav:has(> a[aria-current])');
    if (frame && frame !== element) continue;
    const { left, right } = element.getBoundingClientRect();
    // What an SVG holds beyond its edges is not drawn, nor is what has no width.
    if (element.parentElement.closest('svg') || left === right) continue;
    const isScroller = !frame && element.scrollWidth > element.clientWidth + 1 && ['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(element).overflowX);
    const isBox = ['INPUT', 'TEXTAREA', 'SELECT'].includes(element.tagName);
    if (right > width + 1 || left < -1 || (isScroller && !isBox)) wide.push(element.outerHTML.slice(0, 120));
  }
  return wide;
})()`;

/** Texts of one or two letters a line: their column has no room where the page has. */
const squeezed = `[...document.querySelectorAll('main *, dialog *')]
  .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim().length > 8))
  .filter((element) => element.checkVisibility({ visibilityProperty: true }))
  .filter((element) => {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && width < 40 && height > 120;
  })
  .map((element) => element.outerHTML.slice(0, 120))`;

/** Everything fits the window's width. */
export const expectNothingTooWide = async (page: Page) => expect(await page.evaluate<string[]>(tooWide)).toEqual([]);

/** At 320 px, and at 1280 x 1024 px with 400 % zoom, everything fits the window's width. */
export async function expectNoSidewaysScroll(page: Page) {
  for (const height of [640, 256]) {
    await page.setViewportSize({ width: 320, height });
    await expectNothingTooWide(page);
  }
}

/** Every control is 44 px wide and high, or far enough from others that a 44 px circle around it meets none. */
export const expectEasyToHit = async (page: Page) => expect(await page.evaluate<string[]>(smallTargets)).toEqual([]);

/**
 * The page is accessible on the smallest phone in dark colours and fits it, and has large enough targets there and on a
 * desktop.
 */
export async function expectFitsEveryone(page: Page) {
  await expectEasyToHit(page);
  await onDarkPhone(page, async () => {
    await expectAccessible(page);
    await expectEasyToHit(page);
    await expectNoSidewaysScroll(page);
  });
}

/** Resolves once the page has done what it had to do: twice, because what it draws may ask for more. */
const idle = `new Promise((done) => requestIdleCallback(() => requestIdleCallback(() => done(), { timeout: 200 }), { timeout: 200 }))`;

/** Waits until all requests are answered and drawn, and ask for nothing more. Create it before the page is opened. */
export function listenToReads(page: Page) {
  const open = new Set<Request>();
  let begun = 0;
  page.on('request', (request) => {
    open.add(request);
    begun++;
  });
  page.on('requestfinished', (request) => open.delete(request));
  page.on('requestfailed', (request) => open.delete(request));
  return async () => {
    await expect(page.locator('main')).not.toBeEmpty();
    const awaited = async () => {
      const before = begun;
      // A card asks for its data only once its page is drawn.
      if (open.size === 0) await page.evaluate(idle);
      return begun === before ? [...open].map((request) => request.url()) : ['a new request'];
    };
    await expect.poll(awaited, { intervals: [20, 50, 100] }).toEqual([]);
    await expect(page.locator('[data-skeleton]')).toHaveCount(0);
  };
}

export const saveAndNext = (page: Page) => page.getByRole('button', { name: 'Save and Next' }).click();

/** A page of this family's form, opened and drawn. */
export async function expectPage(page: Page, family: Family, path: string) {
  await expect(page).toHaveURL(family.at(path));
  const step = Number(path.slice('/admission'.length)) + 1;
  await expect(page.getByRole('navigation', { name: 'Steps' })).toContainText(`Step ${step} of 5`);
}

/** The error summary at the top. */
export const summary = (page: Page) => page.getByRole('alert', { name: 'There is a problem' });

/** A toast at the top of the window. */
export const toast = (page: Page, words: string) => page.getByRole('status').getByText(words, { exact: true });

/** The control of a field, by the field's name; the first one of a group. */
export const field = (page: Page, name: string) => page.locator(`[name="${name}"]:not(meta)`).first();

/** The question a group of controls answers. */
export const question = (page: Page, name: string) =>
  page.getByRole('group').filter({ has: page.locator(`[name="${name}"]`) });

/** The page is accessible on the smallest phone in dark colours, and fits it also with 400 % zoom. */
export const expectLooks = (page: Page) =>
  onDarkPhone(page, async () => {
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
  });

async function onDarkPhone(page: Page, look: () => Promise<void>) {
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 320, height: 640 });
  await look();
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate<string[]>(squeezed)).toEqual([]);
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize({ width: 1280, height: 800 });
  expect(await page.evaluate<string[]>(squeezed)).toEqual([]);
}

/** Fills a text box, by the name of its field. */
export async function fill(page: Page, name: string, value: string) {
  await unfold(page, name);
  await page.locator(`[name="${name}"]`).fill(value);
}

/** Opens the part of a page in which a field is folded. */
const unfold = (page: Page, name: string) =>
  field(page, name).evaluate((control) => control.closest('details')?.setAttribute('open', ''));

/** Chooses among radios, by the name of their field. */
export async function choose(page: Page, name: string, value: string) {
  await unfold(page, name);
  await page.locator(`[name="${name}"][value="${value}"]`).check();
}

/** Enters answers in their wire form into boxes, lists, radios and dates, by field name. */
export async function enter(page: Page, answers: Record<string, string | boolean>) {
  for (const [name, value] of Object.entries(answers)) {
    await unfold(page, name);
    const kind = await field(page, name).evaluate(({ type }) => type);
    if (kind === 'select-one') await field(page, name).selectOption(String(value));
    else if (kind === 'radio') await choose(page, name, String(value));
    else if (kind === 'checkbox') await field(page, name).setChecked(value === true || value === 'true');
    // A whole date pasted into the first box fills all three.
    else await field(page, name).fill(String(value));
  }
}

/** Every message beside a field, letter for letter, by the field's name and in page order. */
const problemsBeside = (page: Page) =>
  page.evaluate<[string, string][]>(`[...document.querySelectorAll('[name]:not(meta)')].flatMap((control, _, all) => {
    const name = control.getAttribute('name');
    if (all.find((other) => other.getAttribute('name') === name) !== control) return [];
    const ids = control.closest('[aria-describedby]')?.getAttribute('aria-describedby').split(' ') ?? [];
    const texts = ids.map((id) => document.getElementById(id)?.textContent ?? '');
    return texts.filter((text) => text.startsWith('Error: ')).map((text) => [name, text.slice(7)]);
  })`);

/** Every link of the summary, letter for letter, by the field it leads to. */
const problemsListed = (page: Page) =>
  page.evaluate<[string, string][]>(
    `[...document.querySelectorAll('[role=alert] a')].map((a) => [a.getAttribute('href').slice(1), a.textContent])`,
  );

/**
 * Exactly these problems are shown beside the fields and in the summary, which has the focus and prefixes the label
 * where the message lacks it. One or two in a panel at the side are not listed on top: the first one's field has the focus.
 */
export async function expectProblems(page: Page, expected: Record<string, string>) {
  const [first = ''] = Object.keys(expected);
  if (Object.keys(expected).length <= 2 && (await page.locator('dialog[data-kind=side][open]').count()) > 0) {
    await expect.poll(async () => Object.fromEntries(await problemsBeside(page))).toEqual(expected);
    return expect(field(page, first)).toBeFocused();
  }
  await expect(summary(page)).toBeFocused();
  await expect.poll(async () => Object.fromEntries(await problemsBeside(page))).toEqual(expected);
  const listed = await problemsListed(page);
  expect(listed.map(([name]) => name)).toEqual((await problemsBeside(page)).map(([name]) => name));
  for (const [name, words] of listed) {
    const label = words.slice(0, words.length - (expected[name] ?? '').length);
    expect(label + expected[name]).toBe(words);
    expect(label).toMatch(/^$|\S[:?] $/);
  }
}

/** The message beside a field right after it is left, before the form is sent. */
export const expectBeside = (page: Page, name: string, words: string | undefined) =>
  expect.poll(async () => Object.fromEntries(await problemsBeside(page))[name]).toBe(words);

/** Chooses a file for a field; a generated picture unless other bytes are given. */
export const attach = (page: Page, name: string, file: { name: string; mimeType?: string; buffer: Buffer } = picture) =>
  page.locator(`input[name="${name}"]`).setInputFiles({ mimeType: 'image/png', ...file });

/** Everything any browser store holds, as text: names, and values as far as they can be read. */
export const stored = (page: Page) =>
  page.evaluate<string>(`(async () => {
    const found = [JSON.stringify({ ...localStorage }), JSON.stringify({ ...sessionStorage })];
    for (const { name } of await indexedDB.databases()) {
      const db = await new Promise((done) => { const ask = indexedDB.open(name); ask.onsuccess = () => done(ask.result); });
      for (const store of db.objectStoreNames) {
        const rows = await new Promise((done) => {
          const ask = db.transaction(store).objectStore(store).getAll();
          ask.onsuccess = () => done(ask.result);
        });
        for (const row of rows) found.push('row ' + new TextDecoder('latin1').decode(row.sealed));
      }
      db.close();
    }
    return found.join(' ');
  })()`);

/** The smallest real PNG: one grey pixel. */
export const picture = {
  name: 'picture.png',
  mimeType: 'image/png',
  buffer: Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==',
    'base64',
  ),
};

/** The same file, padded to this many bytes. */
export const padded = (bytes: Buffer, size: number) => Buffer.concat([bytes, Buffer.alloc(size - bytes.length)]);
