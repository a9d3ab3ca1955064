import { readSchoolName } from '#features/school/api.ts';
import { dayOf, isForAccount, isOpenOn } from '#features/sign-in/api.ts';
import { type Text, text } from '#kit/contract/text.ts';
import type { Context, Services } from '#kit/server/context.ts';
import { queueMessages, type Template } from '#kit/server/messages/outbox.ts';
import type { Rendered, TextMessage } from '#kit/server/messages/text-message.ts';

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

const signInAddress = (publicUrl: string) => `${publicUrl}/login`;
const isReady = (school: string) => text`Your account at ${{ school }} is ready`;

/** What an invitation says; undefined for an account that can no longer sign in when its message is sent. */
async function readInvitation(services: Services, accountId: number) {
  const person = await services.db
    .selectFrom('sign_in_account as account')
    .innerJoin('staff', 'staff.id', 'account.staff_id')
    .where('account.id', '=', accountId)
    .where(isOpenOn(dayOf(services)))
    .select('staff.name')
    .executeTakeFirst();
  if (!person) return undefined;
  const school = await readSchoolName(services);
  return {
    name: person.name,
    school,
    link: signInAddress(services.publicUrl),
    subject: isReady(school),
  };
}

export const invitedMessage: Template = {
  isFor: isForAccount,
  render: async (services, accountId) => {
    const invitation = await readInvitation(services, accountId);
    if (!invitation) return undefined;
    const { subject, name, school, link } = invitation;
    return {
      subject,
      paragraphs: [
        text`Dear ${{ name }}, ${{ school }} has created an account for you in Shala, its school system.`,
        text`Sign in with a one-time code sent to this email address: ${{ link }}`,
      ],
    };
  },
};

/** At most 160 characters of an SMS, for a school's name of 30, a person's of 25 and a link of 33. */
export const invitedByTextMessage: Template = {
  isFor: isForAccount,
  render: async (services, accountId) => {
    const invitation = await readInvitation(services, accountId);
    if (!invitation) return undefined;
    return invitedByTextWords(invitation);
  },
};

interface InvitationWords {
  subject: Text;
  name: string;
  school: string;
  link: string;
}

const invitedByTextWords = ({ subject, name, school, link }: InvitationWords): Rendered => ({
  subject,
  paragraphs: [
    text`${{ name }}, ${{ school }} has added you to Shala, its school system. Sign in with this number: ${{ link }}`,
  ],
});

export const invitedByText: TextMessage = {
  when: text`When a member of staff is invited to sign in with a mobile number.`,
  example: ({ name: school }, publicUrl) =>
    invitedByTextWords({ name: 'Ravi Patel', school, link: signInAddress(publicUrl), subject: isReady(school) }),
};
