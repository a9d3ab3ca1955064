import { readSchoolName } from '#features/school/api.ts';
import { iconAddress } from '#features/school/contract/school.ts';
import { type Handler, routes } from '#kit/server/http/routes.ts';
import { manifestApi } from '../contract/manifest.ts';
import { familyPath } from '../contract/pages.ts';

/** The most letters below an icon. */
const mostBelow = 12;

/** The first words of a name that fit below an icon. */
function shortName(name: string): string {
  const words = name.split(' ');
  while (words.length > 1 && words.join(' ').length > mostBelow) words.pop();
  return words.join(' ');
}

const manifest: Handler<typeof manifestApi.manifest> = async (ctx) => {
  const name = await readSchoolName(ctx);
  const icon = { src: iconAddress, sizes: '512x512', type: 'image/png' };
  const own = {
    name,
    short_name: shortName(name),
    start_url: familyPath,
    id: familyPath,
    scope: familyPath,
    display: 'standalone',
    theme_color: '#0b6e6e',
    background_color: '#ffffff',
    icons: [
      { ...icon, purpose: 'any' },
      { ...icon, purpose: 'maskable' },
    ],
  };
  return {
    mediaType: 'application/manifest+json',
    name: 'family.webmanifest',
    bytes: Buffer.from(JSON.stringify(own)),
  };
};

export const manifestRoutes = routes(manifestApi, { manifest });
