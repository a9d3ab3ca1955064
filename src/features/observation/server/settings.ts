import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

const group = text`Observations`;

export const editHours = setting({
  key: 'observation.edit-hours',
  group,
  label: text`Authors may change their notes for`,
  help: text`Afterwards a note is locked and only gets addenda. Notes that are published keep the time they had.`,
  kind: 'number',
  unit: text({ message: '{n, plural, one {hour} other {hours}}' }, { n: 0 }),
  default: 24,
  least: 0,
  most: 72,
});

export const observationSettings = [editHours] as const;
