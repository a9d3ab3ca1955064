import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { observationMasters } from '../contract/masters.ts';
import { observationPages } from '../contract/pages.ts';
import { attachedRoutes } from './attached.ts';
import { auditWords } from './audit-words.ts';
import { answerCalendar } from './calendar-answer.ts';
import { followUpCard } from './dashboard-card.ts';
import { tidyDrafts } from './draft.ts';
import { moveStaffFollowUps, moveStudentFollowUps } from './leaving.ts';
import { observationMerges } from './merge.ts';
import { noteRoutes } from './note.ts';
import { noteListRoutes, noteOptionRoutes } from './note-list.ts';
import { rubricRoutes } from './rubric.ts';
import { sealedColumns, sealOpen } from './sealed.ts';
import { observationSettings } from './settings.ts';
import { studentSkills } from './skill-card.ts';
import { studentNotes } from './student-card.ts';
import { visitRoutes } from './visit.ts';
import { staffVisits } from './visit-card.ts';
import { visitCard } from './visit-dashboard.ts';
import { endVisits } from './visit-leaving.ts';
import { visitListRoutes } from './visit-list.ts';
import { writtenNotes } from './written-card.ts';
import { observationYearEnd } from './year-end.ts';

export const observation = serverFeature({
  pages: observationPages,
  routes: [
    ...noteListRoutes,
    ...noteOptionRoutes,
    ...noteRoutes,
    ...attachedRoutes,
    ...rubricRoutes,
    ...visitListRoutes,
    ...visitRoutes,
  ],
  masters: observationMasters,
  settings: observationSettings,
  cards: [followUpCard, visitCard],
  recordCards: [studentNotes, studentSkills, writtenNotes, staffVisits],
  sealed: sealedColumns,
  corrections: [sealOpen],
  constraintMessages: {
    observation_note_of_enrollment: text`Observations exist for the old grade. Choose a later day.`,
  },
  answers: [answerCalendar, moveStudentFollowUps, moveStaffFollowUps, endVisits],
  tidyUp: tidyDrafts,
  tagged: [{ scope: 'Observation', entity: 'observation_note' }],
  yearEnd: observationYearEnd,
  auditArea: text`Observations`,
  auditWords,
  seed: () => import('../seed.ts'),
  merges: observationMerges,
});
