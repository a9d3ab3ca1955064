import { serverFeature } from '#kit/server/feature.ts';
import { studentPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { addStudentRoutes } from './create.ts';
import { studentCard } from './dashboard-card.ts';
import { guardianRoutes } from './guardian.ts';
import { sectionOptionRoutes, studentListRoutes } from './list.ts';
import { recordRoutes } from './record.ts';
import { rollImportRoutes } from './roll-import.ts';
import { studentSearch } from './search.ts';
import sectionStudent from './section-student.ts';

export const student = serverFeature({
  pages: studentPages,
  routes: [
    ...sectionStudent,
    ...rollImportRoutes,
    ...studentListRoutes,
    ...sectionOptionRoutes,
    ...addStudentRoutes,
    ...recordRoutes,
    ...guardianRoutes,
  ],
  cards: [studentCard],
  searches: [studentSearch],
  seed: () => import('../seed.ts'),
  auditWords,
});
