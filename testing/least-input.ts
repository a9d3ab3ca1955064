import { grantedSets } from '#access/contract/grants.ts';
import type { Endpoint } from '#kit/contract/endpoint.ts';
import { AppError } from '#kit/contract/errors.ts';
import { isPassingFailure } from '#kit/server/database/database.ts';
import type { Route } from '#kit/server/http/routes.ts';
import type { Person } from './browser.ts';
import { leastOf } from './inputs.ts';
import { matrix } from './matrix.ts';
import type { School } from './school.ts';
import { openAllOfStaff } from './teachers.ts';

/** Somebody who may call the operation: an Admin where one may. */
export function callerOf(school: School, { access }: Pick<Endpoint, 'access'>): Promise<Person> {
  const isOfStaff = Array.isArray(access) && !access.some(({ role }) => role === 'Admin');
  if (!isOfStaff) return school.person({ role: 'Admin' });
  const granted = access.flatMap(({ sets }) => sets);
  const sets = grantedSets.filter((set) => granted.includes(set));
  // Other sets follow from what a teacher is mapped to.
  return sets.length > 0 ? school.person({ role: 'Staff', sets }) : openAllOfStaff(school);
}

/** The least that an operation accepts: every field absent or empty where it may be, and the id 1 of every record. */
export function leastInput(endpoint: Endpoint): Record<string, unknown> {
  const least = leastOf(endpoint.input) as Record<string, unknown>;
  if (endpoint.input.safeParse(least).success) return least;
  return { ...least, ...matrix[`${endpoint.method} ${endpoint.path}`]?.example };
}

class Undone extends Error {}

/** Runs a handler as the server does but for the request, and undoes what it wrote. Returns its failure that is no refusal. */
export async function failureOf(
  { services, context }: Pick<School, 'services' | 'context'>,
  { endpoint, handle, serverInput }: Route,
  { input, ...known }: { input: Record<string, unknown>; [name: string]: unknown },
): Promise<unknown> {
  const act = async (db: unknown) => {
    const ctx = { ...context(), ...known, db } as unknown as Parameters<Route['handle']>[0];
    const parsed = endpoint.input.safeParse({ ...input, ...((await serverInput?.(ctx)) ?? {}) });
    if (parsed.success) endpoint.output.parse(await handle(ctx, parsed.data as never));
  };
  try {
    if (endpoint.ownTransactions || endpoint.method === 'GET') await act(services.db);
    else
      await services.db.transaction().execute(async (db) => {
        await act(db);
        throw new Undone();
      });
    return undefined;
  } catch (error) {
    return error instanceof AppError || error instanceof Undone || isPassingFailure(error) ? undefined : error;
  }
}
