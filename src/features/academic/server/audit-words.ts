import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'grading-scale.created': text`Created`,
    'grading-scale.changed': text`Changed`,
    'grading-scale.removed': text`Deleted`,
  },
  records: {
    academic_grading_scale: {
      kind: text`Grading scale`,
      findNames: (db, ids) =>
        db.selectFrom('academic_grading_scale').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
  },
};
