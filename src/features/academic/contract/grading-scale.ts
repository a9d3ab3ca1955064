import * as z from 'zod/mini';
import { admin } from '#access/contract/grants.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { takenMessage } from '#kit/contract/field.ts';
import { because, fieldInfo, freeText, idAndVersion, rule, tick } from '#kit/contract/fields.ts';
import { historyOf } from '#kit/contract/history.ts';
import { listOf } from '#kit/contract/list.ts';
import { isActiveLabel } from '#kit/contract/master.ts';
import { wholeNumber } from '#kit/contract/shell-fields.ts';
import { type Text, text } from '#kit/contract/text.ts';

export const mostBands = 20;
const mostPoints = 10;

export const gradingMessages = {
  sameName: takenMessage,
  noBands: text`Add at least one band.`,
  tooManyBands: text`Use at most ${{ mostBands }} bands.`,
  lowestAtZero: text`The lowest band must start at 0.`,
  sameLowerEnd: text`Already in use. Enter a different one.`,
  sameGrade: text`Already in use. Enter a different one.`,
  /** Of bands with gaps or overlaps, which no page can send. */
  wrongBands: text`This is not valid.`,
};

const wrongPoints = because(text`Enter points from 0 to ${{ mostPoints }}, with at most one decimal.`);

const isPoints = (value: unknown) =>
  typeof value === 'number' && value >= 0 && value <= mostPoints && Math.round(value * 10) / 10 === value;

const points = z
  .pipe(
    z.transform((values) => {
      if (values === undefined || values === null) return null;
      if (typeof values !== 'string') return values;
      if (values.trim() === '') return null;
      return /^[0-9]{1,2}(\.[0-9])?$/.test(values.trim()) ? Number(values) : values;
    }),
    z.nullable(z.custom<number>(isPoints, wrongPoints)),
  )
  .register(fieldInfo, { label: text`Points`, optional: true });

/** A band is entered by its lower end only: it ends where the one above it starts. */
export const bandFields = {
  min: wholeNumber(text`From %`, { least: 0, most: 100 }),
  grade: freeText(text({ message: 'Grade', context: 'result' }), 5),
  points,
};
const bandDraft = z.object(bandFields);
type BandDraft = z.infer<typeof bandDraft>;

const band = z.object({ min: z.number(), max: z.number(), grade: z.string(), points: z.nullable(z.number()) });
export type Band = z.infer<typeof band>;

/** The last percent of a band that begins at `min`, beside bands that begin at `all`. */
export const upperEnd = (min: number, all: readonly number[]) =>
  Math.min(101, ...all.filter((start) => start > min)) - 1;

/** Bands with both ends, sorted from the highest. */
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

const bands = listOf(bandDraft, {
  most: mostBands,
  least: 1,
  none: gradingMessages.noBands,
  many: gradingMessages.tooManyBands,
});
const values = { name: freeText(text`Name`, 60), bands };
const isActive = tick(isActiveLabel);

/** The rules between bands; fields that are refused on their own are left out. */
const together = rule<{ bands: BandDraft[] }>(({ bands = [] }, say) => {
  const sayAt = (place: number, name: string, message: Text) => say(`bands.${place}.${name}` as 'bands', message);
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
    input: z.object({ ...values, isActive, ...idAndVersion }).check(together),
    output: saved,
  }),
  remove: endpoint({
    method: 'DELETE',
    path: rowPath,
    access,
    changes: ['grading-scale'],
    input: z.object(idAndVersion),
    output: z.object({}),
  }),
};
