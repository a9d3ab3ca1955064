import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';
import { addDays, localHour, toLocalDate } from '#kit/server/day.ts';

const group = text`Messages`;

const quietFrom = setting({
  key: 'message.quiet-from',
  group,
  label: text`Quiet from`,
  help: text`Messages that can wait are not sent from this hour on.`,
  kind: 'hour',
  default: 21,
  least: 17,
  most: 23,
});

const quietUntil = setting({
  key: 'message.quiet-until',
  group,
  label: text`Quiet until`,
  help: text`They are sent from this hour of the next day.`,
  kind: 'hour',
  default: 7,
  least: 4,
  most: 11,
});

/** The hours in which messages that can wait are not sent. */
export const quietHours = { from: quietFrom, until: quietUntil };

export interface QuietHours {
  from: number;
  until: number;
}

/** The moment itself, or the end of the quiet hours in which it is; the usual ones, and those of a reader who has own ones. */
export function afterQuietHours(moment: Date, usual: QuietHours, own: QuietHours = usual): Date {
  return afterHours(afterHours(afterHours(moment, usual), own), usual);
}

function afterHours(moment: Date, { from, until }: QuietHours): Date {
  const [day, hour] = [toLocalDate(moment), localHour(moment)];
  if (hour >= until && hour < from) return moment;
  const morning = hour < until ? day : addDays(day, 1);
  return new Date(`${morning}T${String(until).padStart(2, '0')}:00:00+05:30`);
}
