import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { subjectMasters } from '../contract/masters.ts';
import { subjectPages } from '../contract/pages.ts';
import { GradeSubjects } from './GradeSubjects.tsx';
import { StudentElectives } from './StudentElectives.tsx';

/** /school-erp/configuration/subject */
export const SubjectMasterPage = () => (
  <MastersPage
    page={subjectPages[0]}
    bodies={{ ...listsOf(subjectMasters), grade: <GradeSubjects />, elective: <StudentElectives /> }}
  />
);
