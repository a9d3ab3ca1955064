import { permissionSets } from '#access/contract/grants.ts';
import { features } from '../../src/app/features.server.ts';
import { listSearchedPages } from '../../src/app/pages.ts';
import { formPaths } from '../../src/features/admission-form/contract/pages.ts';
import type { Page } from '../../src/kit/contract/page.ts';
import type { DemoSchool, Role } from './school.ts';

/** A page that is photographed. */
export interface Shot {
  /** The prefix of its pictures' names. */
  name: string;
  address: string;
  /** The signed-in role; none for pages before sign-in and the parents' form. */
  role?: Role;
  /** The page shows a refusal, so an error is expected. */
  isRefused?: boolean;
}

const built: readonly Page[] = features.flatMap(({ pages }) => pages);
const shell = '/school-erp';

/** Every page of the product: those of the manifests, those of the menu and the parents' form. */
export function listShots({ forms }: Pick<DemoSchool, 'forms'>, params: Record<string, string>): Shot[] {
  const ofAdmin = pagesOf('Admin');
  const inAdmin = new Set(ofAdmin.map(({ path }) => path));
  const ofStaff = pagesOf('Staff').filter(({ path }) => !inAdmin.has(path));
  return [
    ...listFormShots(forms),
    ...built.filter(({ path }) => path.startsWith('/')).map(({ path }) => ({ name: nameOf(path), address: path })),
    ...ofAdmin.map(({ path }) => inShell('Admin', path, params)),
    ...ofStaff.map(({ path }) => inShell('Staff', path, params)),
    { ...inShell('Staff', '', params), name: 'dashboard-staff' },
    { ...inShell('Teacher', '', params), name: 'dashboard-teacher' },
  ];
}

/** The pages that a role may open; a path with a parameter is opened with the record of the path or parameter in `params`. */
function pagesOf(role: 'Staff' | 'Admin'): Page[] {
  // Search finds each tab of a page; the camera goes to the tabs by itself.
  const searched = new Set(listSearchedPages(built, { role, sets: permissionSets }).map(({ page }) => page));
  const ofRecords = built.filter(({ path, roles }) => path.includes('$') && (roles?.includes(role) ?? true));
  return [...searched, ...ofRecords];
}

function inShell(role: Role, path: string, params: Record<string, string>): Shot {
  const address = path.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const value = params[path] ?? params[name];
    if (value === undefined) throw new Error(`scripts/shots.ts has to say what ${name} of ${path} is.`);
    return value;
  });
  return { name: nameOf(path), address: path === '' ? `${shell}/dashboard` : `${shell}/${address}`, role };
}

function listFormShots(forms: Record<string, string>): Shot[] {
  const form = (state: string, path = formPaths[0] as string) =>
    (forms[state] ?? '').replace(`${formPaths[0]}?`, `${path}?`);
  return [
    ...formPaths.map((path) => ({ name: nameOf(path), address: form('half filled', path) })),
    { name: 'admission-consent', address: form('consent needed') },
    { name: 'admission-to-submit', address: form('ready to submit', formPaths.at(-1)) },
    { name: 'admission-submitted', address: form('submitted', formPaths.at(-1)) },
    { name: 'admission-no-link', address: `${formPaths[0]}?inquiryNo=${'0'.repeat(32)}`, isRefused: true },
  ];
}

const nameOf = (path: string) => path.replaceAll(/^\/|\/$|\$/g, '').replaceAll('/', '-') || 'dashboard';
