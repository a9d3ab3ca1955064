import { setting } from '#kit/contract/setting.ts';
import { text } from '#kit/contract/text.ts';

/** Whether the principal or the office decides on what a class teacher publishes. */
export const teacherApproval = setting({
  key: 'announcement.teacher-approval',
  group: text`Announcements`,
  label: text`Announcements of class teachers need approval`,
  help: text`The office or the principal decides on them before families read them.`,
  kind: 'yesNo',
  default: true,
});

export const announcementSettings = [teacherApproval] as const;
