import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'homework.given': text`Gave homework`,
    'homework.changed': text`Changed homework`,
    'homework.published': text`Published homework`,
    'homework.due-moved': text`Moved the due day of homework`,
    'homework.cancelled': text`Cancelled homework`,
    'homework.closed': text`Closed homework`,
    'homework.reopened': text`Reopened homework`,
    'homework.deleted': text`Deleted a draft of homework`,
    'homework.checked': text`Checked homework`,
    'homework.extended': text`Gave a student more time for homework`,
    'homework.extension-ended': text`Ended more time of a student for homework`,
    'homework.file-added': text`Added a file to homework`,
    'homework.file-removed': text`Removed a file from homework`,
    'homework.diary-made': text`Made the homework diary`,
    'homework_section.exported': text`Exported`,
    'homework_missing.exported': text`Exported a list of names`,
  },
  records: {
    homework_section: { kind: text`Homework` },
    homework: { kind: text`Homework` },
    homework_missing: { kind: text`Missing homework` },
  },
};
