import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'family_link.exported': text`Exported a list of names`,
    'family.reach.changed': text`Changed what a guardian sees on the family page`,
    'family.link.sent': text`Sent the family page’s link`,
    'family.link.renewed': text`Replaced the family page’s link`,
    'family.link.copied': text`Handed over the family page’s link`,
    'family.link.revoked': text`Revoked the family page’s link`,
  },
  records: {
    family_link: { kind: text`Family links` },
    guardian: {
      kind: text`Guardian`,
      findNames: (db, ids) => db.selectFrom('guardian').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
  },
};
