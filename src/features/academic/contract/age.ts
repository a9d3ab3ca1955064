import { ageOn } from '#kit/contract/age.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text } from '#kit/contract/text.ts';

interface GradeAge {
  name: string;
  min_age_months: number | null;
  max_age_months: number | null;
}

/** The age of a child on the cut-off date, and whether the grade takes it; undefined without a birth date. */
export function ageFor(birthDate: string, { name, min_age_months: least, max_age_months: most }: GradeAge, on: string) {
  const age = ageOn(birthDate, on);
  if (!age) return undefined;
  const months = age.years * 12 + age.months;
  const day = showDate(on);
  const words = text(
    {
      message:
        '{years, plural, one {# year} other {# years}} {months, plural, one {# month} other {# months}} on {day}',
    },
    { ...age, day },
  );
  const isYoung = least !== null && months < least;
  const isOld = most !== null && months > most;
  if (!isYoung && !isOld) return { words, isOutside: false };
  const limit = ageWords((isYoung ? least : most) ?? 0);
  const outside = isYoung
    ? text(
        {
          message:
            '{years, plural, one {# year} other {# years}} {months, plural, one {# month} other {# months}} on {day}. {grade} takes children from {limit}.',
        },
        { ...age, day, grade: name, limit },
      )
    : text(
        {
          message:
            '{years, plural, one {# year} other {# years}} {months, plural, one {# month} other {# months}} on {day}. {grade} takes children up to {limit}.',
        },
        { ...age, day, grade: name, limit },
      );
  return { words: outside, isOutside: true };
}

const ageWords = (months: number): Text =>
  months % 12 === 0
    ? text({ message: '{years, plural, one {# year} other {# years}}' }, { years: months / 12 })
    : text(
        { message: '{years, plural, one {# year} other {# years}} {months, plural, one {# month} other {# months}}' },
        { years: Math.floor(months / 12), months: months % 12 },
      );
