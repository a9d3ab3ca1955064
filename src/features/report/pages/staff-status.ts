import type { ChipKind } from '#kit/browser/ui/Chip.tsx';

export const staffStatusKinds = {
  Active: 'good',
  Joining: 'info',
  Left: 'plain',
} as const satisfies Record<string, ChipKind>;
