import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import type { ApprovalState } from '../contract/approval.ts';

/** How each state of a request is shown. */
export const stateKinds: Readonly<Record<ApprovalState, ChipKind>> = {
  Pending: 'warn',
  Approved: 'good',
  Rejected: 'bad',
  Withdrawn: 'plain',
};
