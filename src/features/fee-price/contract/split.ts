/** How an annual amount becomes instalments. */
export interface Shares {
  /** The unit of rounding, in rupees: 1, 10, 50 or 100. */
  unit: number;
  /** The instalment, from 1, to which what remains of rounding is added. */
  remainderSeq: number;
  /** Each instalment's share in hundredths of a percent; null for equal shares. */
  rows: readonly { seq: number; fromMonth: number; months: number; share: number | null }[];
}

/** All twelve months of a year, as a mask of bits: bit 0 is the year's first month. */
export const everyMonth = 0xfff;

const isIn = (mask: number, month: number) => ((mask >> month) & 1) === 1;

/**
 * The instalments of an annual amount, all in paise. Each share is rounded down to the unit, and the rest is added to one
 * instalment, so that they total the annual amount exactly. With a mask of months only these are charged: equal shares by
 * the months that remain, other shares in proportion; an instalment without a month is 0, and the rest then goes to the
 * first one that is charged. Throws where the mask leaves no month.
 */
export function split(annual: number, { unit, remainderSeq, rows }: Shares, mask = everyMonth): number[] {
  const weights = rows.map(({ fromMonth, months, share }) => {
    const left = Array.from({ length: months }, (_, month) => fromMonth + month).filter((month) => isIn(mask, month));
    return (BigInt(share ?? 1) * BigInt(left.length) * leastCommon) / BigInt(months);
  });
  const whole = weights.reduce((sum, weight) => sum + weight, 0n);
  if (whole === 0n) throw new Error('No month of this frequency is charged.');
  const step = BigInt(unit) * 100n;
  const parts = weights.map((weight) => ((BigInt(annual) * weight) / (whole * step)) * step);
  const rest = BigInt(annual) - parts.reduce((sum, part) => sum + part, 0n);
  const named = rows.findIndex(({ seq }, place) => seq === remainderSeq && weights[place] !== 0n);
  const place = named >= 0 ? named : weights.findIndex((weight) => weight !== 0n);
  return parts.map((part, index) => Number(index === place ? part + rest : part));
}

/** Divisible by every number of months that a period may have, so that weights stay whole. */
const leastCommon = 27_720n;
