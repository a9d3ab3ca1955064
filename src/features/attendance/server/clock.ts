import { localTimeZone } from '#kit/server/day.ts';

const clock = new Intl.DateTimeFormat('en-GB', {
  timeZone: localTimeZone,
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
});

/** The time of the school's day at a moment, 08:12. */
export const clockOf = (moment: Date): string => clock.format(moment);
