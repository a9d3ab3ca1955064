import { MastersPage } from '#kit/browser/master/MastersPage.tsx';
import { listsOf } from '#kit/browser/master/master-lists.tsx';
import { skillMasters } from '../contract/masters.ts';
import { skillPages } from '../contract/pages.ts';

/** /school-erp/configuration/skill-master */
export const SkillMasterPage = () => <MastersPage page={skillPages[0]} bodies={listsOf(skillMasters)} />;
