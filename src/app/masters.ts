import { academicMasters } from '#features/academic/contract/masters.ts';
import { calendarMasters } from '#features/calendar/contract/masters.ts';
import { schoolMasters } from '#features/school/contract/masters.ts';
import { skillMasters } from '#features/skill/contract/masters.ts';
import { subjectMasters } from '#features/subject/contract/masters.ts';
import { tagMasters } from '#features/tag/contract/masters.ts';
import type { Master } from '#kit/contract/master.ts';

/** Every master of the product; the tests walk them all. */
export const allMasters: readonly Master[] = [
  ...calendarMasters,
  ...academicMasters,
  ...schoolMasters,
  ...subjectMasters,
  ...tagMasters,
  ...skillMasters,
];
