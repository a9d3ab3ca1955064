import * as z from 'zod/mini';
import { studentKeepers } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { chosenId, id, optionalFreeText } from '#kit/contract/fields.ts';
import { confirmToken } from '#kit/contract/preview.ts';
import { calendarDay } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { changes, path } from './record.ts';
import { rollNumber, sectionStudentApi } from './section-student.ts';

export const studentSectionApi = {
  /** Moves one student to another section of the same grade and branch from a day, after a preview. */
  move: endpoint({
    method: 'POST',
    path: `${path}/:id/section`,
    access: studentKeepers,
    opens: 'student',
    changes: [...changes, 'section', 'student-section', 'attendance'],
    input: z.object({
      id,
      sectionId: chosenId(text`Section`),
      from: calendarDay(text`First day in the section`),
      reason: optionalFreeText(text`Reason`, 200),
      confirmToken,
    }),
    output: sectionStudentApi.move.output,
  }),
  /** Gives one student another roll number in the section of today. */
  roll: endpoint({
    method: 'POST',
    path: `${path}/:id/roll`,
    access: studentKeepers,
    opens: 'student',
    changes: [...changes, 'section', 'student-section'],
    input: z.object({ id, rollNo: rollNumber }),
    output: z.object({}),
  }),
};
