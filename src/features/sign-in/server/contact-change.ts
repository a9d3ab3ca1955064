import type { Context, UserContext } from '#kit/server/context.ts';
import { queueMessage } from '#kit/server/messages/outbox.ts';
import { endHeldSessions } from './changed-address.ts';
import { endSent } from './code.ts';
import { tellAdmins } from './tell-admins.ts';

/** The channel of the outbox for each kind of contact. */
export const channels = { email: 'email', mobile: 'sms' } as const;
export type Channel = keyof typeof channels;
type Contact = Record<Channel, string | null>;

/**
 * After the contact of an account's person has changed: codes and links sent to the old address become void, and so does
 * its Google account; the person is notified, and the other Admins where an Admin's changed, or others changed that of an
 * account with permissions. `before` has only the changed addresses.
 */
export async function endOldContact(
  ctx: UserContext,
  account: { id: number; isAdmin: boolean; isGranted?: boolean },
  before: Partial<Contact>,
) {
  await endSent(ctx, account.id);
  await endHeldSessions(ctx, account.id);
  if ('email' in before) await forgetGoogle(ctx, account.id);
  for (const channel of Object.keys(before) as Channel[]) await notify(ctx, account.id, channel, before);
  const isByOthers = account.id !== ctx.user.id;
  if (!account.isAdmin && !(account.isGranted && isByOthers)) return;
  await tellAdmins(ctx, {
    template: account.isAdmin ? 'admin-contact-changed' : 'staff-contact-changed',
    subjectId: account.id,
    except: [ctx.user.id, account.id],
  });
}

/** Notifies the old address; of a first one, which nobody had before, the person's other address. */
async function notify(ctx: UserContext, accountId: number, channel: Channel, before: Partial<Contact>) {
  const queue = (to: Channel, template: string, recipient: string | null) =>
    recipient && queueMessage(ctx, { channel: channels[to], template, recipient, subjectId: accountId });
  const old = before[channel];
  if (old) return queue(channel, `${channel}-changed`, old);
  const other = channel === 'email' ? 'mobile' : 'email';
  const now = await ctx.db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where('account.id', '=', accountId)
    .select(['staff.email', 'staff.mobile'])
    .executeTakeFirstOrThrow();
  return queue(other, `${channel}-added`, { ...now, ...before }[other]);
}

const forgetGoogle = ({ db }: Pick<Context, 'db'>, id: number) =>
  db.updateTable('sign_in_account').set({ google_subject: null }).where('id', '=', id).execute();
