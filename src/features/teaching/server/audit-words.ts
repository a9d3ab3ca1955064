import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'section-teacher.assigned': { verb: 'Assigned', words: text`Assigned a teacher` },
    'section-teacher.replaced': { verb: 'Changed', words: text`Replaced a teacher` },
    'section-teacher.changed': { verb: 'Changed', words: text`Changed a teacher’s dates or periods` },
    'section-teacher.removed': { verb: 'Deleted', words: text`Removed a teacher` },
    'section-teacher.copied': { verb: 'Changed', words: text`Copied teachers from another year` },
    'section-teacher.imported': { verb: 'Imported', words: text`Imported teachers` },
    'section-teacher.exported': { verb: 'Exported', words: text`Exported teachers` },
  },
  records: {},
};
