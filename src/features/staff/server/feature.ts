import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { staffPages } from '../contract/pages.ts';
import { documentRoutes } from './document.ts';
import { documentCard, documentTodos } from './document-card.ts';
import { dailyDocumentsDue, dueMessages, dueRuns } from './due-notice.ts';
import { educationRoutes } from './education.ts';
import { idCardRoutes } from './id-card.ts';
import { importRoutes } from './import.ts';
import { endPastLeading } from './leading.ts';
import { leavingRoutes } from './leaving.ts';
import { staffListRoutes } from './list.ts';
import { profileRoutes } from './profile.ts';
import { recordRoutes } from './record.ts';
import { staffEvents, staffReportCards } from './report-cards.ts';
import { staffSearch } from './search.ts';
import { staffStep } from './set-up.ts';

export const staff = serverFeature({
  pages: staffPages,
  routes: [
    ...profileRoutes,
    ...staffListRoutes,
    ...idCardRoutes,
    ...importRoutes,
    ...recordRoutes,
    ...educationRoutes,
    ...documentRoutes,
    ...leavingRoutes,
  ],
  searches: [staffSearch],
  cards: [documentCard],
  todos: documentTodos,
  recordCards: staffReportCards,
  events: staffEvents,
  series: [{ code: 'staff', words: text`Staff`, hasBranches: true }],
  messages: dueMessages,
  runs: dueRuns,
  daily: [dailyDocumentsDue],
  tidyUp: endPastLeading,
  seed: () => import('../seed.ts'),
  setUp: [staffStep],
  auditArea: text`Staff`,
  auditWords: {
    actions: {
      'staff.picture-saved': { verb: 'Changed', words: text`Changed the picture` },
      'staff.picture-removed': { verb: 'Deleted', words: text`Removed the picture` },
      'staff.removed': { verb: 'Deleted', words: text`Removed the record, entered by mistake` },
      'staff.created': { verb: 'Created', words: text`Created the staff record` },
      'staff.imported': { verb: 'Imported', words: text`Imported staff` },
      'staff.changed': { verb: 'Changed', words: text`Changed the staff record` },
      'staff.post-changed': { verb: 'Changed', words: text`Changed the post` },
      'staff.qualification-added': { verb: 'Created', words: text`Added a qualification` },
      'staff.qualification-removed': { verb: 'Deleted', words: text`Removed a qualification` },
      'staff.experience-added': { verb: 'Created', words: text`Added work at another employer` },
      'staff.experience-removed': { verb: 'Deleted', words: text`Removed work at another employer` },
      'staff.document-added': { verb: 'Created', words: text`Added a document` },
      'staff.document-handed-in': { verb: 'Created', words: text`Uploaded a document of their own for HR to check` },
      'staff.document-viewed': { verb: 'Viewed', words: text`Viewed a document` },
      'staff.document-verified': { verb: 'Verified', words: text`Verified a document` },
      'staff.document-rejected': { verb: 'Decided', words: text`Rejected a document` },
      'staff.document-removed': { verb: 'Deleted', words: text`Removed a document` },
      'staff.exported': { verb: 'Exported', words: text`Exported the staff list` },
      'staff.id-cards-printed': { verb: 'Printed', words: text`Printed ID cards` },
      'staff.relieved': { verb: 'Ended', words: text`Relieved` },
      'staff.rejoined': { verb: 'Restored', words: text`Re-joined` },
      'staff.leading-ended': { verb: 'Ended', words: text`Ended the head’s post` },
      'staff.manager-left': { verb: 'Ended', words: text`Ended reporting to a person who leaves` },
      'staff.own-data-saved': { verb: 'Changed', words: text`Saved their own data as a PDF` },
    },
    records: {
      staff: {
        kind: text`Staff member`,
        findNames: (db, ids) => db.selectFrom('staff').where('id', 'in', ids).select(['id', 'name']).execute(),
      },
    },
  },
});
