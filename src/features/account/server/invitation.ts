import { dayOf, isOpenOn } from '#features/sign-in/api.ts';
import { text } from '#kit/contract/text.ts';
import type { Context, Services } from '#kit/server/context.ts';
import { queueMessages, type Template } from '#kit/server/messages/outbox.ts';

interface Invitation {
  channel: 'Email' | 'SMS';
  recipient: string | null;
}

/** Queues a message that says how to sign in with an account. It holds no secret: the code comes with the sign-in. */
export const queueInvitation = (ctx: Context, accountId: number, invitation: Invitation) =>
  queueInvitations(ctx, [{ accountId, ...invitation }]);

/** As `queueInvitation`, for several accounts. */
export const queueInvitations = (ctx: Context, invitations: readonly (Invitation & { accountId: number })[]) =>
  queueMessages(
    ctx,
    invitations.map(({ accountId, channel, recipient }) => ({
      ...(channel === 'Email'
        ? { channel: 'email', template: 'account-invited' }
        : { channel: 'sms', template: 'account-invited-sms' }),
      recipient,
      subjectId: accountId,
    })),
  );

/** Whether an account can still sign in when its message is sent. */
const isOpen = ({ db, now }: Services, accountId: number) =>
  db
    .selectFrom('sign_in_account as account')
    .where('account.id', '=', accountId)
    .where(isOpenOn(dayOf({ now })))
    .select('account.id')
    .executeTakeFirst();

const subject = text`Your account is ready`;
const loginOf = (publicUrl: string) => `${publicUrl}/login`;

export const invitedMessage: Template = async (services, accountId) =>
  (await isOpen(services, accountId)) && {
    subject,
    paragraphs: [
      text`The school has created an account for you.`,
      text`Sign in with a one-time code sent to this email address: ${{ link: loginOf(services.publicUrl) }}`,
    ],
  };

export const invitedByTextMessage: Template = async (services, accountId) =>
  (await isOpen(services, accountId)) && {
    subject,
    paragraphs: [
      text`The school has created an account for you. Sign in with a one-time code sent to this mobile number: ${{ link: loginOf(services.publicUrl) }}`,
    ],
  };
