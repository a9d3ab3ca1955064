import { monthNames } from '#kit/contract/day.ts';

/** What a slab costs in a year. */
export interface SlabPrice {
  /** Paise a month, both ways. */
  monthAmount: number;
  /** Of one way, in hundredths of a percent. */
  oneWayShare: number;
  /** The names of the months that are charged. */
  months: readonly string[];
}

/** A rider’s trips from a day to a day; a stop without a price costs nothing. */
export interface Ride {
  from: string;
  /** '' without a last day. */
  to: string;
  billedFrom: string;
  isFree: boolean;
  /** The prices of the stops that are used; undefined for a way that is not. */
  pickup: SlabPrice | null | undefined;
  drop: SlabPrice | null | undefined;
}

type Ways = Pick<Ride, 'isFree' | 'pickup' | 'drop'>;

/** Paise for a month (YYYY-MM). */
export function monthPrice(ways: Ways, month: string): number {
  const name = monthNames[Number(month.slice(5, 7)) - 1] ?? '';
  return priceOf(ways, (price) => (price?.months.includes(name) ? price : undefined));
}

/** Paise for a month that is charged. */
export const usualPrice = (ways: Ways): number => priceOf(ways, (price) => price ?? undefined);

/** Both ways cost as much as the dearer stop, one way the share of its stop, half a rupee rounded up. */
function priceOf(
  { isFree, pickup, drop }: Ways,
  charged: (price: SlabPrice | null | undefined) => SlabPrice | undefined,
): number {
  if (isFree) return 0;
  if (pickup !== undefined && drop !== undefined)
    return Math.max(charged(pickup)?.monthAmount ?? 0, charged(drop)?.monthAmount ?? 0);
  const only = charged(pickup) ?? charged(drop);
  return only ? Math.round((only.monthAmount * only.oneWayShare) / 1_000_000) * 100 : 0;
}

/**
 * What a rider owes for a month (YYYY-MM): by the ride of the cut-off day, or without such a ride by the one that ends in
 * the month, since leaving charges the month in full.
 */
export function monthCharge(rides: readonly Ride[], month: string, cutOff: number): number {
  const day = `${month}-${String(cutOff).padStart(2, '0')}`;
  const held = rides.find(({ from, to }) => from <= day && (to === '' || to >= day));
  const ended = rides.filter(({ to }) => to.startsWith(month)).at(-1);
  const ride = held ?? ended;
  return ride && ride.billedFrom.slice(0, 7) <= month ? monthPrice(ride, month) : 0;
}
