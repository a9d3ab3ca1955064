import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'observation.published': { verb: 'Decided', words: text`Published` },
    'observation.changed': { verb: 'Changed', words: text`Changed` },
    'observation.revealed': { verb: 'Viewed', words: text`Read the restricted text` },
    'observation.added-to': { verb: 'Created', words: text`Added an addendum` },
    'observation.file-added': { verb: 'Created', words: text`Added a file` },
    'observation.withdrawn': { verb: 'Reversed', words: text`Withdrew the note` },
    'observation.readers-changed': { verb: 'Changed', words: text`Changed the readers` },
    'observation.follow-up-added': { verb: 'Created', words: text`Added a follow-up` },
    'observation.follow-up-changed': { verb: 'Changed', words: text`Changed a follow-up` },
    'observation_note.exported': { verb: 'Exported', words: text`Exported a list of names` },
    'visit.scheduled': { verb: 'Created', words: text`Scheduled` },
    'visit.started': { verb: 'Created', words: text`Began the visit` },
    'visit.changed': { verb: 'Changed', words: text`Changed the report` },
    'visit.finished': { verb: 'Ended', words: text`Ended the visit` },
    'visit.shared': { verb: 'Sent', words: text`Shared the report` },
    'visit.cancelled': { verb: 'Reversed', words: text`Cancelled` },
    'visit.acknowledged': { verb: 'Decided', words: text`Acknowledged` },
    'visit.handed-over': { verb: 'Changed', words: text`Handed the visit over` },
    'visit.printed': { verb: 'Printed', words: text`Printed the report` },
    'visit.closed': { verb: 'Ended', words: text`Closed` },
    'visit.reopened': { verb: 'Reversed', words: text`Reopened` },
    'observation_visit.exported': { verb: 'Exported', words: text`Exported a list of names` },
    'observation-rubric.saved': { verb: 'Changed', words: text`Saved the draft` },
    'observation-rubric.published': { verb: 'Decided', words: text`Published a version` },
    'observation-rubric.retired': { verb: 'Ended', words: text`Retired the published version` },
    'observation-rubric.usual-added': { verb: 'Created', words: text`Added the usual rubrics` },
  },
  records: {
    // Named by its number: the log names no student beside the act.
    observation_note: { kind: text`Observation` },
    observation_visit: { kind: text`Visit` },
    observation_rubric: {
      kind: text`Rubric`,
      findNames: (db, ids) =>
        db.selectFrom('observation_rubric').where('id', 'in', ids).select(['id', 'name']).execute(),
    },
  },
};
