import { text } from '#kit/contract/text.ts';
import { serverFeature } from '#kit/server/feature.ts';
import { attendanceMasters } from '../contract/masters.ts';
import { attendancePages } from '../contract/pages.ts';

export const attendance = serverFeature({
  pages: attendancePages,
  masters: attendanceMasters,
  constraintMessages: {
    attendance_register_in_year: text`Registers were taken outside these days.`,
  },
});
