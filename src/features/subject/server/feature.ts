import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { subjectMasters } from '../contract/masters.ts';
import { subjectPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import gradeSubject from './grade-subject.ts';
import studentSubject from './student-subject.ts';

export const subject = serverFeature({
  pages: subjectPages,
  routes: [...gradeSubject, ...studentSubject],
  masters: subjectMasters,
  constraintMessages: {
    student_subject_of_enrollment: text`These students have electives. Remove their electives in the Subject Master first.`,
  },
  seed: () => import('../seed.ts'),
  auditWords,
});
