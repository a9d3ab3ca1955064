import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'grading-scale.created': { verb: 'Created', words: text`Created` },
    'grading-scale.changed': { verb: 'Changed', words: text`Changed` },
    'grading-scale.removed': { verb: 'Deleted', words: text`Deleted` },
  },
  records: {
    academic_grading_scale: {
      kind: text`Grading scale`,
      findNames: (db, ids) =>
        db.selectFrom('academic_grading_scale').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
  },
};
