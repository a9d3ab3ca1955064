import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'section-teacher.assigned': text`Assigned a teacher`,
    'section-teacher.replaced': text`Replaced a teacher`,
    'section-teacher.changed': text`Changed a teacher’s dates or periods`,
    'section-teacher.removed': text`Removed a teacher`,
    'section-teacher.copied': text`Copied teachers from another year`,
    'section-teacher.imported': text`Imported teachers`,
    'section-teacher.exported': text`Exported teachers`,
  },
  records: {},
};
