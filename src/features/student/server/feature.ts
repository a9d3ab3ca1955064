import { serverFeature } from '#kit/server/feature.ts';
import { studentPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { studentCard } from './dashboard-card.ts';
import sectionStudent from './section-student.ts';

export const student = serverFeature({
  pages: studentPages,
  routes: sectionStudent,
  cards: [studentCard],
  seed: () => import('../seed.ts'),
  auditWords,
});
