import { type Text, text } from '#kit/contract/text.ts';
import type { Template } from '#kit/server/messages/outbox.ts';

const closeAccount = (name: string) => text`If you did not expect this, call ${{ name }} and deactivate the account.`;

/** News about an Admin's account for the other Admins. */
const about =
  (subject: Text, happened: (name: string) => Text, advice: (name: string) => Text = closeAccount): Template =>
  async ({ db }, accountId) => {
    const account = await db
      .selectFrom('sign_in_account as account')
      .innerJoin('staff', 'staff.id', 'account.staff_id')
      .where('account.id', '=', accountId)
      .select('staff.name')
      .executeTakeFirst();
    if (!account) return undefined;
    const { name } = account;
    return { subject, paragraphs: [happened(name), advice(name)] };
  };

export const adminMessages: Record<string, Template> = {
  'admin-added': about(text`There is a new Admin`, (name) => text`${{ name }} can now sign in as an Admin.`),
  'admin-removed': about(
    text`An Admin was removed`,
    (name) => text`${{ name }} can no longer sign in as an Admin.`,
    () => text`If you did not expect this, call the other Admins. The audit log shows the person who did it.`,
  ),
  'admin-contact-changed': about(
    text`An Admin’s contact was changed`,
    (name) => text`The email address or mobile number of ${{ name }}, an Admin, was changed.`,
  ),
  'admin-password-reset': about(
    text`An Admin chose a new password`,
    (name) => text`${{ name }}, an Admin, chose a new password with a link sent by email.`,
  ),
  'admin-reset-held': about(
    text`A password link was not sent`,
    (name) =>
      text`A link to a new password was requested for ${{ name }}, an Admin. It was not sent, because the email address was changed less than 3 days ago.`,
  ),
};
