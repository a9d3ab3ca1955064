import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { yearApi } from '#features/calendar/contract/year.ts';
import { notificationApi } from '#features/notification/contract.ts';
import { signInApi } from '#features/sign-in/contract/sign-in.ts';
import { sessionCookie } from '#kit/server/security/session.ts';

/** What every page of the shell reads before its own data. */
const reads = [signInApi.me, yearApi.list, notificationApi.unread];

/** The chunks that every page of the shell loads (scripts/chunk-groups.ts). */
const chunks = ['sign-in', 'shell', 'kit'];

/** The shell's chunks and first reads, for pages that a signed-in person opens. */
export function readAhead(buildFolder: string) {
  const manifest: Record<string, { name?: string; file: string; css?: string[] }> = JSON.parse(
    readFileSync(join(buildFolder, '.vite/browser.json'), 'utf8'),
  );
  const found = Object.values(manifest).filter(({ name, file }) => file.endsWith('.js') && chunks.includes(name ?? ''));
  const links = [
    ...found.map(({ file }) => `<link rel="modulepreload" crossorigin href="/${file}">`),
    ...found
      .flatMap(({ css = [] }) => css)
      .map((file) => `<link rel="preload" as="style" crossorigin href="/${file}">`),
    ...reads.map(({ path }) => `<link rel="preload" as="fetch" crossorigin href="/api${path}">`),
  ];
  return { cookie: sessionCookie, under: '/school-erp/', links: links.join('') };
}
