import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'academic-year.rolled-over': text`Copied the academic year to a new year`,
    'academic-year.discarded': text`Deleted the academic year with all its data`,
    'calendar.weekly-off-changed': text`Changed the weekly offs`,
    'calendar.days-set': text`Set calendar days`,
    'calendar.imported': text`Imported calendar days`,
    'calendar.days-removed': text`Removed calendar days`,
  },
  records: { academic_calendar: { kind: text`Calendar` } },
};
