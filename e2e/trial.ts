import type { Page, Response } from '@playwright/test';
import { initialsOf } from '../src/kit/contract/initials.ts';
import { isText } from '../src/kit/contract/text.ts';
import { outsideBrackets } from '../testing/trial.ts';
import { ask, expect, port } from './school.ts';

/** The school in the trial language. */
export const trialUrl = `http://127.0.0.1:${port + 2}`;

let texts: Promise<ReadonlySet<string>> | undefined;
/** The texts of contracts and server. */
const readTexts = () => (texts ??= ask<string[]>('/texts', {}).then((ids) => new Set(ids)));

/** The words of the answers that arrived so far. A page may show an answer before its body is read here. */
export type Entered = () => Promise<ReadonlySet<string>>;

/** Collects the server's answers to a page: only words that a person entered may be outside brackets. */
export function listenToAnswers(page: Page): Entered {
  const entered = new Set<string>();
  const reads: Promise<void>[] = [];
  const addWords = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) entered.add(String(value));
    else for (const [name, part] of Object.entries(value)) [entered.add(name), addWords(part)];
  };
  const collect = (value: unknown, texts: ReadonlySet<string>): void => {
    if (typeof value === 'boolean') entered.add(String(value));
    if (typeof value === 'string' && !texts.has(value)) entered.add(value);
    if (typeof value !== 'object' || !value || isText(value)) return;
    for (const [name, part] of Object.entries(value)) {
      // A name may be that of an option, also of who did what, and the details of an audit entry hold codes.
      if (/name$|^actor$/i.test(name) && typeof part === 'string') entered.add(part);
      else if (name === 'details') addWords(part);
      else if (name !== 'message' && name !== 'errors') collect(part, texts);
    }
  };
  const read = async (response: Response) => {
    if (response.headers()['content-type']?.includes('json'))
      collect(await response.json().catch(() => undefined), await readTexts());
    else if (response.request().resourceType() === 'document') {
      const [, configuration] = /app-configuration[^>]*>([^<]*)</.exec(await response.text().catch(() => '')) ?? [];
      if (configuration) collect(JSON.parse(configuration), await readTexts());
    }
  };
  page.on('response', (response) => reads.push(read(response)));
  return async () => {
    await Promise.all(reads);
    return entered;
  };
}

const shown = `(() => {
  const parts = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = texts.nextNode()); )
    if (!node.parentElement.closest('script, style, noscript, textarea')) parts.push(node.data);
  const labels = [...document.querySelectorAll('body *')].flatMap((element) =>
    ['aria-label', 'placeholder', 'title', 'alt', 'data-head'].map((name) => element.getAttribute(name) ?? ''));
  // The specification fixes one title.
  const title = document.title.replace('Sign In | School ERP System', '');
  return { parts, labels: [...labels, title] };
})()`;

/** What a browser writes: dates, months, weekdays, times, the names of keys, devices and operations; and the example of a number. */
const months = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|[A-Z][a-z]+(?= 20\\d\\d)';
const written = new RegExp(
  [
    `\\b(\\d{1,2} )?(${months})( \\d{4})?\\b`,
    '\\b(Mon|Tues?|Wed(nes)?|Thu(rs)?|Fri|Sat(ur)?|Sun)(day)?\\b',
    '\\d+(:\\d\\d)? [ap]m\\b',
    '^Ctrl K$|^Chrome, Linux$|^[A-Z]+/[\\d/-]+$|^(EMP|SC)\\d+$',
    // Languages are named in themselves.
    '^(English|ગુજરાતી|हिन्दी)$',
    // The operation of a refused request, in the audit log.
    '^(GET|POST|PUT|DELETE) /[\\w/:-]+$',
  ].join('|'),
  'gi',
);

/** Each word on the page is in the trial language or was entered by a person. */
export async function expectTrial(page: Page, entered: Entered) {
  const { parts, labels } = await page.evaluate<{ parts: string[]; labels: string[] }>(shown);
  expect(parts.join(' ')).toContain('«');
  const all = [...outsideBrackets(parts), ...labels.flatMap((label) => outsideBrackets([label]))];
  // A page may join what was entered with commas and spaces.
  const wordsOf = (value: string) => value.split(/[,|@.\s]+/);
  // The initials of a person without a picture follow from the name.
  const known = new Set([...(await entered())].flatMap((value) => [...wordsOf(value), initialsOf(value)]));
  const isEntered = (rest: string) => wordsOf(rest).every((word) => known.has(word) || !/\p{L}.*\p{L}/u.test(word));
  const left = all.map((rest) => rest.replaceAll(written, '').trim()).filter((rest) => /\p{L}/u.test(rest));
  expect([...new Set(left.filter((rest) => !isEntered(rest)))]).toEqual([]);
}
