import { serverFeature } from '#kit/server/feature.ts';
import { observationMasters } from '../contract/masters.ts';
import { observationPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { followUpCard } from './dashboard-card.ts';
import { tidyDrafts } from './draft.ts';
import { moveStaffFollowUps, moveStudentFollowUps } from './leaving.ts';
import { noteRoutes } from './note.ts';
import { noteListRoutes, noteOptionRoutes } from './note-list.ts';
import { rubricRoutes } from './rubric.ts';
import { sealedColumns } from './sealed.ts';
import { observationSettings } from './settings.ts';
import { studentNotes } from './student-card.ts';

export const observation = serverFeature({
  pages: observationPages,
  routes: [...noteListRoutes, ...noteOptionRoutes, ...noteRoutes, ...rubricRoutes],
  masters: observationMasters,
  settings: observationSettings,
  cards: [followUpCard],
  recordCards: [studentNotes],
  sealed: sealedColumns,
  answers: [moveStudentFollowUps, moveStaffFollowUps],
  tidyUp: tidyDrafts,
  auditWords,
  seed: () => import('../seed.ts'),
});
