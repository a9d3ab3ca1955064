import type { Slot } from '../contract/register.ts';
import { clockOf } from './clock.ts';

/** The half of the day in which the school is at a moment. */
export const halfAt = (now: Date): 1 | 2 => (clockOf(now) < '12:00' ? 1 : 2);

/** The last half of a day whose register is due by now. */
export const lastDue = (now: Date, day: string, today: string): 1 | 2 => (day < today ? 2 : halfAt(now));

/** What an audit row says of a slot: nothing of a whole day. */
export const slotFact = (slot: Slot): { slot?: Slot } => (slot === 'Full day' ? {} : { slot });

/** The address of a section's register, below /school-erp. */
export const registerAddress = (sectionId: number, slot: Slot): string =>
  `attendance/student-attendance?section=${sectionId}${slot === 'Full day' ? '' : `&slot=${slot}`}`;
