import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import type { AnnouncementState } from '../contract/words.ts';

export const stateKinds: Readonly<Record<AnnouncementState, ChipKind>> = {
  Draft: 'plain',
  Waiting: 'warn',
  Scheduled: 'info',
  Published: 'good',
  Expired: 'plain',
  Withdrawn: 'bad',
};
