import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { hrisMasters } from '../contract/masters.ts';
import { hrisPages } from '../contract/pages.ts';

export const hris = serverFeature({
  pages: hrisPages,
  masters: hrisMasters,
  auditArea: text`HRIS`,
});
