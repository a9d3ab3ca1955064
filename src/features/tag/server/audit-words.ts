import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'tags.changed': { verb: 'Changed', words: text`Changed the tags` },
    'configuration-tag.merged': { verb: 'Merged', words: text`Merged with another tag` },
  },
  records: {},
};
