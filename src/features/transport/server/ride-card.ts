import { studentReaders } from '#access/contract/grants.ts';
import { studentCard } from '#features/student/contract/cards.ts';
import { showDate } from '#kit/contract/day.ts';
import { type Text, text, verbatim } from '#kit/contract/text.ts';
import type { Context, ServedCard } from '#kit/server/context.ts';
import { addDays, toLocalDate } from '#kit/server/day.ts';
import { type Bus, busOf } from './bus.ts';

/** The bus of a student on the last day of the period, or today: stop, time and vehicle of each way. */
export const studentRide: ServedCard = {
  card: studentCard('transport', 'now', 60, text`Transport`, studentReaders),
  read: async (ctx, id, { to }) => {
    const today = toLocalDate(ctx.now());
    const day = to && to < today ? to : today;
    const [bus] = await busOf(ctx, { studentIds: [id] }, day);
    return {
      asOf: day === today ? '' : day,
      facts: bus ? [...factsOf(bus), ...(await nextOf(ctx, id, bus))] : [],
      table: null,
      to: '',
      empty: day === today ? text`No seat on a bus today.` : text`No seat on a bus on ${{ day: showDate(day) }}.`,
    };
  },
  today: async (ctx, id) => {
    const [bus] = await busOf(ctx, { studentIds: [id] }, toLocalDate(ctx.now()));
    const [first, second] = [bus?.pickup, bus?.drop].filter((way) => way !== undefined);
    if (!first) return undefined;
    const home = second?.isNone ? undefined : second?.time;
    if (first.isNone)
      return {
        label: text`Bus`,
        value: text`No bus today`,
        detail: home ? text`Drop ${{ home }}` : verbatim(''),
        isLate: true,
      };
    return {
      label: first.vehicle ? verbatim(first.vehicle) : text`Bus`,
      value: verbatim([first.time, first.stop].filter(Boolean).join(' ')),
      detail: home ? text`Drop ${{ home }}` : verbatim(''),
      isLate: false,
    };
  },
};

/** The stops from the day after the ride ends, where another one follows. */
async function nextOf(ctx: Pick<Context, 'db'>, id: number, { until }: Bus) {
  if (until === '') return [];
  const [next] = await busOf(ctx, { studentIds: [id] }, addDays(until, 1));
  if (!next) return [];
  const stops = [...new Set([next.pickup, next.drop].flatMap((way) => (way ? [way.stop] : [])))];
  return [{ label: text`From ${{ day: showDate(next.since) }}`, value: verbatim(stops.join(' → ')) }];
}

function factsOf({ pickup, drop, since, until }: Bus): { label: Text; value: Text }[] {
  const wordsOf = ({ stop, time, vehicle, insteadOf, isNone }: NonNullable<Bus['pickup']>) => {
    if (isNone) return text`No bus on this day`;
    const usual = [stop, time, vehicle].filter(Boolean).join(', ');
    return insteadOf && vehicle ? text`${{ usual }} instead of ${{ bus: insteadOf }}` : verbatim(usual);
  };
  return [
    ...(pickup ? [{ label: text`Pickup`, value: wordsOf(pickup) }] : []),
    ...(drop ? [{ label: text`Drop`, value: wordsOf(drop) }] : []),
    { label: text`Since`, value: verbatim(showDate(since)) },
    ...(until ? [{ label: text`Until`, value: verbatim(showDate(until)) }] : []),
  ];
}
