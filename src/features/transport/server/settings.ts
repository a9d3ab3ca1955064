import { setting } from '#kit/contract/setting.ts';
import { options, text } from '#kit/contract/text.ts';

const group = text`Transport`;

export const cutOffDay = setting({
  key: 'transport.cut-off-day',
  group,
  label: text`Stop changes count for the month until the`,
  help: text`A stop change up to this day is charged from the same month, a later one from the next month.`,
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

export const toldRoles = setting({
  key: 'transport.told-roles',
  group,
  label: text`Families get a message about another`,
  help: text`When a vehicle or person stands in for some days.`,
  kind: 'choice',
  options: options('Vehicle or person', 'Vehicle', 'Person'),
  default: 'Vehicle or person',
});

export const toldHour = setting({
  key: 'transport.told-hour',
  group,
  label: text`Messages about tomorrow’s buses at`,
  help: text`Families get the message about a later day on the evening before, and about today at once.`,
  kind: 'hour',
  default: 18,
  least: 12,
  most: 21,
});

export const transportPhone = setting({
  key: 'transport.phone',
  group,
  label: text`Transport telephone`,
  help: text`In messages to families about the bus. Without it they have the telephone of the school.`,
  kind: 'words',
  most: 20,
  default: '',
});

export const transportSettings = [cutOffDay, reminderDays, toldRoles, toldHour, transportPhone] as const;
