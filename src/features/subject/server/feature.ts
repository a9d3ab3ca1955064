import { sql } from 'kysely';
import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { subjectMasters } from '../contract/masters.ts';
import { subjectPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { copyGradeSubjects } from './copy-subjects.ts';
import { electives } from './elective-card.ts';
import { changeElectives, takeElectives } from './enrolment-change.ts';
import gradeSubject from './grade-subject.ts';
import { subjectMerges } from './merge.ts';
import studentSubject from './student-subject.ts';
import { subjectYearEnd } from './year-end.ts';

export const subject = serverFeature({
  pages: subjectPages,
  routes: [...gradeSubject, ...studentSubject],
  masters: subjectMasters,
  rollOver: [
    {
      part: 'Subjects of grades',
      copy: (ctx, { fromId, toId }) => copyGradeSubjects(ctx, fromId, toId),
      discard: (yearId) => [sql`delete from configuration_grade_subject where academic_year_id = ${yearId}`],
    },
  ],
  answers: [takeElectives, changeElectives],
  constraintMessages: {
    student_subject_of_enrollment: text`These students have electives. Remove their electives in the Subject Master first.`,
  },
  recordCards: [electives],
  seed: () => import('../seed.ts'),
  yearEnd: subjectYearEnd,
  auditArea: text`Subjects, tags and skills`,
  auditWords,
  merges: subjectMerges,
});
