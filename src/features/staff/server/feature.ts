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
  auditWords: {
    actions: {
      'staff.picture-saved': text`Changed the picture`,
      'staff.picture-removed': text`Removed the picture`,
      'staff.created': text`Created the staff record`,
      'staff.imported': text`Imported staff`,
      'staff.changed': text`Changed the staff record`,
      'staff.post-changed': text`Changed the post`,
      'staff.qualification-added': text`Added a qualification`,
      'staff.qualification-removed': text`Removed a qualification`,
      'staff.experience-added': text`Added work at another employer`,
      'staff.experience-removed': text`Removed work at another employer`,
      'staff.document-added': text`Added a document`,
      'staff.document-handed-in': text`Uploaded an own document for HR to check`,
      'staff.document-viewed': text`Viewed a document`,
      'staff.document-verified': text`Verified a document`,
      'staff.document-rejected': text`Rejected a document`,
      'staff.document-removed': text`Removed a document`,
      'staff.exported': text`Exported the staff list`,
      'staff.id-cards-printed': text`Printed ID cards`,
      'staff.relieved': text`Relieved`,
      'staff.rejoined': text`Re-joined`,
      'staff.leading-ended': text`Ended the head’s post`,
      'staff.manager-left': text`Ended reporting to a person who leaves`,
      'staff.own-data-saved': text`Saved their own data as a PDF`,
    },
    records: {
      staff: {
        kind: text`Staff member`,
        findNames: (db, ids) => db.selectFrom('staff').where('id', 'in', ids).select(['id', 'name']).execute(),
      },
    },
  },
});
