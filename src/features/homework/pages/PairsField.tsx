import { useLingui } from '@lingui/react/macro';
import { Question } from '#kit/browser/form/question.tsx';
import { useBegun } from '#kit/browser/ui/use-begun.ts';
import { later } from '#kit/browser/ui/use-loaded.ts';
import type { PairsFieldProps } from './LoadedPairsField.tsx';
import { usePairs } from './use-pairs.tsx';

export type { Pair } from './LoadedPairsField.tsx';

/** The field with its list. */
export const pairsPart = later(() => import('./LoadedPairsField.tsx'));

/** Chooses sections of one subject among those that the teacher gives: typed, taken with Enter, shown before the box. */
export function PairsField(props: PairsFieldProps) {
  const { t } = useLingui();
  const parts = usePairs();
  const { part, begun, control } = useBegun(pairsPart, 1);
  if (part) return <part.LoadedPairsField {...props} begun={begun} />;
  return (
    <Question parts={parts}>
      <input
        id="pairs"
        name="pairs"
        className="box"
        type="text"
        autoComplete="off"
        aria-invalid={Boolean(parts.error)}
        aria-describedby={parts.described}
        placeholder={t`Section and subject`}
        {...control}
        value={control.value ?? ''}
      />
    </Question>
  );
}
