import type { ComponentType } from 'react';

/** How the family page draws a feature’s part: `familyPart` of its `ui/FamilyPart.tsx`, which `src/family.tsx` finds. */
export interface FamilyPartView<Value> {
  /** The word of the part in `familyParts`. */
  key: string;
  /** Above the children: what waits for the guardian. */
  Top?: ComponentType<{ value: Value }>;
  /** Among what concerns one child. */
  OfChild?: ComponentType<{ value: Value; childId: number }>;
}
