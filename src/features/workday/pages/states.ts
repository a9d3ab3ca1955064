import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import type { StaffLeaveState } from '../contract/leave.ts';

export const stateKinds: Readonly<Record<StaffLeaveState, ChipKind>> = {
  Asked: 'warn',
  Granted: 'good',
  Rejected: 'bad',
  Cancelled: 'plain',
};
