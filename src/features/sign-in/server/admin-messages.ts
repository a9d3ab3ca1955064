import type { Template } from '#kit/server/messages/outbox.ts';

const closeIt = (name: string) => `call ${name} and close the account meanwhile`;

/** News about an Admin's account for the other Admins: what happened to whom, and what to do about it. */
const about =
  (subject: string, happened: (name: string) => string, toDo = closeIt): Template =>
  async ({ db }, accountId) => {
    const account = await db
      .selectFrom('sign_in_account as account')
      .innerJoin('staff', 'staff.id', 'account.staff_id')
      .where('account.id', '=', accountId)
      .select('staff.name')
      .executeTakeFirst();
    if (!account) return undefined;
    const { name } = account;
    return {
      subject,
      text: `${happened(name)} If you did not expect this, ${toDo(name)}.`,
    };
  };

export const adminMessages: Record<string, Template> = {
  'admin-added': about('There is a new Admin', (name) => `${name} can now sign in as an Admin.`),
  'admin-removed': about(
    'An Admin was removed',
    (name) => `${name} can no longer sign in as an Admin.`,
    () => 'call the other Admins: the audit log says who did it',
  ),
  'admin-contact-changed': about(
    'An Admin’s contact was changed',
    (name) => `The email address or mobile number of ${name}, an Admin, was changed.`,
  ),
  'admin-password-reset': about(
    'An Admin chose a new password',
    (name) => `${name}, an Admin, chose a new password with a link sent by email.`,
  ),
  'admin-reset-held': about(
    'A password link was not sent',
    (name) =>
      `Somebody asked for a link to a new password for ${name}, an Admin. It was not sent, because the email address was ` +
      'changed less than 3 days ago.',
  ),
};
