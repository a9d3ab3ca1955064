import { setting } from '#kit/contract/setting.ts';
import { options, text } from '#kit/contract/text.ts';
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

export const resultsFrom = setting({
  key: 'year.results-from',
  group: text`Students`,
  label: text`Results are entered from`,
  help: text`Days before the last day of the year. Promotion can be decided from that day.`,
  kind: 'number',
  unit: text({ message: '{n, plural, one {day before the end} other {days before the end}}' }, { n: 0 }),
  default: 60,
  least: 1,
  most: 365,
});

export const reTestPlace = setting({
  key: 'year.retest-place',
  group: text`Students`,
  label: text`Until a re-test, the child sits in the`,
  help: text`Where the turn of the year places a child with the result “Re-test”. The result is corrected afterwards.`,
  kind: 'choice',
  options: options('Next grade', 'Same grade'),
  default: 'Next grade',
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

export const studentSettings = [openDays, resultsFrom, reTestPlace, rollRule] as const;
