import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

/** Acts outside any feature: those of commands, the access check and the outbox. */
export const systemAuditWords: AuditWords = {
  actions: {
    'access.refused': text`Access refused`,
    'backup.made': text`Made a backup`,
    'backup.restored': text`Restored a backup`,
    'message.failed': text`Message not delivered`,
  },
  records: {
    operation: { kind: text`Request` },
    database: { kind: text`Database` },
    outbox: { kind: text`Message` },
  },
};
