import { LaterBlock } from '#features/family/ui/LaterBlock.tsx';
import type { FamilyPartView } from '#features/family/ui/part.ts';
import { withWords } from '#kit/browser/language.tsx';
import { later } from '#kit/browser/ui/use-loaded.ts';
import type { FamilyQuestion } from '../contract/family.ts';

interface Props {
  value: readonly FamilyQuestion[];
  childId: number;
}

const block = later(() => withWords(import('./FamilyQuestion.tsx')));

/** The question whether a child will stay in the next year, loaded where there is one. */
function OfChild({ value, childId }: Props) {
  const question = value.find(({ studentId }) => studentId === childId);
  return question ? <LaterBlock block={block} given={{ question }} /> : null;
}

export const familyPart = { key: 'year-end', place: 0, OfChild } satisfies FamilyPartView<readonly FamilyQuestion[]>;
