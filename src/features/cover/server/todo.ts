import { showDate } from '#kit/contract/day.ts';
import { text } from '#kit/contract/text.ts';
import type { DayFigure, TodoSource } from '#kit/server/dashboard.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import type { CoverLine } from '../contract/cover.ts';
import { isOpen, readLines } from './open.ts';

const page = 'attendance/daily-attendance?show=substitutes';

/** One number for a lesson to cover today (0) or tomorrow (1): ids of sections and subjects are far below these powers. */
const idOf = ({ sectionId, subjectId, fromHalf }: CoverLine, place: number) =>
  (sectionId * 1_000_000 + (subjectId ?? 0)) * 4 + place * 2 + fromHalf - 1;

/** Registers and subjects without a teacher today or tomorrow. */
export const coverTodo: TodoSource = {
  kind: 'cover',
  title: text`Classes without a teacher`,
  icon: 'register',
  roles: ['Staff'],
  sets: ['office', 'principal'],
  find: async (ctx, most) => {
    const today = toLocalDate(ctx.now());
    const tomorrow = addDays(today, 1);
    const days = [
      { day: today, when: 'today' as const },
      { day: tomorrow, when: 'soon' as const },
    ];
    const rows = [];
    for (const [place, { day, when }] of days.entries())
      for (const line of (await readLines(ctx, day)).filter(isOpen))
        rows.push({ line, day, when, id: idOf(line, place) });
    return {
      total: rows.length,
      to: page,
      rows: rows.slice(0, most).map(({ line, day, when, id }) => ({
        id,
        when,
        title: line.section,
        about: showDate(day, today),
        detail: line.subject
          ? text`${{ subject: line.subject }}: ${{ teacher: line.absent }} is away`
          : text`Register: ${{ teacher: line.absent }} is away`,
        to: day === today ? page : `${page}&day=${day}`,
        act: text`Give a substitute`,
      })),
    };
  },
};

/** How many classes have no teacher today, and how many teachers are away. */
export const coverFigure: DayFigure = {
  title: text`Without a teacher`,
  place: 25,
  roles: ['Staff'],
  sets: ['office', 'principal'],
  read: async (ctx) => {
    const lines = await readLines(ctx, toLocalDate(ctx.now()));
    if (lines.length === 0) return undefined;
    const open = lines.filter(isOpen).length;
    return {
      value: open,
      unit: 'number',
      to: page,
      ...(open > 0 && { isLate: true }),
      before: text(
        { message: '{n, plural, one {# teacher away} other {# teachers away}}' },
        { n: new Set(lines.map(({ absentId }) => absentId)).size },
      ),
    };
  },
};
