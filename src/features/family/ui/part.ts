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
  /** Its lines in the card of a child's day; of two parts, that with the lower number is drawn first. */
  Today?: { place: number; Lines: ComponentType<TodayProps<Value>> };
  /** Among what concerns one child. */
  OfChild?: ComponentType<{ value: Value; childId: number; today: string }>;
  /** Below all: what the guardian opens by a button, from a file that is loaded then. */
  More?: FamilyMore;
}

export interface TodayProps<Value> {
  value: Value;
  child: PageChild;
  /** The day of the page. */
  today: string;
}

/** What a button below all opens. */
export interface FamilyMore {
  /** The words of the button, and of the heading above what it opened. */
  Words: ComponentType;
  load: () => Promise<{ More: ComponentType<MoreProps> }>;
}

export interface MoreProps {
  children: readonly PageChild[];
  /** Whether this phone is proven, so that what needs it can be read at once. */
  isProven: boolean;
  today: string;
}

/** A child as the page names it. */
export const nameOf = ({ name, section }: PageChild): string => (section ? `${name}, ${section}` : name);
