import { AppError, notFoundMessage } from '#kit/contract/errors.ts';
import type { User, UserContext } from '#kit/server/context.ts';

/** Whether a user keeps the staff records. */
export const isKeeper = ({ role, sets }: User): boolean => role === 'Admin' || sets.includes('hr');

/**
 * Admits the person and the keepers to the papers of a staff record. Throws `not_found` for everyone else, exactly as
 * for a person that does not exist.
 */
export async function admitToPapers({ db, user }: UserContext, staffId: number) {
  const isReader = staffId === user.staffId || isKeeper(user);
  const person = isReader && (await db.selectFrom('staff').where('id', '=', staffId).select('id').executeTakeFirst());
  if (!person) throw new AppError('not_found', notFoundMessage);
}
