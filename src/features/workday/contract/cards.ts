import { staff } from '#access/contract/grants.ts';
import type { StaffRecord } from '#features/staff/contract/record.ts';
import { recordCard } from '#kit/contract/record-card.ts';
import { text } from '#kit/contract/text.ts';

/** Balances, leave and marks of a person, on the own profile and for those who decide on leave. */
export const workdayCard = recordCard<StaffRecord>()({
  record: 'staff',
  key: 'workday',
  part: 'profile',
  order: 15,
  title: text`Leave and attendance`,
  access: [staff('hr', 'principal')],
  isOwn: true,
});
