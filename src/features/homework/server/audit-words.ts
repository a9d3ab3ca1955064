import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'homework.given': { verb: 'Created', words: text`Gave homework` },
    'homework.imported': { verb: 'Created', words: text`Gave homework by a file` },
    'homework.changed': { verb: 'Changed', words: text`Changed homework` },
    'homework.published': { verb: 'Decided', words: text`Published homework` },
    'homework.due-moved': { verb: 'Moved', words: text`Moved the due day of homework` },
    'homework.cancelled': { verb: 'Reversed', words: text`Cancelled homework` },
    'homework.closed': { verb: 'Ended', words: text`Closed homework` },
    'homework.reopened': { verb: 'Reversed', words: text`Reopened homework` },
    'homework.deleted': { verb: 'Deleted', words: text`Deleted a draft of homework` },
    'homework.checked': { verb: 'Viewed', words: text`Checked homework` },
    'homework.extended': { verb: 'Changed', words: text`Gave a student more time for homework` },
    'homework.extension-ended': { verb: 'Ended', words: text`Ended more time of a student for homework` },
    'homework.reminded': { verb: 'Sent', words: text`Reminded families of homework` },
    'homework.file-added': { verb: 'Created', words: text`Added a file to homework` },
    'homework.file-removed': { verb: 'Deleted', words: text`Removed a file from homework` },
    'homework.diary-made': { verb: 'Created', words: text`Made the homework diary` },
    'homework_section.exported': { verb: 'Exported', words: text`Exported` },
    'homework_missing.exported': { verb: 'Exported', words: text`Exported a list of names` },
  },
  records: {
    homework_section: { kind: text`Homework` },
    homework: { kind: text`Homework` },
    homework_missing: { kind: text`Missing homework` },
  },
};
