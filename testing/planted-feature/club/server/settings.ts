import { setting } from '#kit/contract/setting.ts';
import { options, text } from '#kit/contract/text.ts';

const group = text`Planted clubs`;

export const meetsOn = setting({
  key: 'club.meets-on',
  group,
  label: text`Planted day of meetings`,
  help: text`Planted clubs meet on it.`,
  kind: 'choice',
  options: options('Friday', 'Saturday'),
  default: 'Friday',
});

export const doorSign = setting({
  key: 'club.door-sign',
  group,
  label: text`Planted words at the door`,
  help: text`Visitors of planted clubs read it.`,
  kind: 'words',
  most: 60,
  default: '',
  isGuarded: true,
});
