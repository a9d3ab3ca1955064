import { sql } from 'kysely';
import type { Services } from '#kit/server/context.ts';
import type { Queued } from '#kit/server/messages/outbox.ts';
import { dayOf, isOpenOn } from './may-sign-in.ts';

const people = ({ db }: Services, recipient: string) =>
  db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where((where) => where.or([where('staff.email', '=', recipient), where('staff.mobile', '=', recipient)]))
    .select('account.id');

/** The recipient is an address of the account's owner. */
export const isForAccount = async (services: Services, { subjectId, recipient }: Queued) =>
  (await people(services, recipient).where('account.id', '=', subjectId).executeTakeFirst()) !== undefined;

/** The recipient is an address of the person whom the code signs in. */
export const isForCode = async (services: Services, { subjectId, recipient }: Queued) =>
  (await people(services, recipient)
    .innerJoin('sign_in_code as code', 'code.account_id', 'account.id')
    .where('code.id', '=', subjectId)
    .executeTakeFirst()) !== undefined;

/** The recipient is an address of the person whose password the link changes. */
export const isForReset = async (services: Services, { subjectId, recipient }: Queued) =>
  (await people(services, recipient)
    .innerJoin('sign_in_reset as reset', 'reset.account_id', 'account.id')
    .where('reset.id', '=', subjectId)
    .executeTakeFirst()) !== undefined;

/** The recipient is the address of an Admin who may sign in. */
export const isForAdmins = async (services: Services, { recipient }: Queued) =>
  (await people(services, recipient)
    .where('account.is_admin', '=', true)
    .where(isOpenOn(dayOf(services)))
    .where(sql`staff.email`, '=', recipient)
    .limit(1)
    .executeTakeFirst()) !== undefined;
