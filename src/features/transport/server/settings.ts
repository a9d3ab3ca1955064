import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

const group = text`Transport`;

export const cutOffDay = setting({
  key: 'transport.cut-off-day',
  group,
  label: text`Stop changes count for the month until the`,
  help: text`A change up to this day costs the new amount from that month, a later change from the next month.`,
  kind: 'number',
  default: 5,
  least: 1,
  most: 28,
});

export const reminderDays = setting({
  key: 'transport.reminder-days',
  group,
  label: text`Reminders of papers that expire`,
  help: text`Before a vehicle document, licence or medical check expires; once for each.`,
  kind: 'days',
  unit: text({ message: '{n, plural, one {day} other {days}}' }, { n: 0 }),
  default: [7, 15, 30],
  least: 1,
  most: 90,
});

export const transportSettings = [cutOffDay, reminderDays] as const;
