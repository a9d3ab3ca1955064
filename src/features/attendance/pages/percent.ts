/** A percentage with one decimal, below a heading that says so: "93.6"; "–" where nothing was taken. */
export const showRate = (perMille: number | null): string => (perMille === null ? '–' : (perMille / 10).toFixed(1));

/** The same within a text: "93.6 %". */
export const showPercent = (perMille: number | null): string => (perMille === null ? '–' : `${showRate(perMille)} %`);
