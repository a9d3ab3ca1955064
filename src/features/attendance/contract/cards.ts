import { studentCard } from '#features/student/contract/cards.ts';
import { text } from '#kit/contract/text.ts';
import { leaveAccess } from './leave.ts';

export const leaveCard = studentCard('leave', 'now', 16, text`Leave`, leaveAccess);
