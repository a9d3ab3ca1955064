import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'family.link.sent': text`Sent the family page’s link`,
    'family.link.renewed': text`Replaced the family page’s link`,
    'family.link.revoked': text`Revoked the family page’s link`,
  },
  records: {
    guardian: {
      kind: text`Guardian`,
      findNames: (db, ids) => db.selectFrom('guardian').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
  },
};
