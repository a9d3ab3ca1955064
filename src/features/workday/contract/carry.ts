import * as z from 'zod/mini';
import { staffNames } from '#access/contract/staff-names.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { field } from '#kit/contract/field.ts';
import { id } from '#kit/contract/fields.ts';
import { importApi } from '#kit/contract/import.ts';
import { namedBy } from '#kit/contract/master.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { text } from '#kit/contract/text.ts';
import { leaveKeepers } from './access.ts';
import { leaveTypeMaster } from './masters.ts';

export const carryMessages = {
  whole: text`Leave is carried over for all branches. Ask HR of all branches.`,
  closed: text`This year is closed. What it carried over can’t change.`,
  noNext: text`There is no next academic year yet. Add it, then carry over.`,
  nextClosed: text`The next academic year is closed.`,
};

/** People that a preview names. */
export const mostNamed = 200;

export const carryApi = {
  /** Carries balances of the last day of a year over, up to the limit of each type. A repeated run corrects only what has changed. */
  run: endpoint({
    method: 'POST',
    path: '/workday/carry',
    access: leaveKeepers,
    changes: ['workday'],
    input: z.object({ academicYearId: id, confirmToken }),
    output: previewed({
      to: z.string(),
      /** Balances that the run changes in the next year. */
      changes: z.number(),
      /** Days, as 2.5. */
      carried: z.string(),
      lapsed: z.string(),
      count: z.number(),
      rows: z.array(
        z.object({ name: z.string(), type: z.string(), left: z.string(), carried: z.string(), lapsed: z.string() }),
      ),
    }),
  }),
};

/** The columns of a file of leave balances from before the school used this system. */
export const openingFile = {
  staffId: field.ref(text`Employee number`, {
    to: staffNames,
    alsoNamed: ['Employee Code', 'Emp Code', 'Emp ID', 'Emp No', 'Code'],
  }),
  typeId: field.ref(text`Leave type`, { to: namedBy(leaveTypeMaster) }),
  days: field.text(text`Days`, { max: 10, alsoNamed: ['Balance', 'Opening', 'Opening Balance', 'Leave Balance'] }),
};

export const openingMessages = {
  person: text`Choose the person of this number.`,
  own: text`Another person of HR enters credits of yours.`,
  type: text`Choose a leave type.`,
  days: text`Enter days such as 2.5 or -1, in halves and not zero.`,
  other: (days: string) => text`${{ days }} days are imported already. Undo that import first.`,
  noYear: text`There is no academic year for today. Add it, then import the balances.`,
};

export const openingImportApi = importApi({
  path: '/workday/opening',
  access: leaveKeepers,
  changes: ['workday'],
  columns: openingFile,
  needed: ['staffId', 'typeId', 'days'],
});
