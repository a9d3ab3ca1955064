import type { Context } from '#kit/server/context.ts';
import { toLocalDate } from '#kit/server/day.ts';

interface Year {
  starts_on: string;
  ends_on: string;
}

/** The day that is looked at: the one asked for, or today; never outside the year. */
export function clampToYear({ now }: Pick<Context, 'now'>, { starts_on, ends_on }: Year, asked: string): string {
  const day = asked || toLocalDate(now());
  return day < starts_on ? starts_on : day > ends_on ? ends_on : day;
}
