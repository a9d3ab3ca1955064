import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { dashboardRoutes } from '#features/dashboard/server.ts';
import { readAppConfiguration } from '#features/school/server/school.ts';
import { searchRoutes } from '#features/search/server.ts';
import { setUpRoutes } from '#features/set-up/server/set-up.ts';
import type { Language } from '#kit/contract/languages.ts';
import type { Config } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { openHttp } from '#kit/server/http/http.ts';
import { serve } from '#kit/server/http/routes.ts';
import { servePages } from '#kit/server/http/static-pages.ts';
import { type DrawShell, readAhead } from './ahead.ts';
import { features } from './features.server.ts';
import { serveHealth } from './health.ts';
import type { Metrics } from './metrics.ts';
import { serveOutbox } from './outbox.ts';
import { readPageLanguages } from './page-words.ts';
import { openProgram, type Program, refuseWhenOld } from './program.ts';
import { serveProofs } from './proofs.ts';
import { servedPages } from './served-pages.ts';
import { serveShortLinks } from './short-links.ts';
import { findWarnings } from './warnings.ts';

/** Every operation of the product. */
export const allRoutes = [
  ...features.flatMap(({ routes }) => routes),
  ...dashboardRoutes(
    features.flatMap(({ cards }) => cards),
    features.flatMap(({ todos }) => todos),
    features.flatMap(({ badges }) => badges),
    {
      cells: features.flatMap(({ dayCells }) => dayCells),
      readOwnSections: features.flatMap(({ readOwnSections = [] }) => readOwnSections),
      readComingDays: features.flatMap(({ readComingDays = [] }) => readComingDays),
    },
    {
      figures: features.flatMap(({ dayFigures }) => dayFigures),
      charts: features.flatMap(({ charts }) => charts),
      changes: features.flatMap(({ dayChanges }) => dayChanges),
    },
    findWarnings,
  ),
  ...setUpRoutes(features.flatMap(({ setUp }) => setUp)),
  ...searchRoutes(features.flatMap(({ searches }) => searches)),
];

export const buildFolder = join(import.meta.dirname, '../../dist');

interface Parts {
  program?: Program;
  /** Whether it serves the built pages; by default where they are. */
  hasPages?: boolean;
  /** Counts its answers. */
  metrics?: Pick<Metrics, 'watch'>;
}

/** Puts the server together; it does not listen yet. */
export async function buildServer(
  services: Services,
  config: Config,
  log: Logger,
  { program = openProgram(services, log), hasPages = existsSync(join(buildFolder, 'form.html')), metrics }: Parts = {},
): Promise<FastifyInstance> {
  const isSecure = config.publicUrl.startsWith('https:');
  const app = await openHttp({ log, trustedProxies: config.trustedProxies, isSecure });
  metrics?.watch(app);
  refuseWhenOld(app, program);
  serve(app, services, allRoutes);
  serveHealth(app, services, program);
  serveShortLinks(app, services);
  serveProofs(app, services);
  if (!config.production && config.isLocal) {
    serveOutbox(app, services);
    await serveGallery(app);
  }
  if (hasPages) {
    const { drawFirstPaint, drawShell } = await loadFirstPaint();
    const languagesOf = (file: string) =>
      file === 'form.html' || file === 'family.html'
        ? readPageLanguages(buildFolder, file === 'form.html' ? 'form' : 'family')
        : undefined;
    await servePages(app, {
      folder: buildFolder,
      pages: servedPages.map(({ file, isFirst, paths }) => ({
        file,
        paths,
        firstPaint: isFirst ? drawFirstPaint : undefined,
        inLanguage: languagesOf(file),
        ahead: file === 'browser.html' ? readAhead(buildFolder, drawShell) : undefined,
      })),
      // A page without its school's name is better than no page: the page itself asks again.
      configuration: () => readAppConfiguration(services).catch(() => ({})),
    });
  }
  return app;
}

/** /dev/kit: every component of the kit, built separately from what families and staff load. */
async function serveGallery(app: FastifyInstance) {
  const folder = join(buildFolder, 'kit');
  if (!existsSync(folder)) return;
  await servePages(app, {
    folder,
    assets: '/dev/kit/assets/',
    pages: [{ file: 'kit.html', paths: ['/dev/kit'] }],
    configuration: async () => ({}),
  });
}

/** Made by the build from the form's and the shell's own components (src/first-paint.tsx). */
const loadFirstPaint = (): Promise<{
  drawFirstPaint: (configuration: object, language: Language) => string;
  drawShell: DrawShell;
}> => import(join(buildFolder, 'first-paint/first-paint.js'));
