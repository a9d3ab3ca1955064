import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

const group = text`Staff`;
const unit = text({ message: '{n, plural, one {day} other {days}}' }, { n: 0 });

export const managerDays = setting({
  key: 'workday.manager-days',
  group,
  label: text`Leave that the manager grants`,
  help: text`Up to so many working days, with the leave beside it, the manager decides on leave. Longer leave is the principal’s too.`,
  kind: 'number',
  unit,
  least: 0,
  most: 60,
  default: 3,
});

export const daysBack = setting({
  key: 'workday.days-back',
  group,
  label: text`Leave asked for later`,
  help: text`Staff can ask for leave of so many days ago, where the leave type says nothing else. HR can enter it at any time.`,
  kind: 'number',
  unit,
  least: 0,
  most: 365,
  default: 7,
});

export const latesPerHalf = setting({
  key: 'workday.lates-per-half',
  group,
  label: text`Late arrivals that count as half a day`,
  help: text`So many in a month take half a day from the payable days. 0: none do. The marks are kept.`,
  kind: 'number',
  least: 0,
  most: 31,
  default: 0,
});

export const workdaySettings = [managerDays, daysBack, latesPerHalf] as const;
