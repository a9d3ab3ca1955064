import type { ComponentType } from 'react';

/** How the family page draws a feature’s part; `src/family.tsx` lists them in the order of the page. */
export interface FamilyPartView<Value> {
  /** The word of the part in `familyParts`. */
  key: string;
  /** Above the children: what waits for the guardian. */
  Top?: ComponentType<{ value: Value }>;
  /** Among what concerns one child. */
  OfChild?: ComponentType<{ value: Value; childId: number }>;
}
