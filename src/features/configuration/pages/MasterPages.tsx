import { useLingui } from '@lingui/react/macro';
import { MastersPage, tabOf } from '#kit/browser/master/MastersPage.tsx';
import { skillMasters, subjectMasters, tagMaster, tagMasters } from '../contract/masters.ts';
import { GradeSubjects } from './GradeSubjects.tsx';
import { StudentElectives } from './StudentElectives.tsx';
import { TagTab } from './TagTab.tsx';

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

/** /school-erp/configuration/tag-master */
export function TagMasterPage() {
  const { t } = useLingui();
  const tabs = tagMasters.map((master) => tabOf(master, master === tagMaster ? <TagTab /> : undefined));
  return <MastersPage title={t`Tag Master`} tabs={tabs} />;
}

/** /school-erp/configuration/skill-master */
export function SkillMasterPage() {
  const { t } = useLingui();
  return <MastersPage title={t`Skill Master`} tabs={skillMasters.map((master) => tabOf(master))} />;
}
