import { options } from './text.ts';

/** What an act of the audit log did, in few words; the act's own words say more. */
export const verbs = options(
  'Created',
  'Changed',
  'Deleted',
  'Viewed',
  'Exported',
  'Imported',
  'Sent',
  'Decided',
  'Verified',
  'Assigned',
  'Moved',
  'Merged',
  'Reversed',
  'Printed',
  'Signed in or out',
  'Refused',
  'Locked',
  'Restored',
  'Ended',
);
export type Verb = (typeof verbs)[number];
