/** A rated domain: its weight in hundredths of a percent, and the points of its rated indicators. */
export interface RatedDomain {
  weight: number;
  /** Hundredths of a point; null is not observed, which does not count. */
  points: readonly (number | null)[];
}

/**
 * The weighted mean of the domains with a rating, in hundredths of a point, rounded half up once; null where nothing is
 * rated. Computed as a fraction: numbers with decimals fail at ties that come from thirds.
 */
export function scoreOf(domains: readonly RatedDomain[]): number | null {
  const rated = domains.flatMap(({ weight, points }) => {
    const seen = points.filter((point) => point !== null);
    const sum = seen.reduce((total, point) => total + point, 0);
    return seen.length > 0 ? [{ weight: BigInt(weight), sum: BigInt(sum), count: BigInt(seen.length) }] : [];
  });
  if (rated.length === 0) return null;
  const shared = rated.reduce((product, { count }) => product * count, 1n);
  const top = rated.reduce((total, { weight, sum, count }) => total + weight * sum * (shared / count), 0n);
  const bottom = shared * rated.reduce((total, { weight }) => total + weight, 0n);
  return Number((2n * top + bottom) / (2n * bottom));
}

/** Hundredths of a point as people read them: 2.88. */
export const showScore = (score: number | null): string => (score === null ? '' : (score / 100).toFixed(2));
