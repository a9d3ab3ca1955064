import { nextWorkingDay } from '#features/calendar/api.ts';
import { closedYearAt } from '#features/calendar/contract/closed-year.ts';
import { showDate } from '#kit/contract/day.ts';
import { fieldRefusal } from '#kit/contract/errors.ts';
import { text } from '#kit/contract/text.ts';
import type { Context } from '#kit/server/context.ts';
import { type ConstraintMessages, withConstraintMessages } from '#kit/server/master/constraint-messages.ts';
import { homeworkMessages } from '../contract/words.ts';

/** Rules that acts of other features can break. */
export const constraintMessages = { homework_section_inside_year: homeworkMessages.outsideYear };

export const homeworkRules: ConstraintMessages = {
  table: 'homework_section',
  fields: {},
  constraintMessages: {
    homework_section_mapped: { field: 'pairs', message: homeworkMessages.notMapped },
    homework_section_school_day: { field: 'dueOn', message: homeworkMessages.noSchoolAtAll },
    homework_section_inside_year: { field: 'dueOn', message: homeworkMessages.outsideYear },
    homework_section_due: { field: 'dueOn', message: homeworkMessages.beforeAssigned },
    homework_section_late: { field: 'lateUntil', message: homeworkMessages.late },
    homework_section_once: { field: 'pairs', message: homeworkMessages.twice },
    homework_extension_longer: { field: 'dueOn', message: homeworkMessages.longer },
    homework_result_before: { field: 'rows', message: homeworkMessages.beforeGiven },
    homework_result_most: { field: 'rows', message: homeworkMessages.mostMarks },
    ...closedYearAt('dueOn'),
  },
};

/** Runs an act on homework with the messages of its rules. */
export const withHomeworkMessages = <Result>(
  ctx: Pick<Context, 'db' | 'constraintMessages'>,
  act: () => Promise<Result>,
): Promise<Result> => withConstraintMessages(ctx, homeworkRules, act);

/** Refuses a due day before `first`, or without school in one of the grades, with the next day that has. */
export async function requireSchoolDay(
  ctx: Context,
  { dueOn, first, gradeIds }: { dueOn: string; first: string; gradeIds: readonly number[] },
) {
  if (dueOn < first) throw fieldRefusal('dueOn', homeworkMessages.beforeAssigned);
  const next = await Promise.all([...new Set(gradeIds)].map((grade) => nextWorkingDay(ctx, dueOn, grade)));
  const later =
    next
      .map((day) => day ?? '')
      .toSorted()
      .at(-1) ?? '';
  if (later === '') throw fieldRefusal('dueOn', homeworkMessages.noSchoolAtAll);
  if (later > dueOn)
    throw fieldRefusal(
      'dueOn',
      text`There is no school on this day. The next school day is ${{ day: showDate(later) }}.`,
    );
}
