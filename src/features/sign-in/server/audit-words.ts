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
    'sign-in.signed-in': { verb: 'Signed in or out', words: text`Signed in` },
    'sign-in.signed-out': { verb: 'Signed in or out', words: text`Signed out` },
    'sign-in.refused': { verb: 'Refused', words: text`Sign-in refused` },
    'sign-in.code-sent': { verb: 'Sent', words: text`Sent a sign-in code` },
    'sign-in.code-refused': { verb: 'Refused', words: text`Sign-in code refused` },
    'records.opened': { verb: 'Viewed', words: text`Opened many records` },
    'session.ended': { verb: 'Ended', words: text`Ended a session` },
    'session.others-ended': { verb: 'Signed in or out', words: text`Ended all other sessions` },
    'session.confirmed': { verb: 'Verified', words: text`Confirmed their identity` },
    'password.changed': { verb: 'Changed', words: text`Changed the password` },
    'password.reset-asked': { verb: 'Created', words: text`Requested a password reset link` },
    'password.wrong': { verb: 'Refused', words: text`Wrong password` },
    'account.asked-for': { verb: 'Created', words: text`Requested an account` },
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
