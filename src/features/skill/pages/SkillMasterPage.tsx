import { useLingui } from '@lingui/react/macro';
import { MastersPage, tabOf } from '#kit/browser/master/MastersPage.tsx';
import { skillMasters } from '../contract/masters.ts';

/** /school-erp/configuration/skill-master */
export function SkillMasterPage() {
  const { t } = useLingui();
  return <MastersPage title={t`Skill Master`} tabs={skillMasters.map((master) => tabOf(master))} />;
}
