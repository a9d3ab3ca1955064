interface Span {
  /** Minutes since midnight. */
  from: number;
  to: number;
  /** Length of one time, and the pause after it. */
  minutes: number;
  gap: number;
}

/** Times of one length within a span, one after the other, each with its first and last minute since midnight. */
export function slotsOf({ from, to, minutes, gap }: Span): { from: number; to: number }[] {
  const count = Math.max(0, Math.floor((to - from + gap) / (minutes + gap)));
  return Array.from({ length: count }, (_, place) => {
    const start = from + place * (minutes + gap);
    return { from: start, to: start + minutes };
  });
}

/** Minutes since midnight of a time of day: 15:10 is 910. */
export const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
