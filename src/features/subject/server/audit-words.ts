import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'grade-subject.changed': text`Changed the subjects of grades`,
    'grade-subject.copied': text`Copied subjects from another year`,
    'student-subject.changed': text`Changed the electives`,
  },
  records: {},
};
