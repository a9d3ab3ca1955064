import { type RawBuilder, sql } from 'kysely';
import { settingValue } from '#kit/server/settings.ts';
import type { Slot } from '../contract/register.ts';
import { clockOf } from './clock.ts';
import { lateHour } from './settings.ts';

/** The half of the day in which the school is at a moment. */
export const halfAt = (now: Date): 1 | 2 => (clockOf(now) < '12:00' ? 1 : 2);

/** The last half of a day whose register is due by now. */
export const lastDue = (now: Date, day: string, today: string): 1 | 2 => (day < today ? 2 : halfAt(now));

/** The latest half of today whose register is late; 0 for none. */
export const lastLate = (now: Date): RawBuilder<0 | 1 | 2> => {
  const clock = clockOf(now);
  return sql`case when ${clock}::time >= '14:00' then 2
    when ${clock}::time >= make_time(${settingValue(lateHour)}, 0, 0) then 1 else 0 end`;
};

/** What an audit row says of a slot: nothing of a whole day. */
export const slotFact = (slot: Slot): { slot?: Slot } => (slot === 'Full day' ? {} : { slot });

/** The address of a section's register, below /school-erp. */
export const registerAddress = (sectionId: number, slot: Slot): string =>
  `attendance/student-attendance?section=${sectionId}${slot === 'Full day' ? '' : `&slot=${slot}`}`;
