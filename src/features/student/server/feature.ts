import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { tidyImports } from '#kit/server/import/import-journal.ts';
import { studentPages } from '../contract/pages.ts';
import { addressRoutes } from './address.ts';
import { auditWords } from './audit-words.ts';
import { birthdayCell } from './birthday-cell.ts';
import { certificateRoutes } from './certificate.ts';
import { addStudentRoutes } from './create.ts';
import { studentCard } from './dashboard-card.ts';
import { documentRoutes } from './document.ts';
import { studentEvents } from './events.ts';
import { grNumberRoutes } from './gr-number.ts';
import { guardianRoutes } from './guardian.ts';
import { healthRoutes } from './health.ts';
import { importRoutes, importRuns } from './import.ts';
import { leavingRoutes } from './leaving.ts';
import { listOptionRoutes, studentListRoutes } from './list.ts';
import { manyRoutes } from './many.ts';
import { photoRoutes } from './photo.ts';
import { recordRoutes } from './record.ts';
import { studentCards } from './report-cards.ts';
import { rollImportRoutes } from './roll-import.ts';
import { schoolingRoutes } from './schooling.ts';
import { sealedColumns } from './sealed.ts';
import { studentSearch } from './search.ts';
import sectionStudent from './section-student.ts';
import { studentStep } from './set-up.ts';
import { studentTagRoutes } from './tags.ts';
import { handedOut, leavesEarlier } from './undo-leaving.ts';

export const student = serverFeature({
  pages: studentPages,
  routes: [
    ...sectionStudent,
    ...rollImportRoutes,
    ...studentListRoutes,
    ...listOptionRoutes,
    ...addStudentRoutes,
    ...recordRoutes,
    ...guardianRoutes,
    ...addressRoutes,
    ...schoolingRoutes,
    ...healthRoutes,
    ...documentRoutes,
    ...studentTagRoutes,
    ...photoRoutes,
    ...manyRoutes,
    ...grNumberRoutes,
    ...leavingRoutes,
    ...certificateRoutes,
    ...importRoutes,
  ],
  cards: [studentCard],
  dayCells: [birthdayCell],
  recordCards: studentCards,
  events: studentEvents,
  sealed: sealedColumns,
  searches: [studentSearch],
  runs: importRuns,
  tidyUp: tidyImports,
  seed: () => import('../seed.ts'),
  series: [
    { code: 'student', words: text`GR numbers`, hasBranches: true, isUniqueInBranch: true, mayBeRaised: true },
    { code: 'leaving-certificate', words: text`Leaving certificates`, hasBranches: true },
    { code: 'bonafide', words: text`Bonafide certificates`, hasBranches: true },
  ],
  constraintMessages: {
    student_enrollment_after_leaving: leavesEarlier,
    student_leaving_handed_out: handedOut,
  },
  setUp: [studentStep],
  tagged: [{ scope: 'Student', entity: 'student' }],
  auditArea: text`Students`,
  auditWords,
});
