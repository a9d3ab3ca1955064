import type { StaffRecord } from '#features/staff/contract/record.ts';

/** A staff record for component tests. */
export const recordOf = (over: Partial<Pick<StaffRecord, 'isOwn' | 'isKept'>> = {}): StaffRecord => ({
  id: 3,
  version: 1,
  card: { name: 'Asha Trivedi', picture: '', designation: 'Teacher', department: 'Primary', email: '' },
  isOwn: false,
  isKept: false,
  isAccountKept: false,
  status: 'Active',
  lastDay: '',
  person: null,
  ...over,
});
