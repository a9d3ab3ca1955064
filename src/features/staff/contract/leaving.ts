import * as z from 'zod/mini';
import { staffKeepers } from '#access/contract/grants.ts';
import { anyText } from '#kit/contract/any-text.ts';
import { showDate } from '#kit/contract/day.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { inputOf } from '#kit/contract/field.ts';
import { id, optionalFreeText, tick } from '#kit/contract/fields.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { calendarDay, neededId } from '#kit/contract/shell-fields.ts';
import { text } from '#kit/contract/text.ts';
import { changes, employmentFields, postFields } from './record.ts';

export const hasLeft = text`This person has left. Re-join them first.`;
/** The refusal of an entry that is the contact of a person who has left. */
export const leftWithThis = (person: { name: string; number: string; lastDay: string }) =>
  text`${{ name: person.name }} (${{ number: person.number }}) left on ${{ day: showDate(person.lastDay) }} and has this. Re-join them instead.`;
export const afterLastDay = (day: string) => text`Enter a day after ${{ day: showDate(day) }}, the last day.`;
export const stillHere = text`This person works here. Relieve them first.`;
export const onlyByAdmin = text`Only an Admin can relieve an Admin.`;

const path = '/staff';
/** What relieving a person ends, each with a sentence; without a confirm token it only lists them. */
const relieved = previewed({ ends: z.array(anyText), blocks: z.array(anyText) });

export const leavingApi = {
  /** The last day of work, after a preview of the mappings and the account that end with it (as-built 1.14). */
  relieve: endpoint({
    method: 'POST',
    path: `${path}/:id/relieve`,
    access: staffKeepers,
    opens: 'staff',
    changes: [...changes, 'account', 'session', 'teacher'],
    isConfirmed: true,
    isReported: true,
    input: z.object({
      id,
      lastDay: calendarDay(text`Last day`),
      separationReasonId: neededId(text`Reason`),
      remark: optionalFreeText(text`Remark`, 500),
      endsAccessNow: tick(text`End access now`),
      /** Relieves a class teacher without a replacement. */
      isOverridden: tick(text`Relieve without a replacement`),
      confirmToken,
    }),
    output: relieved,
  }),
  rejoin: endpoint({
    method: 'POST',
    path: `${path}/:id/rejoin`,
    access: staffKeepers,
    changes,
    input: z.object({ id, ...inputOf({ ...employmentFields, ...postFields }) }),
    output: z.object({}),
  }),
};
