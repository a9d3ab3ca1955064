import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'family_link.exported': { verb: 'Exported', words: text`Exported a list of names` },
    'family.reach.changed': { verb: 'Changed', words: text`Changed what a guardian sees on the family page` },
    'family.language.chosen': { verb: 'Changed', words: text`Chose the language of messages` },
    'family.channel.tried': { verb: 'Changed', words: text`Used a number or address again` },
    'family.code-sent': { verb: 'Sent', words: text`Sent a code for a phone` },
    'family.code-refused': { verb: 'Refused', words: text`Refused a code of a phone` },
    'family.phone-proven': { verb: 'Created', words: text`Proved a phone of a guardian` },
    'family.phone-signed-out': { verb: 'Reversed', words: text`Signed phones of a guardian out` },
    'family.link.sent': { verb: 'Sent', words: text`Sent the family page’s link` },
    'family.link.renewed': { verb: 'Changed', words: text`Replaced the family page’s link` },
    'family.link.by-number': { verb: 'Sent', words: text`Sent the family page’s link to a number that was entered` },
    'family.link.copied': { verb: 'Changed', words: text`Handed over the family page’s link` },
    'family.link.revoked': { verb: 'Reversed', words: text`Revoked the family page’s link` },
  },
  records: {
    family_link: { kind: text`Family links` },
    guardian: {
      kind: text`Guardian`,
      findNames: (db, ids) => db.selectFrom('guardian').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
  },
};
