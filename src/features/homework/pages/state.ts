import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import type { HomeworkState, Status } from '../contract/words.ts';

export const stateKinds: Record<HomeworkState, ChipKind> = {
  Draft: 'plain',
  Scheduled: 'info',
  Published: 'good',
  Closed: 'plain',
  Cancelled: 'bad',
};

export const statusKinds: Record<Status, ChipKind> = {
  Submitted: 'good',
  Late: 'warn',
  'Not done': 'bad',
  Incomplete: 'warn',
  Excused: 'info',
  Pending: 'plain',
  Missing: 'bad',
  'Not checked': 'plain',
};
