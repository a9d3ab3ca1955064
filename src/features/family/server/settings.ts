import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

const group = text`Family page`;

export const linkDays = setting({
  key: 'family.link-days',
  group,
  label: text`Validity of a guardian’s link`,
  help: text`From the last message with the link. Opening the page does not extend it.`,
  kind: 'number',
  unit: text({ message: '{n, plural, one {day} other {days}}' }),
  default: 180,
  least: 7,
  most: 400,
});

export const linkByNumber = setting({
  key: 'family.link-by-number',
  group,
  label: text`Guardians get a new link by their mobile number`,
  help: text`Only to a number that the school has of a guardian. Without it a guardian without a link calls the school.`,
  kind: 'yesNo',
  default: true,
});

export const showsBus = setting({
  key: 'family.shows-bus',
  group,
  label: text`Show the bus`,
  help: text`Stop, time and vehicle are shown to adults who may collect the child, to others only the route.`,
  kind: 'yesNo',
  default: true,
});

export const showsDues = setting({
  key: 'family.shows-dues',
  group,
  label: text`Show fees`,
  help: text`Amounts due by today, and amounts due within a month.`,
  kind: 'yesNo',
  default: true,
});

/** What the school pays for each part of a text message. */
export const smsPaise = setting({
  key: 'message.sms-paise',
  group: text`Messages`,
  label: text`Price of a text message`,
  help: text`For each part of 160 letters, or of 70 in Gujarati and Hindi. A preview then names the cost of a sending; with 0 it names the parts alone.`,
  kind: 'number',
  unit: text`paise`,
  default: 0,
  least: 0,
  most: 10_000,
});

export const familySettings = [linkDays, linkByNumber, showsBus, showsDues, smsPaise] as const;
