import * as z from 'zod/mini';
import { feeReaders, feeWriters } from '#access/contract/grants.ts';
import { abilities } from '#kit/contract/abilities.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { id, idAndVersion } from '#kit/contract/fields.ts';
import { listOf } from '#kit/contract/list.ts';
import { money } from '#kit/contract/money.ts';
import { confirmToken, previewed } from '#kit/contract/preview.ts';
import { text } from '#kit/contract/text.ts';
import { structureStates } from './structure.ts';

const mostRows = 200;
const mostHeads = 40;

export const gridMessages = {
  nothing: text`Change at least one amount.`,
  manyRows: text`Change at most ${{ mostRows }} structures at once.`,
  manyHeads: text`Use at most ${{ mostHeads }} fee heads.`,
  changed: (changes: string) =>
    text`Changed since you read these prices: ${{ changes }}. Your amounts are kept; check them.`,
  begun: (name: string, by: string) => text`${{ by }} has begun a new version of “${{ name }}”. Your amounts are kept.`,
};

const price = z.object({ feeHeadId: z.number(), annual: z.number() });

const row = z.object({
  /** The same for a version as for the prices that it replaces. */
  key: z.string(),
  id: z.number(),
  version: z.number(),
  name: z.string(),
  grades: z.string(),
  /** Branch, program, category and kind of student. */
  of: z.string(),
  status: z.enum(structureStates),
  versionNo: z.number(),
  lines: z.array(
    z.object({
      ...price.shape,
      /** How many months are charged. */
      months: z.number(),
    }),
  ),
  /** The prices that these replace, or were copied from. */
  before: z.array(price),
});
export type PriceRow = z.infer<typeof row>;

const grid = z.object({
  heads: z.array(z.object({ id: z.number(), name: z.string(), frequency: z.string(), isActive: z.boolean() })),
  rows: z.array(row),
  may: abilities('save'),
});
export type PriceGridOfYear = z.infer<typeof grid>;

/** An amount in paise more by hundredths of a percent, rounded down to whole units of rupees; one unit at least. */
export function raised(paise: number, hundredths: number, rupees: number): number {
  const unit = rupees * 100;
  const units = (BigInt(paise) * BigInt(10_000 + hundredths)) / (10_000n * BigInt(unit));
  return units > 0n ? Number(units * BigInt(unit)) : unit;
}

const path = '/fee/structure/grid';
const shows = ['fee-structure'] as const;

export const priceGridApi = {
  read: endpoint({
    method: 'GET',
    path,
    access: feeReaders,
    shows: [...shows, 'approval', 'head', 'frequency', 'year', 'grade'],
    input: z.object({ academicYearId: id }),
    output: grid,
  }),
  /** Saves amounts of several structures as drafts; those of published prices begin a new version. */
  save: endpoint({
    method: 'POST',
    path,
    access: feeWriters,
    changes: shows,
    input: z.object({
      academicYearId: id,
      rows: listOf(
        z.object({
          ...idAndVersion,
          cells: listOf(
            z.object({
              feeHeadId: id,
              annual: money(text`Annual amount (₹)`, { least: 1, optional: true }),
              /** The amount that the user saw. */
              seen: money(text`Annual amount (₹)`, { optional: true }),
            }),
            { least: 1, most: mostHeads, none: gridMessages.nothing, many: gridMessages.manyHeads },
          ),
        }),
        { least: 1, most: mostRows, none: gridMessages.nothing, many: gridMessages.manyRows },
      ),
      confirmToken,
    }),
    output: previewed({
      heads: z.array(z.object({ head: z.string(), before: z.number(), after: z.number(), structures: z.number() })),
      amounts: z.number(),
      structures: z.number(),
      /** How many of them begin a new version of published prices. */
      versions: z.number(),
    }),
  }),
};
