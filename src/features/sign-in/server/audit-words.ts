import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

const methods = {
  UserNameNPassword: text`Username and password`,
  Email: text`Code by email`,
  Mobile: text`Code by SMS`,
  Google: text`Google`,
};

export const auditWords: AuditWords = {
  actions: {
    'sign-in.signed-in': text`Signed in`,
    'sign-in.signed-out': text`Signed out`,
    'sign-in.refused': text`Sign-in refused`,
    'sign-in.code-sent': text`Sent a sign-in code`,
    'sign-in.code-refused': text`Sign-in code refused`,
    'records.opened': text`Opened many records`,
    'session.ended': text`Ended a session`,
    'session.others-ended': text`Ended all other sessions`,
    'session.confirmed': text`Confirmed their identity`,
    'password.changed': text`Changed the password`,
    'password.reset-asked': text`Requested a password reset link`,
    'password.wrong': text`Wrong password`,
    'account.asked-for': text`Requested an account`,
  },
  details: {
    method: { label: text`Method`, codes: methods },
    secondStep: { label: text`Second step`, codes: methods },
    channel: { label: text`Channel`, codes: { email: text`Email address`, mobile: text`Mobile number` } },
    role: { label: text`Role`, codes: { Staff: text`Staff`, Admin: text`Admin` } },
    reason: {
      label: text`Reason`,
      codes: { 'too many': text`Too many codes`, 'address changed': text`New email or mobile number` },
    },
  },
  records: {},
};
