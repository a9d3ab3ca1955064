import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import type { LeaveState } from '../contract/leave.ts';

export const stateKinds: Readonly<Record<LeaveState, ChipKind>> = {
  Asked: 'warn',
  Granted: 'good',
  Rejected: 'bad',
  Cancelled: 'plain',
};
