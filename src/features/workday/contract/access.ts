import { admin, staff } from '#access/contract/grants.ts';
import { awayReaders } from '#features/staff/contract/list.ts';

/** Who keeps shifts, types and rules of leave. */
export const workdayMasterAccess = [admin(), staff('hr')] as const;
/** Who enters leave of others. */
export const leaveKeepers = [staff('hr')] as const;
/** Who reads the leave of others, with type and reason. */
export const leaveReaders = [staff('hr', 'principal')] as const;
/** Who marks the presence of the staff of their branches. */
export const presenceKeepers = awayReaders;
/** Who reads it. */
export const presenceReaders = [staff('office', 'principal', 'hr', 'transportIncharge')] as const;
