import { text } from '#kit/contract/text.ts';
import type { DayFigure } from '#kit/server/dashboard.ts';
import { toLocalDate } from '#kit/server/day.ts';
import { type DayTrip, lacksOne } from '../contract/today.ts';
import { readDay } from './today.ts';

const given = ({ vehicle, driver, attendant }: DayTrip) => [vehicle, driver, attendant].filter((one) => one !== null);
const isReplaced = (trip: DayTrip) => given(trip).some(({ insteadOf }) => insteadOf !== '');

/** Trips of today with another bus or person than usual, without one, or that do not run, as Transport Master lists them. */
export const changedBusesFigure: DayFigure = {
  title: text`Buses changed`,
  place: 28,
  roles: ['Staff'],
  sets: ['principal', 'transportIncharge'],
  read: async (ctx) => {
    const { trips, isSchoolDay } = await readDay(ctx, { day: toLocalDate(ctx.now()) });
    if (!isSchoolDay || trips.length === 0) return undefined;
    const away = trips.filter(lacksOne).length;
    return {
      value: trips.filter((trip) => trip.isNotRunning || isReplaced(trip) || lacksOne(trip)).length,
      unit: 'number',
      of: trips.length,
      to: 'transport/?tab=today',
      ...(away > 0 && { isLate: true, late: text`Away, not replaced: ${{ trips: away }}` }),
    };
  },
};
