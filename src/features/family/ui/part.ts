import type { ComponentType } from 'react';
import type { PageChild } from '../contract/family.ts';

/** How the family page draws a feature’s part: `familyPart` of its `ui/FamilyPart.tsx`, which `src/family.tsx` finds. */
export interface FamilyPartView<Value> {
  /** The word of the part in `familyParts`. */
  key: string;
  /** Of two parts, that with the lower number is drawn first. */
  place: number;
  /** Above the children: what waits for the guardian. */
  Top?: ComponentType<{ value: Value }>;
  /** The line above what concerns one child. */
  Today?: ComponentType<{ value: Value; child: PageChild; today: string }>;
  /** Among what concerns one child. */
  OfChild?: ComponentType<{ value: Value; childId: number; today: string }>;
}

/** A child as the page names it. */
export const nameOf = ({ name, section }: PageChild): string => (section ? `${name}, ${section}` : name);
