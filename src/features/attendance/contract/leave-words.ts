import { rule } from '#kit/contract/fields.ts';
import { options, text } from '#kit/contract/text.ts';
import { megabyte, type UploadRule } from '#kit/contract/uploads.ts';

// What families read of leave too.
export const leaveKinds = options('Sick', 'Family', 'Religious', 'Competition', 'Other');
export const leaveHalves = options('Whole day', 'First half', 'Second half');
export const leaveStates = options('Asked', 'Granted', 'Rejected', 'Cancelled');
export type LeaveState = (typeof leaveStates)[number];

export const leaveRules = {
  order: text`Enter a last day that is not before the first one.`,
  oneDay: text`Half a day is for one day only.`,
  noSchool: text`There is no school on these days.`,
  year: text`Enter days of one academic year. Leave over two years is two entries.`,
  overlap: text`The student has leave on these days already.`,
  notHere: text`This student is not in a section on these days.`,
  ended: text`This leave has ended already.`,
};

export const leavePaper: UploadRule = {
  label: text`Paper`,
  kinds: ['pdf', 'png', 'jpeg'],
  maxBytes: 2 * megabyte,
  wrongType: text`Select a PDF, PNG, JPG or JPEG file.`,
  tooLarge: text`File size exceeds 2MB`,
};

/** Refuses a last day before the first, and half of several days. */
export const isInOrder = rule<{ fromDay: string; toDay: string; half: string }>(({ fromDay, toDay, half }, say) => {
  if (fromDay && toDay && toDay < fromDay) say('toDay', leaveRules.order);
  else if (half && half !== 'Whole day' && fromDay !== toDay) say('half', leaveRules.oneDay);
});
