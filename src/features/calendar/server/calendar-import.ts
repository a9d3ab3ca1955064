import { restoreText } from '#kit/contract/csv.ts';
import { readDay } from '#kit/contract/day.ts';
import { AppError } from '#kit/contract/errors.ts';
import { fieldErrors, isRealDate } from '#kit/contract/fields.ts';
import type { ImportRow } from '#kit/contract/import.ts';
import { text } from '#kit/contract/text.ts';
import { readRows } from '#kit/server/import/read-table.ts';
import { type CalendarDay, calendarMessages, dayName, mostLines } from '../contract/calendar.ts';

interface Line {
  line: number;
  day: string;
  name: string;
  /** The line as typed, which identifies it. */
  typed: string;
}

/** Parses a list of days and names, one a line; skips a header line. Throws `invalid` for too many lines. */
export function readLines(list: string): Line[] {
  const rows = readRows(list.replace(/\r\n?/g, '\n'));
  if (rows.length > mostLines + 1) throw new AppError('invalid', calendarMessages.tooLong);
  const lines = rows.map(({ line, cells }) => {
    const [first = '', ...rest] = cells.map((cell) => restoreText(cell.trim()));
    const name = rest.filter(Boolean).join(', ');
    const { year, month, day } = readDay(first) ?? { year: '', month: '', day: '' };
    return { line, day: `${year}-${month}-${day}`, name, typed: [first, name].filter(Boolean).join(', ') };
  });
  return lines.filter(({ typed }, index) => index > 0 || !/^(day|date)\b/i.test(typed));
}

/** Compares each line with the days of the whole school. */
export function compareLines(lines: Line[], { first, last }: { first: string; last: string }, there: CalendarDay[]) {
  const seen = new Set<string>();
  return lines.map(({ line, day, name, typed }): Line & ImportRow => {
    const { error } = dayName.safeParse(name);
    const [wrongName] = error ? Object.values(fieldErrors(error)) : [];
    const messages = {
      ...(wrongName && { name: wrongName }),
      ...(seen.has(day) && { day: calendarMessages.lineTwice }),
      ...((day < first || day > last) && { day: calendarMessages.lineOutside }),
      ...(!isRealDate(day) && { day: calendarMessages.noDay }),
    };
    seen.add(day);
    const before = there.find((one) => one.day === day);
    const isSame = before?.kind === 'Holiday' && before.name === name;
    const status = Object.keys(messages).length > 0 ? 'wrong' : isSame ? 'same' : before ? 'changed' : 'added';
    const until = status === 'changed' && {
      until: text`Now: ${{ kind: { id: before?.kind ?? '' } }}, ${{ name: before?.name ?? '' }}`,
    };
    return { line, day, name, typed, displayName: typed, status, messages: { ...messages, ...until } };
  });
}
