import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';
import { rollRules } from '../contract/section-student.ts';

export const openDays = setting({
  key: 'student.open-days',
  group: text`Students`,
  label: text`Register entries are edited freely for`,
  help: text`After these days, or once a certificate was issued, names, birth date and community change by a correction alone.`,
  kind: 'number',
  unit: text({ message: '{n, plural, one {day} other {days}}' }, { n: 0 }),
  default: 30,
  least: 0,
  most: 365,
});

export const rollRule = setting({
  key: 'school.roll-rule',
  group: text`Students`,
  label: text`Order of roll numbers`,
  help: text`How all sections of a year are numbered at once, unless another order is chosen then.`,
  kind: 'choice',
  options: rollRules,
  default: 'Name',
});

export const studentSettings = [openDays, rollRule] as const;
