import { serverFeature } from '#kit/server/feature.ts';
import { teachingPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { teacherCard } from './dashboard-card.ts';
import sectionTeacher from './section-teacher.ts';

export const teaching = serverFeature({
  pages: teachingPages,
  routes: sectionTeacher,
  cards: [teacherCard],
  seed: () => import('../seed.ts'),
  auditWords,
});
