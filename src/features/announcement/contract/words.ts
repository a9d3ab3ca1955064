import { announcementKeepers, announcementWriters, signedIn } from '#access/contract/grants.ts';
import { options } from '#kit/contract/text.ts';

export const path = '/announcement';

/** Every user reads the announcements that are for them. */
export const readers = signedIn;
export const writers = announcementWriters;
export const keepers = announcementKeepers;

/** What is stored, and what follows from the times. */
export const announcementStates = options('Draft', 'Waiting', 'Scheduled', 'Published', 'Expired', 'Withdrawn');
export type AnnouncementState = (typeof announcementStates)[number];

export const audienceKinds = options(
  'Everyone',
  'All staff',
  'Department',
  'Staff category',
  'Designation',
  'Staff member',
  'All guardians',
  'Grade',
  'Section',
  'House',
  'Student category',
  'Tag',
  'Guardian',
  'Student',
);
export type AudienceKind = (typeof audienceKinds)[number];

/** The kinds that name no single group or person. */
export const wholeKinds: readonly AudienceKind[] = ['Everyone', 'All staff', 'All guardians'];
/** The kinds that name students, whose teachers may see it too. */
export const studentKinds: readonly AudienceKind[] = [
  'Grade',
  'Section',
  'House',
  'Student category',
  'Tag',
  'Student',
];
/** The kinds that a class teacher may choose, of the sections led today. */
export const teacherKinds: readonly AudienceKind[] = ['Section', 'Student'];

export const shows = ['announcement'] as const;
