import { sql } from 'kysely';
import { type Master, namedBy } from '#kit/contract/master.ts';
import { english, text, verbatim } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';
import { actionOf } from './rows.ts';
import { displayNameOf, ownTable } from './sql.ts';

const acts: AuditWords['actions'] = {
  created: { verb: 'Created', words: text`Created` },
  changed: { verb: 'Changed', words: text`Changed` },
  removed: { verb: 'Deleted', words: text`Deleted` },
  moved: { verb: 'Moved', words: text`Moved in the list` },
  exported: { verb: 'Exported', words: text`Exported the list` },
  imported: { verb: 'Imported', words: text`Imported a file` },
};

/** The audit log's words for a master's acts and rows. */
export const masterAuditWords = (master: Master): AuditWords => ({
  actions: Object.fromEntries(Object.entries(acts).map(([what, act]) => [actionOf(master, what), act])),
  records: {
    [master.table]: {
      kind: master.singular,
      nameDetails: master.labelFields.map((name) => english(master.fields[name]?.label ?? verbatim(name))),
      findNames: async (db, ids) => {
        const name = displayNameOf(namedBy(master));
        const found = sql<{ id: number; name: string }>`
          select id, ${name} as name from ${ownTable(master)} where id = any(${ids}::integer[])`;
        return (await found.execute(db)).rows;
      },
    },
  },
});
