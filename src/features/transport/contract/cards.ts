import { staff } from '#access/contract/grants.ts';
import type { StaffRecord } from '#features/staff/contract/record.ts';
import { recordCard } from '#kit/contract/record-card.ts';
import { text } from '#kit/contract/text.ts';

/** The ride of a member of staff, on their record. */
export const staffRideCard = recordCard<StaffRecord>()({
  record: 'staff',
  key: 'transport',
  part: 'profile',
  order: 90,
  title: text`Transport`,
  access: [staff('transportIncharge', 'office', 'hr', 'principal')],
});
