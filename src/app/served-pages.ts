import { formPaths } from '#features/admission-form/contract/pages.ts';
import { familyPath } from '#features/family/contract/pages.ts';
import { features } from './features.server.ts';

const [firstOfForm, ...restOfForm] = formPaths;

const beforeSigningIn = features
  .flatMap(({ pages }) => pages.map(({ path }) => path))
  .filter((path) => path.startsWith('/'));

/** The addresses of the product's pages by the HTML entry that serves them. An address that ends with `/*` serves all below it. */
export const servedPages = [
  { file: 'form.html', isFirst: true, paths: [firstOfForm] },
  { file: 'form.html', isFirst: false, paths: restOfForm },
  { file: 'family.html', isFirst: false, paths: [familyPath] },
  {
    file: 'browser.html',
    isFirst: false,
    paths: [...beforeSigningIn, '/school-erp', '/school-erp/*'],
  },
];

export const findEntry = (path: string): string | undefined =>
  servedPages.find(({ paths }) =>
    paths.some((served) => (served.endsWith('/*') ? path.startsWith(served.slice(0, -1)) : path === served)),
  )?.file;
