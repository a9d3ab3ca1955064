import { serverFeature } from '#kit/server/feature.ts';
import { skillMasters } from '../contract/masters.ts';
import { skillPages } from '../contract/pages.ts';
import skillRoutes from './skill.ts';

export const skill = serverFeature({
  pages: skillPages,
  routes: skillRoutes,
  masters: skillMasters,
  constraintMessages: {
    student_skill_evidence_of_enrollment:
      'Evidence of their skills is noted in this grade, so it cannot have been a mistake.',
  },
  seed: () => import('../seed.ts'),
});
