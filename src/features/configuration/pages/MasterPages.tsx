import { useLingui } from '@lingui/react/macro';
import { MastersPage, tabOf } from '#kit/browser/master/MastersPage.tsx';
import { skillMasters, subjectMasters, tagMasters } from '../contract.ts';

/** /school-erp/configuration/subject */
export function SubjectMasterPage() {
  const { t } = useLingui();
  return <MastersPage title={t`Subject Master`} tabs={subjectMasters.map((master) => tabOf(master))} />;
}

/** /school-erp/configuration/tag-master */
export function TagMasterPage() {
  const { t } = useLingui();
  return <MastersPage title={t`Tag Master`} tabs={tagMasters.map((master) => tabOf(master))} />;
}

/** /school-erp/configuration/skill-master */
export function SkillMasterPage() {
  const { t } = useLingui();
  return <MastersPage title={t`Skill Master`} tabs={skillMasters.map((master) => tabOf(master))} />;
}
