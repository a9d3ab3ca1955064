import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'academic-year.rolled-over': { verb: 'Changed', words: text`Copied the academic year to a new year` },
    'academic-year.discarded': { verb: 'Deleted', words: text`Deleted the academic year with all its data` },
    'calendar.weekly-off-changed': { verb: 'Changed', words: text`Changed the weekly offs` },
    'calendar.days-set': { verb: 'Changed', words: text`Set calendar days` },
    'calendar.imported': { verb: 'Imported', words: text`Imported calendar days` },
    'calendar.days-removed': { verb: 'Deleted', words: text`Removed calendar days` },
  },
  records: { academic_calendar: { kind: text`Calendar` } },
};
