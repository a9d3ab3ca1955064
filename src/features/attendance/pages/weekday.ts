import { translate } from '#kit/browser/text.ts';
import { text } from '#kit/contract/text.ts';

const names = [text`Sun`, text`Mon`, text`Tue`, text`Wed`, text`Thu`, text`Fri`, text`Sat`];

/** The short weekday of a day, YYYY-MM-DD. */
export const weekdayOf = (day: string): string => {
  const name = names[new Date(`${day}T00:00:00Z`).getUTCDay()];
  return name ? translate(name) : '';
};
