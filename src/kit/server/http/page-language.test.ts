import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import fastify from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Language } from '#kit/contract/languages.ts';
import { servePages } from './static-pages.ts';

const app = fastify();
const folder = mkdtempSync(join(tmpdir(), 'shala-pages-'));
let facts: { languages: Language[]; usualLanguage: Language };
beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'form.html'), '<html lang="en"><head><title>Form</title></head></html>');
  await app.register(cookie);
  const inLanguage = (language: Language) => ({ title: language, noScript: '', links: '' });
  const pages = [{ file: 'form.html', paths: ['/admission'], inLanguage }];
  await servePages(app, { folder, pages, configuration: async () => facts });
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true });
});

interface Reader {
  /** Of the address. */
  lang?: string;
  /** Of the device. */
  chosen?: string;
  /** Of the link that the school sent. */
  known?: string;
  browser?: string;
}
const languageOf = async ({ lang, chosen, known, browser }: Reader) => {
  const query = new URLSearchParams({ ...(lang && { lang }), ...(known && { usual: known }) });
  const { body } = await app.inject({
    url: `/admission?${query}`,
    headers: { ...(browser && { 'accept-language': browser }), ...(chosen && { cookie: `language=${chosen}` }) },
  });
  return /<html lang="(\w+)"/.exec(body)?.[1];
};

test('LG10 a page is in the language of its address, else of the device, else of the link’s holder, else of the browser', async () => {
  facts = { languages: ['en', 'gu', 'hi'], usualLanguage: 'en' };
  const french = { browser: 'fr, gu;q=0.9' };
  expect(await languageOf({ lang: 'hi', chosen: 'gu', known: 'en', ...french })).toBe('hi');
  expect(await languageOf({ chosen: 'gu', known: 'hi', ...french })).toBe('gu');
  expect(await languageOf({ known: 'hi', browser: 'gu' })).toBe('hi');
  expect(await languageOf({ known: 'en', browser: 'gu' })).toBe('en');
  // The language that a browser wants first is one that the school does not write.
  expect(await languageOf(french)).toBe('en');
  expect(await languageOf({ browser: 'gu-IN, en;q=0.8' })).toBe('gu');
  expect(await languageOf({ browser: 'en;q=0.8, hi;q=0.9' })).toBe('hi');
  expect(await languageOf({})).toBe('en');
});

test('a language that is not offered, or is none, counts as no answer, and the school’s usual language is the last one', async () => {
  facts = { languages: ['en', 'hi'], usualLanguage: 'en' };
  expect(await languageOf({ lang: 'gu', browser: 'gu' })).toBe('en');
  expect(await languageOf({ lang: 'gu', chosen: 'hi' })).toBe('hi');
  for (const lang of ['GU', 'xx', '__proto__', 'g'.repeat(3000)])
    expect(await languageOf({ lang, chosen: lang })).toBe('en');
  facts = { languages: ['en', 'hi'], usualLanguage: 'hi' };
  expect(await languageOf({ browser: 'fr' })).toBe('hi');
});
