import type * as z from 'zod/mini';
import type { Context, FamilyPart } from '#kit/server/context.ts';
import type { FamilyChild } from './children.ts';

/** Whom the page is for. A part reads and shows only what belongs to these children. */
export interface FamilyReader {
  guardianId: number;
  day: string;
  children: readonly FamilyChild[];
}

interface Part<Output extends z.ZodMiniType> {
  /** The feature's word, under which the page finds the answer. */
  key: string;
  /** Everything it does not name is removed. */
  output: Output;
  /** Reads for all children at once. */
  read: (ctx: Context, family: FamilyReader) => Promise<z.input<Output>>;
}

/** Declares what a feature shows on the family page, for `familyParts` of its manifest. */
export const familyPart = <Output extends z.ZodMiniType>(part: Part<Output>): FamilyPart => part;
