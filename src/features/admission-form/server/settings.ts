import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

const group = text`Admissions`;

export const linkDays = setting({
  key: 'admission.link-days',
  group,
  label: text`Validity of a family’s link`,
  help: text`Each save of the form starts this time again.`,
  kind: 'number',
  unit: text({ message: '{n, plural, one {day} other {days}}' }),
  default: 60,
  least: 1,
  most: 365,
});

export const asksConsent = setting({
  key: 'admission.asks-consent',
  group,
  label: text`Ask parents for consent before the form`,
  help: text`If the office has recorded consent, parents aren’t asked again.`,
  kind: 'yesNo',
  default: true,
});
