import { codeOf } from '#features/sign-in/api.ts';
import type { Family, School } from './school.ts';

/** Links a family's form to a brother's or sister's, as the office does. */
export const linkSibling = ({ sql }: Pick<School, 'sql'>, { id }: Family, elder: Family) =>
  sql(`update admission_inquiry set sibling_inquiry_id = ${elder.id} where id = ${id}`);

/** The newest code that was sent to fill in a family's details. */
export async function siblingCode({ services }: Pick<School, 'services'>, { id }: Family): Promise<string> {
  const row = await services.db
    .selectFrom('admission_sibling_code')
    .where('inquiry_id', '=', id)
    .orderBy('id', 'desc')
    .select(['id', 'salt'])
    .executeTakeFirstOrThrow();
  return codeOf(services, row);
}
