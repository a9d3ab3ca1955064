import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

const group = text`Staff`;
const unit = text({ message: '{n, plural, one {day} other {days}}' }, { n: 0 });

export const managerDays = setting({
  key: 'workday.manager-days',
  group,
  label: text`Leave that the manager grants`,
  help: text`The manager decides on leave up to this many working days, counted together with leave next to it. Longer leave needs the principal too.`,
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
  help: text`Staff can ask for leave up to this many days afterwards, unless the leave type says otherwise. HR can enter it at any time.`,
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
  help: text`This many late arrivals in a month take half a day off the payable days. 0: never. The marks are kept.`,
  kind: 'number',
  least: 0,
  most: 31,
  default: 0,
});

export const workdaySettings = [managerDays, daysBack, latesPerHalf] as const;
