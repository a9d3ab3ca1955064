import { staff } from '#access/contract/grants.ts';
import { studentCard } from '#features/student/contract/cards.ts';
import { text } from '#kit/contract/text.ts';

/** Class teachers reach the children of the sections that they lead today; office and principal those of their branches. */
export const leaveAccess = [staff('classTeacher', 'office', 'principal')] as const;

export const leaveCard = studentCard('leave', 'now', 30, text`Leave`, leaveAccess);
