import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'grade-subject.changed': { verb: 'Changed', words: text`Changed the subjects of grades` },
    'grade-subject.copied': { verb: 'Changed', words: text`Copied subjects from another year` },
    'student-subject.changed': { verb: 'Changed', words: text`Changed the electives` },
  },
  records: {},
};
