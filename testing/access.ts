// Whom a row of the access matrix lets in, and what of the server says otherwise.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { FastifyInstance, RouteOptions } from 'fastify';
import { type PermissionSet, permissionSets } from '#access/contract/grants.ts';
import { type Access, type KnownCaller, linkNameOf, linkParameter, mayCall } from '#kit/contract/endpoint.ts';
import type { Row } from './callers.ts';

/** The columns of the matrix. */
export const callers = [
  'anonymous',
  'link holder',
  'family link holder',
  'proven family link holder',
  'feed link holder',
  'Staff without the set',
  'Staff with it',
  'Staff who teaches today',
  'Staff who taught until yesterday',
  'Staff of the office of one branch',
  'Admin',
  'deactivated',
  'relieved yesterday',
] as const;
export type Caller = (typeof callers)[number];

export type Sets = readonly PermissionSet[];

/** The sets that follow from teaching. */
export const teacherSets: Sets = ['classTeacher', 'subjectTeacher'];

/** The permission sets of the callers of a kind, in turn: each permitted set alone; none of them, and all others. */
export function setsOf(caller: Caller, { staff }: Row): Sets[] {
  if (caller === 'Staff who teaches today') return [teacherSets];
  if (caller === 'Staff who taught until yesterday') return [[]];
  if (caller === 'Staff of the office of one branch') return [['office']];
  if (staff === 'all') return caller === 'Staff without the set' ? [[]] : [permissionSets];
  if (caller === 'Staff with it' && staff) return staff.map((set) => [set]);
  return [permissionSets.filter((set) => !staff?.includes(set))];
}

/** Whether a row lets a caller with these sets in. */
export function isLetIn(
  { anyone, linkHolder, familyHolder, provenHolder, feedHolder, staff, admin }: Row,
  caller: Caller,
  sets: Sets,
): boolean {
  if (caller === 'link holder') return Boolean(linkHolder);
  if (caller === 'family link holder') return Boolean(familyHolder);
  if (caller === 'proven family link holder') return Boolean(familyHolder || provenHolder);
  if (caller === 'feed link holder') return Boolean(feedHolder);
  if (caller === 'Admin') return Boolean(admin);
  if (caller.startsWith('Staff')) return staff === 'all' || sets.some((set) => staff?.includes(set));
  return Boolean(anyone);
}

/** A caller, with the sets where they decide: `Staff with it office`. */
export const nameOf = (caller: Caller, sets: Sets) =>
  caller.startsWith('Staff') ? [caller, ...sets].join(' ') : caller;

/** What the server knows of a caller; of those without a session it knows nothing. */
function knownOf(caller: Caller, sets: Sets): KnownCaller {
  if (caller === 'link holder') return { link: linkParameter };
  if (caller === 'family link holder') return { link: 'family' };
  if (caller === 'proven family link holder') return { link: 'family', isProven: true };
  if (caller === 'feed link holder') return { link: 'feed' };
  if (caller === 'Admin' || caller.startsWith('Staff'))
    return { user: { role: caller === 'Admin' ? 'Admin' : 'Staff', sets } };
  return {};
}

/** Where an operation's `access` says otherwise than its row: of every caller, and of Staff with each set alone. */
export function contradictions(access: Access, row: Row): string[] {
  const alone = permissionSets.map((set) => ['Staff with it', [set]] as const);
  const all = callers.flatMap((caller) => setsOf(caller, row).map((sets) => [caller, sets] as const));
  return [...all, ...alone].flatMap(([caller, sets]) => {
    const may = mayCall(access, knownOf(caller, sets));
    return may === isLetIn(row, caller, sets) ? [] : [`${nameOf(caller, sets)} ${may ? 'may' : 'may not'} call`];
  });
}

type Registered = Pick<RouteOptions, 'method' | 'url' | 'config'>;

/** Builds a server, and collects the routes below /api that it registers, whichever module does so. */
export async function withRoutes<Built>(build: () => Promise<Built>): Promise<{ built: Built; routes: Registered[] }> {
  const routes: Registered[] = [];
  const collect = (message: unknown) =>
    (message as { fastify: FastifyInstance }).fastify.addHook('onRoute', (route) => {
      // Fastify adds a HEAD for every GET.
      if (route.url.startsWith('/api/') && route.method !== 'HEAD') routes.push(route);
    });
  subscribe('fastify.initialization', collect);
  try {
    return { built: await build(), routes };
  } finally {
    unsubscribe('fastify.initialization', collect);
  }
}

/** The routes that do not refuse a caller without a session or a link, although their `access` asks for one. */
export async function unguarded(app: FastifyInstance, routes: readonly Registered[]): Promise<string[]> {
  const open: string[] = [];
  for (const { method, url, config } of routes) {
    if (config?.access === undefined || config.access === 'public') continue;
    const { statusCode } = await app.inject({
      method: method as 'GET',
      url: url.replace(/:\w+/g, '1'),
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    // An address that tries many links is refused for their number.
    const refusals = linkNameOf(config.access) ? [404, 429] : [401];
    if (!refusals.includes(statusCode)) open.push(`${method} ${url} answers ${statusCode}`);
  }
  return open;
}
