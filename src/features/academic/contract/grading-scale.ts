import * as z from 'zod/mini';
import { admin } from '#features/account/contract/access.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { fieldInfo, id, rule, text, tick } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { listOf } from '#kit/contract/list.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { wholeNumber } from '#kit/contract/shell-fields.ts';

export const mostBands = 20;
const mostPoints = 10;

export const gradingMessages = {
  sameName: 'Another grading scale has this name.',
  noBands: 'Add at least one band.',
  tooManyBands: `A grading scale can have at most ${mostBands} bands.`,
  lowestAtZero: 'The lowest band begins at 0.',
  sameLowerEnd: 'Another band begins here too.',
  sameGrade: 'Another band has this grade.',
  overlap: 'Two bands share a percent. Give each a lower end of its own.',
  gap: 'A percent from 0 to 100 belongs to no band. Look at the lower ends again.',
};

const wrongPoints = `Points are 0 to ${mostPoints}, with one decimal at most.`;

const points = z
  .pipe(
    z.transform((values) => {
      if (values === undefined || values === null) return null;
      if (typeof values !== 'string') return values;
      if (values.trim() === '') return null;
      return /^[0-9]{1,2}(\.[0-9])?$/.test(values.trim()) ? Number(values) : values;
    }),
    z.nullable(
      z.number({ error: wrongPoints }).check(
        z.gte(0, { error: wrongPoints }),
        z.lte(mostPoints, { error: wrongPoints }),
        z.refine((value) => Math.round(value * 10) / 10 === value, { error: wrongPoints }),
      ),
    ),
  )
  .register(fieldInfo, { label: 'Points', optional: true, messages: [wrongPoints] });

/** Of a band only the lower end is given: it ends where the one above it begins. */
export const bandFields = { min: wholeNumber('Lower end', { least: 0, most: 100 }), grade: text('Grade', 5), points };
const bandDraft = z.object(bandFields);
type BandDraft = z.infer<typeof bandDraft>;

const band = z.object({ min: z.number(), max: z.number(), grade: z.string(), points: z.nullable(z.number()) });
export type Band = z.infer<typeof band>;

/** The last percent of a band that begins at `min`, beside bands that begin at `all`. */
export const upperEnd = (min: number, all: readonly number[]) =>
  Math.min(101, ...all.filter((start) => start > min)) - 1;

/** Bands with both their ends, the highest first, in whatever order they were given. */
export function bandsOf(values: readonly BandDraft[]): Band[] {
  const all = values.map(({ min }) => min ?? 0);
  return values
    .map(({ grade, points }, place) => ({ min: all[place] ?? 0, grade, points }))
    .map((band) => ({ ...band, max: upperEnd(band.min, all) }))
    .sort((left, right) => right.min - left.min);
}

/** A band in a few words: "A1 91–100 (10)". */
export function bandWords({ grade, min, max, points }: Band): string {
  const words = min === max ? `${grade} ${min}` : `${grade} ${min}–${max}`;
  return points === null ? words : `${words} (${points})`;
}

/** A scale's bands in one line. */
export const scaleWords = (bands: readonly Band[]) => bands.map(bandWords).join(', ');

/**
 * The band that a percentage from 0 to 100 falls into. Halves go up to the next whole percent first: 90.5 is 91, and
 * 90.49 is 90. What computing leaves beyond the sixth decimal does not count, so that 23 of 40, which a computer takes for
 * 57.49999999999999, is 57.5.
 */
export function gradeOf(percent: number, bands: readonly Band[]): Band {
  const whole = Math.round(Number(percent.toFixed(6)));
  const found = percent >= 0 && percent <= 100 && bands.find(({ min, max }) => whole >= min && whole <= max);
  if (!found) throw new Error(`${percent} % has no grade.`);
  return found;
}

const bands = listOf(bandDraft, {
  most: mostBands,
  least: 1,
  none: gradingMessages.noBands,
  many: gradingMessages.tooManyBands,
});
const values = { name: text('Name', 60), bands };
const isActive = tick(isActiveLabel);

/** Says beside its box what is wrong with a band among the others; what is refused by itself is left out. */
const together = rule<{ bands: BandDraft[] }>(({ bands = [] }, say) => {
  const sayAt = (place: number, name: string, message: string) => say(`bands.${place}.${name}` as 'bands', message);
  const mins = bands.map((band) => band?.min ?? undefined);
  const grades = bands.map((band) => band?.grade?.toLowerCase());
  mins.forEach((min, place) => {
    if (min !== undefined && mins.indexOf(min, place + 1) > 0) sayAt(place, 'min', gradingMessages.sameLowerEnd);
  });
  grades.forEach((grade, place) => {
    if (grade && grades.indexOf(grade) < place) sayAt(place, 'grade', gradingMessages.sameGrade);
  });
  const lowest = Math.min(...mins.map((min) => min ?? 0));
  if (bands.length > 0 && lowest > 0) sayAt(mins.indexOf(lowest), 'min', gradingMessages.lowestAtZero);
});

const scale = z.object({
  id: z.number(),
  name: z.string(),
  isActive: z.boolean(),
  version: z.number(),
  bands: z.array(band),
});
export type GradingScale = z.infer<typeof scale>;

const access = [admin()];
const path = '/academic/grading-scale';
const rowPath = `${path}/:id`;
const known = { id, version: id };
const saved = z.object({ id: z.number(), version: z.number() });

export const gradingScaleApi = {
  list: endpoint({
    method: 'GET',
    path,
    access,
    shows: ['grading-scale'],
    input: z.object({}),
    output: z.object({ rows: z.array(scale) }),
  }),
  history: historyOf(path, access, ['grading-scale']),
  create: endpoint({
    method: 'POST',
    path,
    access,
    changes: ['grading-scale'],
    input: z.object(values).check(together),
    output: saved,
  }),
  /** Saves the scale with all its bands. */
  update: endpoint({
    method: 'PUT',
    path: rowPath,
    access,
    changes: ['grading-scale'],
    input: z.object({ ...values, isActive, ...known }).check(together),
    output: saved,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: rowPath,
    access,
    changes: ['grading-scale'],
    input: z.object(known),
    output: z.object({}),
  }),
};
