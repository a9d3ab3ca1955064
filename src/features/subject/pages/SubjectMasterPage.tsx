import { useLingui } from '@lingui/react/macro';
import { MastersPage, tabOf } from '#kit/browser/master/MastersPage.tsx';
import { subjectMasters } from '../contract/masters.ts';
import { GradeSubjects } from './GradeSubjects.tsx';
import { StudentElectives } from './StudentElectives.tsx';

/** /school-erp/configuration/subject */
export function SubjectMasterPage() {
  const { t } = useLingui();
  const tabs = [
    ...subjectMasters.map((master) => tabOf(master)),
    { key: 'grade', title: t`Subjects of each grade`, body: <GradeSubjects /> },
    { key: 'elective', title: t`Students’ electives`, body: <StudentElectives /> },
  ];
  return <MastersPage title={t`Subject Master`} tabs={tabs} />;
}
