import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { sql } from 'kysely';
import { readSchoolName } from '#features/school/api.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, Services } from '#kit/server/context.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';
import { plainCode } from '../contract/sign-in.ts';
import { heldUntil } from './changed-address.ts';
import { dayOf, isOpenOn } from './may-sign-in.ts';
import { isForCode } from './recipient.ts';

/** 32 characters, none of which look alike (A2): five of them hold 25 bits. */
const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

export const newSalt = () => randomBytes(16);

const derived = ({ keys }: Pick<Services, 'keys'>, purpose: string, id: number, salt: Buffer) =>
  createHmac('sha256', keys.code.current.key).update(`${purpose}|${id}|`).update(salt).digest();

/** The code of a row, derived from its random salt and the code key: always the same, and never stored. */
export function codeOf(services: Pick<Services, 'keys'>, { id, salt }: { id: number; salt: Buffer }): string {
  const bytes = derived(services, 'code', id, salt);
  return Array.from({ length: 5 }, (_, place) => alphabet[(bytes[place] ?? 0) % alphabet.length]).join('');
}

/** Compares bytes, since letters of other scripts take more than one. */
export function isCode(services: Pick<Services, 'keys'>, row: { id: number; salt: Buffer }, typed: string): boolean {
  const [made, received] = [Buffer.from(codeOf(services, row)), Buffer.from(plainCode(typed))];
  return made.length === received.length && timingSafeEqual(made, received);
}

/** The token of a link to choose a new password: 128 bits. */
export const tokenOf = (services: Pick<Services, 'keys'>, { id, salt }: { id: number; salt: Buffer }): string =>
  derived(services, 'reset', id, salt).toString('hex').slice(0, 32);

/** Minutes a code can be used. */
export const codeMinutes = 5;

/** A code in the examples of text messages; no code has an O. */
export const exampleCode = 'CODE5';

/** At most 160 characters of an SMS, for a school's name of 30. Undefined once the code was used or has expired. */
export const codeMessage: Template = {
  isFor: isForCode,
  render: async (services, id) => {
    const row = await services.db
      .selectFrom('sign_in_code')
      .where('id', '=', id)
      .where('used_at', 'is', null)
      .where('expires_at', '>', sql<Date>`now()`)
      .select(['id', 'salt'])
      .executeTakeFirst();
    if (!row) return undefined;
    return codeWords(codeOf(services, row), await readSchoolName(services));
  },
};

const codeWords = (code: string, school: string): Rendered => ({
  subject: text`${{ code }} is your code to sign in at ${{ school }}`,
  paragraphs: [
    text`${{ code }} is your code to sign in to Shala, the school system of ${{ school }}. Use it once, within ${{ codeMinutes }} minutes. The school never asks for it.`,
  ],
});

export const codeText: TextMessage = {
  when: text`When someone requests a sign-in code.`,
  example: ({ name }) => codeWords(exampleCode, name),
};

/** Voids every code and link that signs in to an account. */
export async function endSent({ db }: Pick<Context, 'db'>, accountId: number) {
  for (const table of ['sign_in_code', 'sign_in_reset'] as const) {
    await db
      .updateTable(table)
      .set({ used_at: sql`now()` })
      .where('account_id', '=', accountId)
      .where('used_at', 'is', null)
      .execute();
  }
}

/**
 * Whether others changed an address within 72 hours. It signs in to no account that existed before the change, and to
 * none with granted permission sets (decision 0106).
 */
const isHeld = (method: 'Email' | 'Mobile') =>
  sql<boolean>`coalesce(account.created_at < ${heldUntil(method)} - interval '72 hours'
    or ${heldUntil(method)} is not null and (account.is_admin or account.sets <> '{}'), false)`;

/** The active Staff account of an address, and whether the address still waits before it signs in. */
export async function findStaffAccount({ db, now }: Context, method: 'Email' | 'Mobile', target: string) {
  return db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where(method === 'Email' ? 'staff.email' : 'staff.mobile', '=', target)
    .where(isOpenOn(dayOf({ now })))
    .where('account.is_staff', '=', true)
    .select(['account.id', isHeld(method).as('isHeld')])
    .executeTakeFirst();
}
