import { serverFeature } from '#kit/server/feature.ts';
import { feeMasters } from '../contract/masters.ts';
import { feePages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import fineRule from './fine-rule.ts';
import frequency from './frequency.ts';

export const fee = serverFeature({
  pages: feePages,
  routes: [...frequency, ...fineRule],
  masters: feeMasters,
  seed: () => import('../seed.ts'),
  auditWords,
});
