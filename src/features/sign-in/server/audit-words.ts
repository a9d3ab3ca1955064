import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'sign-in.signed-in': text`Signed in`,
    'sign-in.signed-out': text`Signed out`,
    'sign-in.refused': text`Sign-in refused`,
    'sign-in.code-sent': text`Sent a sign-in code`,
    'sign-in.code-refused': text`Sign-in code refused`,
    'session.ended': text`Ended a session`,
    'session.others-ended': text`Ended all other sessions`,
    'session.confirmed': text`Confirmed their identity`,
    'password.changed': text`Changed the password`,
    'password.reset-asked': text`Requested a password reset link`,
    'password.wrong': text`Wrong password`,
    'contact.code-sent': text`Sent a code to a new email or mobile number`,
    'contact.code-refused': text`Code for a new email or mobile number refused`,
    'contact.refused': text`New email or mobile number refused`,
    'contact.changed': text`Changed the email or mobile number`,
    'account.asked-for': text`Requested an account`,
  },
  records: {},
};
