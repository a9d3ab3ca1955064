import { existsSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { isLanguage, type Language } from '#kit/contract/languages.ts';

interface Page {
  /** The entry's HTML file in the build. */
  file: string;
  paths: readonly string[];
  /** Renders the first paint, before any script has loaded, from the configuration alone. */
  firstPaint?: ((configuration: object, language: Language) => string) | undefined;
  /** Of a page in several languages: what its HTML says, and the links to the words of its script. */
  inLanguage?: ((language: Language) => PageWords & { links: string }) | undefined;
  ahead?: Ahead | undefined;
}

/** What HTML says besides its first paint. */
export interface PageWords {
  title: string;
  noScript: string;
}

/** What pages get ahead of their first script. */
interface Ahead {
  /** Only for a browser that sends this cookie. */
  cookie: string;
  /** Only for addresses that begin with this. */
  under: string;
  /** The page at a path. Returns the same object for each page of a kind, because its HTML is cached by it. */
  open: (path: string) => OpenedPage;
  /** The API address to preload for this URL, if any. */
  dataOf: (url: string) => string | undefined;
}

export interface OpenedPage {
  /** Link elements for the head: what the page asks for next, fetched while its first script still loads. */
  links: string;
  /** Renders the HTML shown until the scripts have run. It gets the school's public facts only. */
  firstPaint: (configuration: object, language: Language) => string;
}

interface Options {
  /** The folder of the build. */
  folder: string;
  /** The path of its scripts and styles, which the build must know too. */
  assets?: string;
  pages: readonly Page[];
  /** Public facts every page starts with, as JSON in the page itself. */
  configuration: () => Promise<{ languages?: readonly Language[]; usualLanguage?: Language }>;
}

const publicFiles = ['icon.svg', 'robots.txt'];

/** Serves the built pages: HTML always fresh with the configuration in it, everything else cached by its hash. */
export async function servePages(app: FastifyInstance, options: Options) {
  const { folder, assets = '/assets/', pages, configuration } = options;
  const config = { access: 'public' } as const;
  await app.register(async (inner) => {
    // The plugin's routes below serve files of the build, open to everyone.
    inner.addHook('onRoute', (route) => {
      route.config = { ...route.config, ...config };
    });
    await inner.register(fastifyStatic, {
      root: join(folder, 'assets'),
      prefix: assets,
      preCompressed: true,
      immutable: true,
      maxAge: '365d',
      index: false,
      redirect: false,
      setHeaders: (reply) => {
        reply.header('cache-control', 'public, max-age=31536000, immutable');
      },
    });
  });
  for (const { file, paths, firstPaint, inLanguage, ahead } of pages) {
    const html = readFileSync(join(folder, file), 'utf8');
    const usual: OpenedPage = { links: '', firstPaint: firstPaint ?? (() => '') };
    const fill = filling(html, inLanguage);
    for (const path of paths) {
      // As people copy addresses.
      if (!path.endsWith('*') && path !== '/')
        app.get(`${path}/`, { config }, (request, reply) => reply.redirect(path + request.url.slice(path.length + 1)));
      app.get(path, { config }, async ({ headers, cookies, url, query }, reply) => {
        const isAhead = ahead !== undefined && url.startsWith(ahead.under) && cookies[ahead.cookie] !== undefined;
        const [address = ''] = url.split('?');
        const opened = isAhead ? ahead.open(address) : usual;
        // `lang` is the reader's choice, `usual` what the school knows of the reader, from a link that it sent.
        const { lang, usual: known } = query as Record<string, unknown>;
        const before = inLanguage && lang !== undefined ? addressBefore(headers, url) : undefined;
        if (before) return reply.header('vary', varying).redirect(before);
        const facts = await configuration();
        const wanted = [
          lang,
          cookies.language,
          known,
          firstWanted(headers['accept-language']),
          facts.usualLanguage,
        ].find((one) => isLanguage(one) && (facts.languages ?? ['en']).includes(one));
        const language = inLanguage && isLanguage(wanted) ? wanted : 'en';
        const { page, compressed } = fill(opened, facts, { colours: cookies.colours, language });
        reply.type('text/html; charset=utf-8').header('vary', inLanguage ? varying : 'accept-encoding');
        const data = isAhead ? ahead.dataOf(url) : undefined;
        if (data) reply.header('link', `<${data}>; rel=preload; as=fetch; crossorigin`);
        if (negotiate(headers['accept-encoding'] ?? '', ['br']) === null) return reply.send(page);
        return reply.header('content-encoding', 'br').send(compressed);
      });
    }
  }
  for (const name of publicFiles.filter((name) => existsSync(join(folder, name)))) {
    const bytes = readFileSync(join(folder, name));
    const type = name.endsWith('.svg') ? 'image/svg+xml' : 'text/plain';
    app.get(`/${name}`, { config }, async (_request, reply) =>
      reply.type(type).header('cache-control', 'public, max-age=3600').send(bytes),
    );
  }
}

const varying = 'accept-encoding, accept-language, cookie';

/** The language that a browser asks for first, without its region. */
function firstWanted(header = ''): string | undefined {
  const wanted = header
    .slice(0, 200)
    .split(',')
    .map((one, place) => {
      const [name = '', ...parameters] = one.trim().toLowerCase().split(';');
      const quality = parameters.map((parameter) => parameter.trim()).find((parameter) => parameter.startsWith('q='));
      return { name: name.split('-')[0], quality: quality ? Number(quality.slice(2)) || 0 : 1, place };
    });
  return wanted.sort((one, other) => other.quality - one.quality || one.place - other.place)[0]?.name;
}

/**
 * Where a link of the page's own HTML leads, which has the language alone: to the address of the page that it was on, with
 * the rest of its query. The browser names that only to this site.
 */
function addressBefore({ referer, host }: IncomingHttpHeaders, url: string): string | undefined {
  const [path = '', query = ''] = url.split('?');
  const asked = new URLSearchParams(query);
  if (!referer || !URL.canParse(referer) || [...asked.keys()].join() !== 'lang') return undefined;
  const from = new URL(referer);
  if (from.host !== host || from.pathname !== path) return undefined;
  const rest = from.searchParams;
  rest.delete('lang');
  if (rest.size === 0) return undefined;
  rest.set('lang', asked.get('lang') ?? '');
  return `${path}?${rest}`;
}

/** The colours that a person may have chosen on a device (src/kit/browser/ui/colours.ts). */
const chosenColours = ['light', 'dark'];

/**
 * Inserts the configuration, the first paint, its links, the chosen colours and the words of a language into a page; rendered
 * again only when the school's facts have changed.
 */
function filling(html: string, inLanguage: Page['inLanguage']) {
  let json = '';
  const pages = new Map<OpenedPage, Map<string, { page: string; compressed: Buffer }>>();
  return (opened: OpenedPage, configuration: object, chosen: { colours: string | undefined; language: Language }) => {
    const current = JSON.stringify(configuration).replaceAll('<', '\\u003c');
    if (current !== json) pages.clear();
    json = current;
    const { language } = chosen;
    const colours = chosenColours.find((one) => one === chosen.colours) ?? '';
    const kind = `${colours} ${language}`;
    const kinds = pages.get(opened) ?? new Map();
    pages.set(opened, kinds);
    let filled = kinds.get(kind);
    if (!filled) {
      const drawn = opened.firstPaint(configuration, language);
      const words = language === 'en' ? undefined : inLanguage?.(language);
      // Functions, because "$" has a special meaning in a replacement text.
      const page = html
        .replace('<html lang="en"', `<html${colours && ` data-colours="${colours}"`} lang="${language}"`)
        .replace('</head>', () => `${words?.links ?? ''}${opened.links}</head>`)
        .replace(/(?<=id="app-configuration">)"app-configuration"/, () => json)
        .replace('<div id="root"></div>', () => `<div id="root">${drawn}</div>`)
        .replace(/(?<=<title>)[^<]*/, (usual) => words?.title ?? usual)
        .replace(/(?<=<noscript>)[^<]*/, (usual) => words?.noScript ?? usual);
      // It contains only public facts, so its length reveals nothing.
      filled = { page, compressed: brotliCompressSync(page) };
      kinds.set(kind, filled);
    }
    return filled;
  };
}
