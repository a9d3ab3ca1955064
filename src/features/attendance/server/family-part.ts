import { familyPart } from '#features/family/api.ts';
import { familyDays } from '../contract/family.ts';
import { monthOf } from './child-days.ts';

/** The children's marks of the month. */
export const monthPart = familyPart({
  key: 'attendance',
  output: familyDays,
  read: (ctx, { day, children }) =>
    monthOf(
      ctx,
      children.map(({ studentId }) => studentId),
      day.slice(0, 7),
    ),
});
