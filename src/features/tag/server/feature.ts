import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { tagMasters } from '../contract/masters.ts';
import { tagPages } from '../contract/pages.ts';
import { auditWords } from './audit-words.ts';
import { tagMerges } from './merge.ts';
import tagRoutes from './tag.ts';

export const tag = serverFeature({
  pages: tagPages,
  routes: tagRoutes,
  masters: tagMasters,
  seed: () => import('../seed.ts'),
  auditArea: text`Subjects, tags and skills`,
  auditWords,
  merges: tagMerges,
});
