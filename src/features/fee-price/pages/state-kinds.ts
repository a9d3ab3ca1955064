import type { ChipKind } from '#kit/browser/ui/Chip.tsx';
import type { StructureState } from '../contract/structure.ts';

/** How each state of prices is shown. */
export const stateKinds: Readonly<Record<StructureState, ChipKind>> = {
  Draft: 'plain',
  'Waiting for approval': 'warn',
  Published: 'good',
  Superseded: 'plain',
};
