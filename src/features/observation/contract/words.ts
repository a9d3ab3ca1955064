import { staff } from '#access/contract/grants.ts';
import { options } from '#kit/contract/text.ts';

/** Teachers reach the students of the sections they lead and teach today, principal and counsellor those of their branches. */
export const noteAccess = [staff('classTeacher', 'subjectTeacher', 'principal', 'counsellor')] as const;
/** Readers of every note in their branches; the text of a restricted note needs a reason. */
export const noteKeepers = [staff('principal', 'counsellor')] as const;

export const reaches = options('Class teachers', 'All teachers', 'Restricted');
export type Reach = (typeof reaches)[number];
export const polarities = options('Positive', 'Neutral', 'Concern');
export type Polarity = (typeof polarities)[number];
export const followUpStates = options('Open', 'In progress', 'Done', 'Cancelled');

export const mostStudents = 60;
