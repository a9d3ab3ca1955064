import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { settingValue } from '#kit/server/settings.ts';
import type { FindWarnings, Warning } from '#kit/server/warnings.ts';
import { dayOf, isOpenOn } from './may-sign-in.ts';
import { asksAdminCode } from './settings.ts';

/** A recently changed address may be a thief's: it gets no link to a password and no Admin's code. */
export const isFresh = (column: 'staff.email_changed_at' | 'staff.mobile_changed_at') => freshOf[column];

const freshOf = {
  'staff.email_changed_at': sql<boolean>`coalesce(staff.email_changed_at > now() - interval '72 hours', false)`,
  'staff.mobile_changed_at': sql<boolean>`coalesce(staff.mobile_changed_at > now() - interval '72 hours', false)`,
};

const hasDelivered = (channel: 'email' | 'sms') =>
  sql<boolean>`exists (select 1 from outbox where status = 'sent' and channel = ${channel})`;

const asksCode = settingValue(asksAdminCode);

export interface Way {
  method: 'Email' | 'Mobile';
  target: string;
}

/**
 * The channel of an Admin's code after the password: email, or else mobile, if it has delivered before. Undefined where
 * no code is needed; `held` where every address is too new to trust.
 */
export async function findSecondStep(
  { db }: Pick<Context, 'db'>,
  accountId: number,
): Promise<Way | 'held' | undefined> {
  const row = await db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where('account.id', '=', accountId)
    .select([
      'staff.email',
      'staff.mobile',
      isFresh('staff.email_changed_at').as('isEmailFresh'),
      isFresh('staff.mobile_changed_at').as('isMobileFresh'),
      asksCode.as('asksCode'),
      hasDelivered('email').as('mails'),
      hasDelivered('sms').as('texts'),
    ])
    .executeTakeFirstOrThrow();
  if (!row.asksCode) return undefined;
  const reached: (Way & { isHeld: boolean })[] = [];
  if (row.email && row.mails) reached.push({ method: 'Email', target: row.email, isHeld: row.isEmailFresh });
  if (row.mobile && row.texts) reached.push({ method: 'Mobile', target: row.mobile, isHeld: row.isMobileFresh });
  if (reached.length === 0) return undefined;
  return reached.find(({ isHeld }) => !isHeld) ?? 'held';
}

/** Warns while an Admin can sign in with the password alone. */
export const secondStepWarnings: FindWarnings = async ({ db, now }) => {
  const state = await db
    .selectNoFrom([asksCode.as('asksCode'), hasDelivered('email').as('mails'), hasDelivered('sms').as('texts')])
    .executeTakeFirstOrThrow();
  if (!state.asksCode) return [off];
  if (!state.mails && !state.texts) return [waiting];
  const unreached = await db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where('account.is_admin', '=', true)
    .where(isOpenOn(dayOf({ now })))
    .where(sql<boolean>`not (${state.mails} and staff.email is not null)`)
    .where(sql<boolean>`not (${state.texts} and staff.mobile is not null)`)
    .select('staff.name')
    .orderBy(sql`lower(staff.name)`)
    .execute();
  return unreached.length === 0 ? [] : [unreachable(unreached.map(({ name }) => name))];
};

const off: Warning = {
  name: 'second-step-off',
  text: text`Admins sign in with only a password. In Settings, turn on the code for Admins.`,
  to: '/school-erp/academic/organizational-master',
};
const waiting: Warning = {
  name: 'second-step-waiting',
  text: text`Admins sign in with only a password until an email or text message is delivered. Set up email or SMS (see README).`,
};
const unreachable = (names: readonly string[]): Warning => ({
  name: 'second-step-unreachable',
  text: text`These Admins sign in with only a password because we can’t send them a code: ${{ names: names.join(', ') }}. Ask them to add an email address to their profile.`,
});
