import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

const group = text`Homework`;
const minutes = text({ message: '{n, plural, one {minute} other {minutes}}' });
const bagPolicy = text`The School Bag Policy 2020 of the Ministry of Education.`;

export const foundationalLimit = setting({
  key: 'homework.limit-foundational',
  group,
  label: text`Foundational stage: homework of a day`,
  help: bagPolicy,
  kind: 'number',
  unit: minutes,
  default: 0,
  least: 0,
  most: 240,
});

export const preparatoryLimit = setting({
  key: 'homework.limit-preparatory',
  group,
  label: text`Preparatory stage: homework of a week`,
  help: text`From Monday to Sunday.`,
  kind: 'number',
  unit: minutes,
  default: 120,
  least: 0,
  most: 1200,
});

export const middleLimit = setting({
  key: 'homework.limit-middle',
  group,
  label: text`Middle stage: homework of a day`,
  help: bagPolicy,
  kind: 'number',
  unit: minutes,
  default: 60,
  least: 0,
  most: 240,
});

export const secondaryLimit = setting({
  key: 'homework.limit-secondary',
  group,
  label: text`Secondary stage: homework of a day`,
  help: bagPolicy,
  kind: 'number',
  unit: minutes,
  default: 120,
  least: 0,
  most: 240,
});

export const blocksOver = setting({
  key: 'homework.blocks-over',
  group,
  label: text`Refuse homework over the limit`,
  help: text`Otherwise the teacher gives a reason, which the principal sees.`,
  kind: 'yesNo',
  default: false,
});

export const tellsFamilies = setting({
  key: 'homework.tells-families',
  group,
  label: text`Tell families of homework`,
  help: text`One message a day to each guardian, for all children.`,
  kind: 'yesNo',
  default: true,
});

export const digestHour = setting({
  key: 'homework.digest-hour',
  group,
  label: text`Tell families of homework at`,
  help: text`Homework set later goes out the next day.`,
  kind: 'hour',
  default: 17,
  least: 12,
  most: 20,
});

export const digestBySms = setting({
  key: 'homework.digest-by-sms',
  group,
  label: text`Tell families of homework by text message too`,
  help: text`Guardians without an email address.`,
  kind: 'yesNo',
  default: false,
});

export const homeworkSettings = [
  foundationalLimit,
  preparatoryLimit,
  middleLimit,
  secondaryLimit,
  blocksOver,
  tellsFamilies,
  digestHour,
  digestBySms,
] as const;
