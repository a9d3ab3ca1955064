import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'meeting.created': { verb: 'Created', words: text`Meeting planned` },
    'meeting.changed': { verb: 'Changed', words: text`Meeting changed` },
    'meeting.teacher-added': { verb: 'Changed', words: text`Teacher added to a meeting` },
    'meeting.teacher-changed': { verb: 'Changed', words: text`Teacher’s times or room at a meeting changed` },
    'meeting.teacher-removed': { verb: 'Changed', words: text`Teacher removed from a meeting` },
    'meeting.teacher-closed': { verb: 'Reversed', words: text`Teacher’s times at a meeting cancelled` },
    'meeting.opened': { verb: 'Changed', words: text`Meeting opened for booking` },
    'meeting.cancelled': { verb: 'Reversed', words: text`Meeting cancelled` },
    'meeting.booked': { verb: 'Created', words: text`Time at a meeting booked` },
    'meeting.freed': { verb: 'Reversed', words: text`Time at a meeting given up` },
    'meeting.came': { verb: 'Changed', words: text`Noted who came to a meeting` },
    'meeting.list-printed': { verb: 'Printed', words: text`Printed the times of a meeting` },
    'meeting.exported': { verb: 'Exported', words: text`Exported meetings` },
  },
  records: {
    meeting: {
      kind: text`Meeting`,
      findNames: async (db, ids) => {
        const { rows } = await sql<{ id: number; name: string }>`
          select id, name || ' ' || day as name from meeting where id = any(${[...ids]}::integer[])`.execute(db);
        return rows;
      },
    },
  },
};
