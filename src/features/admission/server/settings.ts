import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

const group = text`Admissions`;

export const reminderDays = setting({
  key: 'admission.reminder-days',
  group,
  label: text`Reminders of an unfinished form`,
  help: text`A family is reminded after this many days without an answer. Leave it empty to send no reminders.`,
  kind: 'days',
  unit: text({ message: '{n, plural, one {day} other {days}}' }),
  default: [2, 5, 10],
  least: 1,
  most: 60,
});

export const mostReminders = setting({
  key: 'admission.most-reminders',
  group,
  label: text`Most reminders for a family`,
  help: text`The reminders that the office sends from the list count too.`,
  kind: 'number',
  default: 3,
  least: 1,
  most: 10,
});

export const remindersUntil = setting({
  key: 'admission.reminders-until',
  group,
  label: text`Send reminders until`,
  help: text`Reminders of the day that are not sent by this hour are sent on the next day.`,
  kind: 'hour',
  default: 20,
  least: 8,
  most: 21,
});

export const remindersFrom = setting({
  key: 'admission.reminders-from',
  group,
  label: text`Send reminders from`,
  help: text`The reminders of the day are sent within an hour of this time.`,
  kind: 'hour',
  default: 9,
  least: 7,
  most: 20,
  isBefore: remindersUntil.key,
});

export const scoresBelowNine = setting({
  key: 'admission.scores-below-nine',
  group,
  label: text`Allow scored assessments below grade IX`,
  help: text`The RTE Act, section 13, forbids screening of children and parents in elementary classes. Leave it off unless the school is exempt.`,
  kind: 'yesNo',
  default: false,
});

export const offerReminderDays = setting({
  key: 'admission.offer-reminder-days',
  group,
  label: text`Reminder before an offer ends`,
  help: text`A family that has not answered is reminded this many days before the last one. 0 sends no reminder.`,
  kind: 'number',
  default: 2,
  least: 0,
  most: 30,
});

export const sendsWelcome = setting({
  key: 'admission.welcome-message',
  group,
  label: text`Welcome message`,
  help: text`The family of an admitted child gets the GR number and the first day when the account is created.`,
  kind: 'yesNo',
  default: true,
});

export const admissionSettings = [
  reminderDays,
  mostReminders,
  remindersFrom,
  remindersUntil,
  offerReminderDays,
  sendsWelcome,
  scoresBelowNine,
];
