/** One rupee in paise: parts of an amount are rounded down to it. */
const rupee = 100n;

/** Rounds paise down to whole rupees. */
const downToRupee = (paise: bigint): bigint => (paise / rupee) * rupee;

/**
 * The first `part` of `whole` equal parts of an amount, rounded down to the rupee. A part is the difference of two such sums,
 * so that all parts total the amount exactly.
 */
export const running = (amount: bigint, part: bigint, whole: bigint): bigint =>
  part >= whole ? amount : downToRupee((amount * part) / whole);
