import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import type { Polarity } from '../contract/words.ts';

export const polarityKinds: Record<Polarity, ChipKind> = { Positive: 'good', Neutral: 'plain', Concern: 'warn' };
