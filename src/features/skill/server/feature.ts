import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { skillMasters } from '../contract/masters.ts';
import { skillPages } from '../contract/pages.ts';
import { skillMerges } from './merge.ts';
import skillRoutes from './skill.ts';

export const skill = serverFeature({
  pages: skillPages,
  routes: skillRoutes,
  masters: skillMasters,
  constraintMessages: {
    student_skill_evidence_of_enrollment: text`Skill evidence exists for the old grade. Choose a later day.`,
  },
  seed: () => import('../seed.ts'),
  auditArea: text`Subjects, tags and skills`,
  merges: skillMerges,
});
