import { sql } from 'kysely';
import type { Context } from '#kit/server/context.ts';

/** The base path of staff pictures, by id. */
export const pictureAddress = '/api/staff/picture/';

/** A picture's address; empty without one. */
export const pictureOf = (id: string | null): string => (id ? pictureAddress + id : '');

interface Contact {
  email: string | null;
  mobile: string | null;
}

/** Changes a contact and returns the previous one. The database refuses an address that another person uses. */
export async function changeContact({ db }: Context, staffId: number, contact: Partial<Contact>): Promise<Contact> {
  const before = await db
    .selectFrom('staff')
    .where('id', '=', staffId)
    .select(['email', 'mobile'])
    .forUpdate()
    .executeTakeFirstOrThrow();
  await db
    .updateTable('staff')
    .set({ ...contact, version: sql`version + 1` })
    .where('id', '=', staffId)
    .execute();
  return before;
}
