import type { StaffRecord } from '#features/staff/contract/record.ts';
import { recordCard } from '#kit/contract/record-card.ts';
import { text } from '#kit/contract/text.ts';
import { keepers } from './words.ts';

/** The announcements to a member of staff, on their record. */
export const staffAnnouncementCard = recordCard<StaffRecord>()({
  record: 'staff',
  key: 'announcement',
  part: 'profile',
  order: 95,
  title: text`Announcements`,
  access: keepers,
});
