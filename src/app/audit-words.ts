import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

/** Acts outside any feature: those of commands, the access check, the outbox and the views of lists. */
export const systemAuditWords: AuditWords = {
  actions: {
    'access.refused': { verb: 'Refused', words: text`Access refused` },
    'backup.made': { verb: 'Created', words: text`Made a backup` },
    'backup.restored': { verb: 'Restored', words: text`Restored a backup` },
    'import.undone': { verb: 'Reversed', words: text`Undid an import` },
    'message.failed': { verb: 'Refused', words: text`Message not delivered` },
    'list-view.saved': { verb: 'Changed', words: text`Saved a view of a list` },
    'list-view.removed': { verb: 'Deleted', words: text`Deleted a view of a list` },
  },
  records: {
    operation: { kind: text`Request` },
    database: { kind: text`Database` },
    outbox: { kind: text`Message` },
    file_import: { kind: text`Import` },
    list_view: {
      kind: text`View of a list`,
      findNames: (db, ids) => db.selectFrom('list_view').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
  },
};
