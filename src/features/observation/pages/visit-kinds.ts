import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import type { VisitState } from '../contract/visit.ts';

export const visitKinds: Record<VisitState, ChipKind> = {
  Scheduled: 'info',
  'In progress': 'accent',
  Draft: 'accent',
  Shared: 'warn',
  Acknowledged: 'good',
  Closed: 'plain',
  Cancelled: 'plain',
};
