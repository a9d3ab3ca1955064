import { codeOf } from '#features/sign-in/server/code.ts';
import type { Services } from '#kit/server/context.ts';

/** Every one-time code of a school that is still stored. */
export async function codesMade(services: Services): Promise<string[]> {
  const tables = ['sign_in_code', 'sign_in_contact', 'admission_sibling_code'] as const;
  const rows = await Promise.all(tables.map((table) => services.db.selectFrom(table).select(['id', 'salt']).execute()));
  return rows.flat().map((row) => codeOf(services, row));
}
