import type { FamilyPartView } from '#features/family/ui/part.ts';

/** What the features show on the family page, in the order in which it is drawn. */
export const familyParts = Object.values(
  import.meta.glob<FamilyPartView<never>>('./features/*/ui/FamilyPart.tsx', { eager: true, import: 'familyPart' }),
).sort((one, other) => one.place - other.place);
