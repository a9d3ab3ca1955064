import { toLocalDate } from '#kit/server/day.ts';
import type { SeedPlan } from '#kit/server/feature.ts';
import { randomFrom } from '#kit/server/random.ts';
import { grades } from './school.ts';

declare module '#kit/server/feature.ts' {
  interface SeedPlan {
    /** The number of students in each year. */
    students: number;
    staff: number;
    /** The number of sections in each year. */
    sections: number;
    /** The number of years with students: the current one, and closed ones before it. */
    years: number;
    /** School days with registers, the last of the year before included where there are too few; those of this year by default. */
    registerDays?: number;
  }
}

export type { SeedPlan };

interface Size {
  students: number;
  staff: number;
  sections: number;
  years: number;
  registerDays?: number;
}

/** The plan of `npm start`. */
export const demoSize: Size = { students: 900, staff: 60, sections: 36, years: 2 };

/** The plan of a school with this many students, one member of staff for 20 and one section for 40 of them. */
export const sizeFor = (students: number, years: number): Size => ({
  students,
  staff: Math.ceil(students / 20),
  sections: Math.max(grades.length, Math.ceil(students / 40)),
  years,
  registerDays: 180,
});

/** Another seed number gives a different school of the same size. */
export function planOf({ seed = 1, ...size }: Size & { seed?: number }, now: Date): SeedPlan {
  const today = toLocalDate(now);
  return { ...size, today, random: (part) => randomFrom(hashOf(`${seed} ${part}`)) };
}

/** FNV-1a, so that each part has its own series. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (const char of text) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 0x01000193);
  return hash;
}

/** The calendar year in which the academic year of a day begins: academic years are from June to May. */
export const startYearOf = (day: string): number => Number(day.slice(0, 4)) - (day.slice(5) < '06-01' ? 1 : 0);

/** The calendar years in which the academic years with students begin, the earliest first. */
export const startYearsOf = ({ today, years }: SeedPlan): number[] =>
  Array.from({ length: years }, (_, index) => startYearOf(today) - years + 1 + index);

/** First and last day of the academic year that begins in a calendar year. */
export const daysOfYear = (start: number) => ({ starts_on: `${start}-06-01`, ends_on: `${start + 1}-05-31` });

/** A fictional mobile number: in India none begins with 5, so it is nobody's. `number` is below a million. */
export const fictionalMobile = (number: number): string => `555${String(number).padStart(7, '0')}`;

/** The number of sections of each grade; the last grades have more, since children join over the years. */
export const sectionsPerGrade = ({ sections }: SeedPlan, grades: number): number[] =>
  Array.from({ length: grades }, (_, index) => Math.max(1, Math.floor((sections + index) / grades)));

/** The capacity of a section: slightly more than its usual strength. */
export const capacityOf = ({ students, sections }: SeedPlan): number =>
  Math.min(80, Math.ceil(((students / sections) * 1.15 + 1) / 5) * 5);

/** A, B, … Z, AA, AB, … */
export function sectionName(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : `${sectionName(Math.floor(index / 26) - 1)}${last}`;
}
