import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

const group = text`Transport`;

export const cutOffDay = setting({
  key: 'transport.cut-off-day',
  group,
  label: text`Stop changes count for the month until the`,
  help: text`A change from this day of the month or before costs the new amount from that month, a later one from the next.`,
  kind: 'number',
  default: 5,
  least: 1,
  most: 28,
});

export const reminderDays = setting({
  key: 'transport.reminder-days',
  group,
  label: text`Reminders of papers that expire`,
  help: text`Before the last day of a paper of a vehicle, of a licence and of a medical check; each once.`,
  kind: 'days',
  unit: text({ message: '{n, plural, one {day} other {days}}' }, { n: 0 }),
  default: [7, 15, 30],
  least: 1,
  most: 90,
});

export const transportSettings = [cutOffDay, reminderDays] as const;
