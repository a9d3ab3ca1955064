import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'tags.changed': text`Changed the tags`,
    'configuration-tag.merged': text`Merged with another tag`,
  },
  records: {},
};
