import { sql } from 'kysely';
import { serverFeature } from '#kit/server/feature.ts';
import { teachingPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { teacherCard } from './dashboard-card.ts';
import { teachingCard, teachingEvents } from './report-card.ts';
import sectionTeacher from './section-teacher.ts';
import { teacherStep } from './set-up.ts';
import { copyTeachers } from './teacher-copy.ts';
import { endTeaching } from './teacher-leaving.ts';
import { teachingYearEnd } from './year-end.ts';

export const teaching = serverFeature({
  pages: teachingPages,
  routes: sectionTeacher,
  cards: [teacherCard],
  setUp: [teacherStep],
  recordCards: [teachingCard],
  events: [teachingEvents],
  rollOver: [
    {
      part: 'Teachers',
      copy: (ctx, { fromId, toId }) => copyTeachers(ctx, fromId, toId),
      discard: (yearId) => [sql`delete from academic_section_teacher where academic_year_id = ${yearId}`],
    },
  ],
  answers: [endTeaching],
  seed: () => import('../seed.ts'),
  yearEnd: teachingYearEnd,
  auditWords,
});
