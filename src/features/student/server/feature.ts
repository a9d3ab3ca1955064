import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { tidyImports } from '#kit/server/import/import-journal.ts';
import { studentPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { birthdayCell } from './birthday-cell.ts';
import { correctionRoutes } from './correction/correction.ts';
import { correctionApproval } from './correction/correction-approval.ts';
import { studentCard } from './dashboard-card.ts';
import { joinersChange, leaversChange } from './day-changes.ts';
import { doubtTodo } from './doubt-todo.ts';
import { correctResultRoutes } from './enrolment/correct-result.ts';
import { resultRoutes } from './enrolment/result.ts';
import { resultApproval } from './enrolment/result-approval.ts';
import { resultTodo } from './enrolment/result-todo.ts';
import sectionStudent from './enrolment/section-student.ts';
import { studentSectionRoutes } from './enrolment/student-section.ts';
import { turnRuns } from './enrolment/turn.ts';
import { turnListRoutes } from './enrolment/turn-list.ts';
import { turnRoutes } from './enrolment/undo-turn.ts';
import { studentYearEnd } from './enrolment/year-end.ts';
import { unseated } from './enrolment/year-end-seats.ts';
import { studentEvents } from './events.ts';
import { guardianRoutes } from './family/guardian.ts';
import { grNumberRoutes } from './identity/gr-number.ts';
import { guardianMergeRoutes } from './identity/guardian-merge.ts';
import { mergeRoutes } from './identity/merge.ts';
import { mergeApproval } from './identity/merge-approval.ts';
import { studentMerges } from './identity/merges.ts';
import { removeRoutes } from './identity/remove.ts';
import { importRoutes, importRuns } from './import/import.ts';
import { resultImportRoutes } from './import/result-import.ts';
import { rollImportRoutes } from './import/roll-import.ts';
import { leaverRoutes, leaverRuns } from './leaving/complete.ts';
import { leaverListRoutes } from './leaving/leaver-list.ts';
import { leavingRoutes } from './leaving/leaving.ts';
import { neverJoinedRoutes } from './leaving/never-joined.ts';
import { handedOut, leavesEarlier } from './leaving/undo-leaving.ts';
import { listOptionRoutes, studentListRoutes } from './list.ts';
import { manyRoutes } from './many.ts';
import { certificateRoutes } from './paper/certificate.ts';
import { studentCertificates } from './paper/certificate-kinds.ts';
import { certificateListRoutes, handOutTodo } from './paper/certificate-list.ts';
import { certificateRuns } from './paper/certificate-many.ts';
import { findCertificateProof } from './paper/certificate-proof.ts';
import { studentCards } from './paper/report-cards.ts';
import { addressRoutes } from './person/address.ts';
import { addStudentRoutes } from './person/create.ts';
import { documentRoutes } from './person/document.ts';
import { healthRoutes } from './person/health.ts';
import { photoRoutes } from './person/photo.ts';
import { recordRoutes } from './person/record.ts';
import { schoolingRoutes } from './person/schooling.ts';
import { sealedColumns } from './person/sealed.ts';
import { studentTagRoutes } from './person/tags.ts';
import { studentSearch } from './search.ts';
import { studentStep } from './set-up.ts';
import { studentSettings } from './settings.ts';
import { unexplainedRoutes } from './unexplained.ts';
import { unexplainedTodo } from './unexplained-todo.ts';

export const student = serverFeature({
  pages: studentPages,
  routes: [
    ...sectionStudent,
    ...rollImportRoutes,
    ...resultRoutes,
    ...correctResultRoutes,
    ...turnRoutes,
    ...turnListRoutes,
    ...resultImportRoutes,
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
    ...removeRoutes,
    ...mergeRoutes,
    ...guardianMergeRoutes,
    ...leaverListRoutes,
    ...leaverRoutes,
    ...leavingRoutes,
    ...neverJoinedRoutes,
    ...unexplainedRoutes,
    ...certificateRoutes,
    ...certificateListRoutes,
    ...correctionRoutes,
    ...studentSectionRoutes,
    ...importRoutes,
  ],
  cards: [studentCard],
  dayChanges: [leaversChange, joinersChange],
  todos: [doubtTodo, handOutTodo, resultTodo, unexplainedTodo],
  dayCells: [birthdayCell],
  recordCards: studentCards,
  events: studentEvents,
  sealed: sealedColumns,
  searches: [studentSearch],
  approvals: [correctionApproval, mergeApproval, resultApproval],
  settings: studentSettings,
  certificates: studentCertificates,
  proofs: [findCertificateProof],
  runs: { ...importRuns, ...certificateRuns, ...turnRuns, ...leaverRuns },
  tidyUp: tidyImports,
  seed: () => import('../seed.ts'),
  series: [
    { code: 'student', words: text`GR numbers`, hasBranches: true, isUniqueInBranch: true, mayBeRaised: true },
    { code: 'leaving-certificate', words: text`Leaving certificates`, hasBranches: true },
    { code: 'bonafide', words: text`Bonafide certificates`, hasBranches: true },
    { code: 'character', words: text`Character certificates`, hasBranches: true },
    { code: 'study', words: text`Study certificates`, hasBranches: true },
  ],
  constraintMessages: {
    student_enrollment_after_leaving: leavesEarlier,
    student_leaving_handed_out: handedOut,
  },
  setUp: [studentStep],
  tagged: [{ scope: 'Student', entity: 'student' }],
  yearEnd: [...studentYearEnd, unseated],
  auditArea: text`Students`,
  auditWords,
  merges: studentMerges,
});
