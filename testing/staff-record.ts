import type { StaffRecord } from '#features/staff/contract/record.ts';

/** A staff record for component tests. */
export const recordOf = ({ isOwn = false, isKept = false } = {}): StaffRecord => ({
  id: 3,
  version: 1,
  card: { name: 'Asha Trivedi', picture: '', designation: 'Teacher', department: 'Primary', email: '' },
  isOwn,
  may: { update: isKept, keepAccount: false, remove: false },
  status: 'Active',
  lastDay: '',
  person: null,
});
