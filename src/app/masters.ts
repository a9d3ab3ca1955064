import { academicMasters, organizationalMasters } from '#features/academic/contract/masters.ts';
import { skillMasters, subjectMasters, tagMasters } from '#features/configuration/contract/masters.ts';
import type { Master } from '#kit/contract/master.ts';

/** Every master of the product; the tests walk them all. */
export const allMasters: readonly Master[] = [
  ...academicMasters,
  ...organizationalMasters,
  ...subjectMasters,
  ...tagMasters,
  ...skillMasters,
];
