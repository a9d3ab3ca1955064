import * as z from 'zod/mini';
import { signedIn } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';

const year = z.object({
  id: z.number(),
  name: z.string(),
  /** A year begins by its date and is closed by an act; between its last day and its closing it is ended. */
  phase: z.enum(['Planned', 'Current', 'Ended', 'Closed']),
  /** The year of today: of one day exactly one, also between two years, where it may be closed. */
  isCurrent: z.boolean(),
  startsOn: z.string(),
  endsOn: z.string(),
  /** Of a closed year. */
  closedOn: z.optional(z.string()),
});

export type AcademicYear = z.infer<typeof year>;

/** The key under which a device stores its choice of a year. */
export const workingYearName = 'workingYear';

/** A year chosen on a device, and the year that was current then. */
const choice = z.object({ id: z.number(), when: z.number() });

/** What a device stores for a chosen year. */
export const keptChoice = (id: number, when: number): string => JSON.stringify({ id, when });

/** The choice that a device has stored. */
export function choiceOf(kept: string | null): { id: number; when: number } | undefined {
  try {
    return z.safeParse(choice, JSON.parse(kept ?? '')).data;
  } catch {
    return undefined;
  }
}

/** The academic year that today belongs to. */
export const currentYearOf = (years: readonly AcademicYear[]): AcademicYear | undefined =>
  years.find(({ isCurrent }) => isCurrent) ?? years[0];

/** The first year that has ended and is open, else that of today: the one whose end is prepared. */
export const endingYearOf = (years: readonly AcademicYear[]): AcademicYear | undefined =>
  years
    .filter(({ phase }) => phase === 'Ended')
    .toSorted((one, other) => one.startsOn.localeCompare(other.startsOn))
    .at(0) ?? currentYearOf(years);

/** The working year: the one chosen on this device while the same year is current, else the current one. */
export function workingYearOf(years: readonly AcademicYear[], kept: string | null): AcademicYear | undefined {
  const current = currentYearOf(years);
  const chosen = choiceOf(kept);
  return (chosen?.when === current?.id && years.find(({ id }) => id === chosen?.id)) || current;
}

export const yearApi = {
  /** The choices of a working year, newest first. */
  list: endpoint({
    method: 'GET',
    path: '/academic/year-list',
    access: signedIn,
    shows: ['year'],
    input: z.object({}),
    output: z.array(year),
  }),
};
