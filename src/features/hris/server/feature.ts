import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { hrisMasters } from '../contract/masters.ts';

export const hris = serverFeature({
  masters: hrisMasters,
  auditArea: text`HRIS`,
});
