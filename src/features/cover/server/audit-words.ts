import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'cover.given': { verb: 'Created', words: text`Substitute given` },
    'cover.cancelled': { verb: 'Reversed', words: text`Substitute cancelled` },
    'cover.list-printed': { verb: 'Printed', words: text`Printed the arrangement sheet` },
  },
  records: {
    cover: {
      kind: text`Cover`,
      findNames: async (db, ids) => {
        const { rows } = await sql<{ id: number; name: string }>`
          select cover.id, own.name || ' ' || cover.day as name from cover join staff own on own.id = cover.staff_id
          where cover.id = any(${[...ids]}::integer[])`.execute(db);
        return rows;
      },
    },
  },
};
