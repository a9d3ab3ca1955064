import type { Context, UserContext } from '#kit/server/context.ts';
import { queueMessage } from '#kit/server/messages/outbox.ts';
import { endSent } from './code.ts';
import { tellAdmins } from './tell-admins.ts';

/** The channel of the outbox for each kind of contact. */
export const channels = { email: 'email', mobile: 'sms' } as const;
export type Channel = keyof typeof channels;

/**
 * After the contact of an account's person has changed: codes and links sent to the old address become void, and so does
 * its Google account; the old address is notified, and of an Admin the other Admins. `before` has the changed ones alone.
 */
export async function endOldContact(
  ctx: UserContext,
  account: { id: number; isAdmin: boolean },
  before: Partial<Record<Channel, string | null>>,
) {
  await endSent(ctx, account.id);
  if ('email' in before) await forgetGoogle(ctx, account.id);
  for (const [channel, recipient] of Object.entries(before) as [Channel, string | null][]) {
    if (!recipient) continue;
    const template = `${channel}-changed`;
    await queueMessage(ctx, { channel: channels[channel], template, recipient, subjectId: account.id });
  }
  if (!account.isAdmin) return;
  await tellAdmins(ctx, {
    template: 'admin-contact-changed',
    subjectId: account.id,
    except: [ctx.user.id, account.id],
  });
}

const forgetGoogle = ({ db }: Pick<Context, 'db'>, id: number) =>
  db.updateTable('sign_in_account').set({ google_subject: null }).where('id', '=', id).execute();
