import { setWords } from '#access/contract/grants.ts';
import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

const sets = Object.fromEntries(Object.entries(setWords).map(([set, { name }]) => [set, name]));
const rights = { active: text`Active`, closed: text`Inactive`, Staff: text`Staff`, Admin: text`Admin`, ...sets };

export const auditWords: AuditWords = {
  actions: {
    'account.created': { verb: 'Created', words: text`Created` },
    'account.changed': { verb: 'Changed', words: text`Changed` },
    'account.ended': { verb: 'Ended', words: text`Ended access` },
    'account.signed-out-everywhere': { verb: 'Signed in or out', words: text`Ended all sessions` },
    'account-request.approved': { verb: 'Decided', words: text`Approved` },
    'account-request.declined': { verb: 'Decided', words: text`Declined` },
    'staff.invited': { verb: 'Sent', words: text`Sent an invitation to sign in` },
    'contact.code-sent': { verb: 'Sent', words: text`Sent a code to a new email or mobile number` },
    'contact.code-refused': { verb: 'Refused', words: text`Code for a new email or mobile number refused` },
    'contact.refused': { verb: 'Refused', words: text`New email or mobile number refused` },
    'contact.changed': { verb: 'Changed', words: text`Changed the email or mobile number` },
  },
  details: {
    before: { label: text`Before`, codes: rights },
    after: { label: text`After`, codes: rights },
    sets: { label: text`Permissions`, codes: sets },
    branches: { label: text`Branches` },
    isAdmin: { label: text`Admin` },
    isStaff: { label: text`Staff` },
    ended: { label: text`Ended sessions` },
  },
  records: {
    sign_in_account: {
      kind: text`Account`,
      findNames: (db, ids) =>
        db
          .selectFrom('sign_in_account as account')
          .innerJoin('staff', 'staff.id', 'account.staff_id')
          .where('account.id', 'in', ids)
          .select(['account.id', 'staff.name'])
          .execute(),
    },
    sign_in_request: {
      kind: text`Account request`,
      findNames: (db, ids) => db.selectFrom('sign_in_request').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
  },
};
