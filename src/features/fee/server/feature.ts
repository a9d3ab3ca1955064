import { serverFeature } from '#kit/server/feature.ts';
import { discountMessages } from '../contract/discount.ts';
import { feeMasters } from '../contract/masters.ts';
import { feePages } from '../contract/pages.ts';
import { structureMessages } from '../contract/structure.ts';
import { auditWords } from './audit-words.ts';
import discount from './discount.ts';
import fineRule from './fine-rule.ts';
import frequency from './frequency.ts';
import { secondPublishes } from './settings.ts';
import structure, { structureListRoutes } from './structure.ts';
import { structureApproval } from './structure-approval.ts';

export const fee = serverFeature({
  pages: feePages,
  routes: [...frequency, ...fineRule, ...discount, ...structureListRoutes, ...structure],
  masters: feeMasters,
  settings: [secondPublishes],
  approvals: [structureApproval],
  constraintMessages: {
    fee_discount_in_use: discountMessages.inUse,
    fee_structure_grade_published: structureMessages.taken,
    fee_structure_published: structureMessages.published,
  },
  seed: () => import('../seed.ts'),
  auditWords,
});
