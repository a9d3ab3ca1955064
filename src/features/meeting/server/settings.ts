import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

export const reminderHour = setting({
  key: 'meeting.reminder-hour',
  group: text`Meetings`,
  label: text`Remind families of their times the evening before at`,
  help: text`Only families who have booked a time get it.`,
  kind: 'hour',
  default: 17,
  least: 12,
  most: 20,
});

export const meetingSettings = [reminderHour] as const;
