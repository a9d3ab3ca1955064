import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'family_link.exported': { verb: 'Exported', words: text`Exported a list of names` },
    'family.reach.changed': { verb: 'Changed', words: text`Changed what a guardian sees on the family page` },
    'family.language.chosen': { verb: 'Changed', words: text`Chose the language of messages` },
    'family.wishes.changed': { verb: 'Changed', words: text`Chose how messages come` },
    'family.channel.tried': { verb: 'Changed', words: text`Used a number or address again` },
    'family.code-sent': { verb: 'Sent', words: text`Sent a code for a phone` },
    'family.code-refused': { verb: 'Refused', words: text`Refused a code of a phone` },
    'family.phone-proven': { verb: 'Created', words: text`Proved a phone of a guardian` },
    'family.phone-signed-out': { verb: 'Reversed', words: text`Signed phones of a guardian out` },
    'family.feed.made': { verb: 'Created', words: text`Made an address for a guardian’s calendar` },
    'family.feed.ended': { verb: 'Ended', words: text`Ended the address of a guardian’s calendar` },
    'family.contact.code-sent': { verb: 'Sent', words: text`Sent a code to a new number or address` },
    'family.contact.changed': { verb: 'Changed', words: text`Changed a guardian’s number or address` },
    'family.contact.asked': { verb: 'Created', words: text`Asked for a new number or address` },
    'family.contact.undone': { verb: 'Reversed', words: text`Put a guardian’s earlier number or address back` },
    'family.contact.paper-opened': { verb: 'Viewed', words: text`Opened the paper of a new number or address` },
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
