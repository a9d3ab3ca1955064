import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'school.profile-changed': { verb: 'Changed', words: text`Changed the school profile` },
    // Rows of earlier versions.
    'school.settings-changed': { verb: 'Changed', words: text`Changed the settings` },
    'school.logo-changed': { verb: 'Changed', words: text`Changed the logo` },
    'school.logo-removed': { verb: 'Deleted', words: text`Removed the logo` },
    'school.signature-changed': { verb: 'Changed', words: text`Changed the principal’s signature` },
    'school.signature-removed': { verb: 'Deleted', words: text`Removed the principal’s signature` },
    'number-series.added': { verb: 'Created', words: text`Added for a branch` },
    'number-series.changed': { verb: 'Changed', words: text`Changed` },
    'language.read': { verb: 'Changed', words: text`Marked as read by the school` },
    'school.words-changed': { verb: 'Changed', words: text`Changed the texts of the school in a language` },
    'language.unread': { verb: 'Changed', words: text`Marked as not read by the school` },
    'sms-template.changed': { verb: 'Changed', words: text`Changed the registered template` },
  },
  records: {
    sms_template: {
      kind: text`Text message`,
      findNames: (db, ids) =>
        db.selectFrom('sms_template').where('id', 'in', ids).select(['id', 'kind as name']).execute(),
    },
    academic_school_words: { kind: text`Texts of the school` },
    language_read: { kind: text`Translated texts` },
    academic_school: { kind: text`School` },
    number_series: {
      kind: text`Number series`,
      findNames: (db, ids) =>
        db.selectFrom('number_series').where('id', 'in', ids).select(['id', 'code as name']).execute(),
    },
  },
};
