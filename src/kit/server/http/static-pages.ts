import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { negotiate } from '@fastify/accept-negotiator';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

interface Page {
  /** The entry's HTML file in the build. */
  file: string;
  paths: readonly string[];
  /** Renders the first paint, before any script has loaded, from the configuration alone. */
  firstPaint?: ((configuration: object) => string) | undefined;
  ahead?: Ahead | undefined;
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
  firstPaint: (configuration: object) => string;
}

interface Options {
  /** The folder of the build. */
  folder: string;
  /** The path of its scripts and styles, which the build must know too. */
  assets?: string;
  pages: readonly Page[];
  /** Public facts every page starts with, as JSON in the page itself. */
  configuration: () => Promise<object>;
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
  for (const { file, paths, firstPaint, ahead } of pages) {
    const html = readFileSync(join(folder, file), 'utf8');
    const usual: OpenedPage = { links: '', firstPaint: firstPaint ?? (() => '') };
    const fill = filling(html);
    for (const path of paths) {
      // As people copy addresses.
      if (!path.endsWith('*') && path !== '/')
        app.get(`${path}/`, { config }, (request, reply) => reply.redirect(path + request.url.slice(path.length + 1)));
      app.get(path, { config }, async ({ headers, cookies, url }, reply) => {
        const isAhead = ahead !== undefined && url.startsWith(ahead.under) && cookies[ahead.cookie] !== undefined;
        const [address = ''] = url.split('?');
        const opened = isAhead ? ahead.open(address) : usual;
        const { page, compressed } = fill(opened, await configuration(), cookies.colours);
        reply.type('text/html; charset=utf-8').header('vary', 'accept-encoding');
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

/** The colours that a person may have chosen on a device (src/kit/browser/ui/colours.ts). */
const chosenColours = ['light', 'dark'];

/**
 * Inserts the configuration, the first paint, its links and the chosen colours into a page; rendered again only when the
 * school's facts have changed.
 */
function filling(html: string) {
  let json = '';
  const pages = new Map<OpenedPage, Map<string, { page: string; compressed: Buffer }>>();
  return (opened: OpenedPage, configuration: object, cookie = '') => {
    const current = JSON.stringify(configuration).replaceAll('<', '\\u003c');
    if (current !== json) pages.clear();
    json = current;
    const colours = chosenColours.includes(cookie) ? cookie : '';
    const inColours = pages.get(opened) ?? new Map();
    pages.set(opened, inColours);
    let filled = inColours.get(colours);
    if (!filled) {
      const drawn = opened.firstPaint(configuration);
      // Functions, because "$" has a special meaning in a replacement text.
      const page = html
        .replace('<html ', colours ? `<html data-colours="${colours}" ` : '<html ')
        .replace('</head>', () => `${opened.links}</head>`)
        .replace(/(?<=id="app-configuration">)"app-configuration"/, () => json)
        .replace('<div id="root"></div>', () => `<div id="root">${drawn}</div>`);
      // It contains only public facts, so its length reveals nothing.
      filled = { page, compressed: brotliCompressSync(page) };
      inColours.set(colours, filled);
    }
    return filled;
  };
}
