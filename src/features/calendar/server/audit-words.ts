import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'academic-year.rolled-over': text`Copied to a new year`,
    'academic-year.discarded': text`Deleted with all its data`,
    'calendar.weekly-off-changed': text`Changed the weekly offs`,
    'calendar.days-set': text`Set days of the calendar`,
    'calendar.imported': text`Imported days of the calendar`,
    'calendar.days-removed': text`Removed days from the calendar`,
  },
  records: { academic_calendar: { kind: text`Calendar` } },
};
