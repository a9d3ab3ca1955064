import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import academic from '#features/academic/server/routes.ts';
import admission from '#features/admission/server/routes.ts';
import audit from '#features/audit/server.ts';
import calendar from '#features/calendar/server/routes.ts';
import school from '#features/school/server/routes.ts';
import { readAppConfiguration } from '#features/school/server/school.ts';
import signIn from '#features/sign-in/server/routes.ts';
import skill from '#features/skill/server/routes.ts';
import staff from '#features/staff/server.ts';
import student from '#features/student/server/section-student.ts';
import subject from '#features/subject/server/routes.ts';
import tag from '#features/tag/server/routes.ts';
import teaching from '#features/teaching/server/section-teacher.ts';
import type { Config } from '#kit/server/config.ts';
import type { Services } from '#kit/server/context.ts';
import { openHttp } from '#kit/server/http/http.ts';
import { serve } from '#kit/server/http/routes.ts';
import { servePages } from '#kit/server/http/static-pages.ts';
import { serveHealth } from './health.ts';
import { serveOutbox } from './outbox.ts';
import { servedPages } from './served-pages.ts';
import dashboard from './warnings.ts';

/** Every operation of the product, feature by feature. */
export const allRoutes = [
  ...school,
  ...calendar,
  ...academic,
  ...teaching,
  ...student,
  ...subject,
  ...tag,
  ...skill,
  ...admission,
  ...signIn,
  ...staff,
  ...audit,
  ...dashboard,
];

export const buildFolder = join(import.meta.dirname, '../../dist');

/** Puts the server together; it does not listen yet. */
export async function buildServer(services: Services, config: Config, log: Logger): Promise<FastifyInstance> {
  const isSecure = config.publicUrl.startsWith('https:');
  const app = await openHttp({ log, trustedProxies: config.trustedProxies, isSecure });
  serve(app, services, allRoutes);
  serveHealth(app, services);
  if (!config.production && config.isLocal) serveOutbox(app, services);
  if (existsSync(join(buildFolder, 'form.html'))) {
    const { drawFirstPaint } = await loadFirstPaint();
    await servePages(app, {
      folder: buildFolder,
      pages: servedPages.map(({ file, isFirst, paths }) => ({
        file,
        paths,
        firstPaint: isFirst ? drawFirstPaint : undefined,
      })),
      // A page without its school's name is better than no page: it asks again itself.
      configuration: () => readAppConfiguration(services).catch(() => ({})),
    });
  }
  return app;
}

/** Made by the build from the form's own components (src/first-paint.tsx). */
const loadFirstPaint = (): Promise<{ drawFirstPaint: (configuration: object) => string }> =>
  import(join(buildFolder, 'first-paint/first-paint.js'));
