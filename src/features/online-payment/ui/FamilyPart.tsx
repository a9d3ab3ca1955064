import { LaterBlock } from '#features/family/ui/LaterBlock.tsx';
import type { FamilyPartView } from '#features/family/ui/part.ts';
import { withWords } from '#kit/browser/language.tsx';
import { later } from '#kit/browser/ui/use-loaded.ts';
import type { FamilyPay } from '../contract/family.ts';

interface Props {
  value: readonly FamilyPay[];
  childId: number;
  today: string;
}

const block = later(() => withWords(import('./FamilyPayBlock.tsx')));

/** What a child can pay from home, and what the family has entered; loaded once the page is drawn. */
function OfChild({ value, childId, today }: Props) {
  const own = value.find(({ studentId }) => studentId === childId);
  return own && own.series.length + own.ahead.length + own.entered.length + own.receipts.length > 0 ? (
    <LaterBlock block={block} given={{ own, today }} />
  ) : null;
}

export const familyPart = { key: 'online-payment', place: 1.5, OfChild } satisfies FamilyPartView<readonly FamilyPay[]>;
