import type { Area, Verb } from '../contract.ts';

/** The verb of each last word of the codes of actions; the others are `Other`. */
const words: Partial<Record<Verb, string>> = {
  Created:
    'created added made named planned recorded requested noted started submitted given offered written linked taken raised asked for scheduled to attached',
  Changed:
    'changed saved corrected set copied over numbered option day repriced duty vehicle replaced unlinked ranked entered followed-up extended renewed first applied prioritised transferred escalated recategorised retargeted',
  Deleted: 'removed deleted discarded',
  Viewed: 'read viewed revealed checked found opened',
  Exported: 'exported',
  Imported: 'imported',
  Sent: 'sent reminded replied invited called shared',
  Decided:
    'approved rejected declined accepted questioned unquestioned granted held released waived published decided acknowledged',
  Verified: 'verified confirmed',
  Assigned: 'assigned unassigned',
  Moved: 'moved promoted',
  Merged: 'merged',
  Reversed: 'undone reversed voided cancelled withdrawn revoked reopened returned bounced',
  Printed: 'printed out',
  Refused: 'refused wrong failed',
  Locked: 'locked unlocked',
  Restored: 'restored readmitted rejoined reset',
  Ended: 'ended left relieved expired lost closed stopped resolved finished retired done',
};
const verbOfWord = new Map(
  Object.entries(words).flatMap(([verb, all]) => all.split(' ').map((word) => [word, verb as Verb] as const)),
);

/** The verb of an action, by the last word of its code. */
export function verbOf(action: string): Verb {
  const last = action.split('.').at(-1) ?? '';
  if (last.startsWith('signed-') || last === 'others-ended') return 'Signed in or out';
  return verbOfWord.get(last) ?? verbOfWord.get(last.split('-').at(-1) ?? '') ?? 'Other';
}

/** The areas by the beginnings of the codes of records; the longest one that fits counts. */
const beginnings: Partial<Record<Area, string>> = {
  Accounts: 'sign_in',
  Admission: 'admission process review inquiry',
  Announcements: 'announcement',
  Approvals: 'approval',
  Attendance: 'attendance',
  'Classes and calendar':
    'academic_year academic_term academic_calendar academic_board academic_program academic_grade academic_section academic_house academic_grading',
  Families: 'family guardian',
  Fees: 'fee',
  Homework: 'homework',
  HRIS: 'hris',
  Observations: 'observation student_observation staff_observation',
  Reports: 'student-report staff-report',
  School: 'academic sms_template number_series setting',
  Staff: 'staff',
  Students: 'student',
  'Subjects, tags and skills': 'configuration',
  Tickets: 'ticket',
  Transport: 'transport',
};
const byLength = Object.entries(beginnings)
  .flatMap(([area, all]) => all.split(' ').map((begins) => ({ area: area as Area, begins })))
  .sort((one, other) => other.begins.length - one.begins.length);

/** The area of a kind of record. */
export const areaOf = (entity: string): Area =>
  byLength.find(({ begins }) => entity.startsWith(begins))?.area ?? 'System';
