import { text } from '#kit/contract/text.ts';
import type { AuditWords } from '#kit/server/security/audit-words.ts';

export const auditWords: AuditWords = {
  actions: {
    'observation.published': text`Published`,
    'observation.changed': text`Changed`,
    'observation.revealed': text`Read the restricted text`,
    'observation.added-to': text`Added an addendum`,
    'observation.file-added': text`Added a file`,
    'observation.withdrawn': text`Withdrew the note`,
    'observation.readers-changed': text`Changed the readers`,
    'observation.follow-up-added': text`Added a follow-up`,
    'observation.follow-up-changed': text`Changed a follow-up`,
    'observation_note.exported': text`Exported a list of names`,
    'visit.scheduled': text`Scheduled`,
    'visit.started': text`Began the visit`,
    'visit.changed': text`Changed the report`,
    'visit.finished': text`Ended the visit`,
    'visit.shared': text`Shared the report`,
    'visit.cancelled': text`Cancelled`,
    'visit.acknowledged': text`Acknowledged`,
    'visit.handed-over': text`Handed the visit over`,
    'visit.printed': text`Printed the report`,
    'visit.closed': text`Closed`,
    'visit.reopened': text`Reopened`,
    'observation_visit.exported': text`Exported a list of names`,
    'observation-rubric.saved': text`Saved the draft`,
    'observation-rubric.published': text`Published a version`,
    'observation-rubric.retired': text`Retired the published version`,
    'observation-rubric.usual-added': text`Added the usual rubrics`,
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
