import { setting } from '#kit/contract/setting.ts';
import { options, text } from '#kit/contract/text.ts';

const group = text`Fees`;

export const secondPublishes = setting({
  key: 'fee.second-publishes',
  isGuarded: true,
  group,
  label: text`A second person publishes prices`,
  help: text`Another person, a finance approver or principal, approves prices before they are published.`,
  kind: 'yesNo',
  default: true,
});

export const cutoffDay = setting({
  key: 'fee.cutoff-day',
  isGuarded: true,
  group,
  label: text`Last day of a month on which a new student pays for it`,
  help: text`Students who join later in a month pay from the next month on. Heads without pro-rata are charged in full.`,
  kind: 'number',
  default: 15,
  least: 1,
  most: 31,
});

export const joinerDays = setting({
  key: 'fee.joiner-days',
  isGuarded: true,
  group,
  label: text`Instalments from before joining are due after`,
  help: text`Counted from the first day of a student who joins within the year.`,
  kind: 'number',
  unit: text({ message: '{n, plural, one {day} other {days}}' }),
  default: 10,
  least: 0,
  most: 60,
});

export const skipsHolidays = setting({
  key: 'fee.skips-holidays',
  isGuarded: true,
  group,
  label: text`Due days move off holidays`,
  help: text`An instalment is due on the next working day of the school’s calendar. Dues already charged keep their date.`,
  kind: 'yesNo',
  default: false,
});

export const siblingsByBirth = setting({
  key: 'fee.siblings-by-birth',
  isGuarded: true,
  group,
  label: text`Siblings are counted by age`,
  help: text`The oldest child of a family is its first. Otherwise it is the child who was admitted first.`,
  kind: 'yesNo',
  default: false,
});

export const concessionCap = setting({
  key: 'fee.concession-cap',
  isGuarded: true,
  group,
  label: text`Concessions take off at most`,
  help: text`Of the year’s fees on which concessions are allowed, in percent. A free seat under the RTE Act does not count.`,
  kind: 'number',
  default: 50,
  least: 0,
  most: 100,
});

export const noShowKeeps = setting({
  key: 'year.no-show-keeps',
  isGuarded: true,
  group,
  label: text`Of a child that never joined the school keeps`,
  help: text`All other fees of the year are withdrawn, and payments of them become advance.`,
  kind: 'choice',
  options: options('Nothing', 'Admission fee', 'Admission fee and deposit'),
  default: 'Nothing',
});

export const feePriceSettings = [
  secondPublishes,
  cutoffDay,
  joinerDays,
  skipsHolidays,
  concessionCap,
  siblingsByBirth,
  noShowKeeps,
] as const;
