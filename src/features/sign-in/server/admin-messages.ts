import { type Text, text } from '#kit/contract/text.ts';
import type { Template } from '#kit/server/messages/outbox.ts';
import { isForAdmins } from './recipient.ts';

const closeAccount = (name: string) => text`If you did not expect this, call ${{ name }} and deactivate the account.`;

/** News about an Admin's account for the other Admins. */
const about = (
  subject: Text,
  happened: (name: string) => Text,
  { advice = closeAccount, isFor = isForAdmins }: { advice?: (name: string) => Text } & Partial<Template> = {},
): Template => ({
  isFor,
  render: async ({ db }, accountId) => {
    const account = await db
      .selectFrom('sign_in_account as account')
      .innerJoin('staff', 'staff.id', 'account.staff_id')
      .where('account.id', '=', accountId)
      .select('staff.name')
      .executeTakeFirst();
    if (!account) return undefined;
    const { name } = account;
    return { subject, paragraphs: [happened(name), advice(name)] };
  },
});

export const adminMessages: Record<string, Template> = {
  'admin-added': about(text`An Admin was added`, (name) => text`${{ name }} can now sign in as an Admin.`),
  'admin-removed': about(text`An Admin was removed`, (name) => text`${{ name }} can no longer sign in as an Admin.`, {
    advice: () => text`If you did not expect this, call the other Admins. The audit log shows the person who did it.`,
    // The removed Admin gets it too.
    isFor: 'as queued',
  }),
  'admin-contact-changed': about(
    text`An Admin’s contact details were changed`,
    (name) => text`The email address or mobile number of ${{ name }}, an Admin, was changed.`,
  ),
  'staff-contact-changed': about(
    text`Contact details of an account with permissions were changed`,
    (name) =>
      text`The email address or mobile number of ${{ name }}, who has permissions, was changed in the staff record. A changed one can be used to sign in after 3 days.`,
  ),
  'admin-password-reset': about(
    text`An Admin reset their password`,
    (name) => text`${{ name }}, an Admin, reset their password with a link sent by email.`,
  ),
  'admin-reset-held': about(
    text`A password reset link was not sent`,
    (name) =>
      text`A password reset link was requested for ${{ name }}, an Admin. We did not send it because the email address changed less than 3 days ago.`,
  ),
};
