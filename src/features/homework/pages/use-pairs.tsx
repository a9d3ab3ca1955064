import { useLingui } from '@lingui/react/macro';
import { useQuestion } from '#kit/browser/form/question.tsx';

/** The field's label, hint and error. */
export function usePairs() {
  const { t } = useLingui();
  return useQuestion({ name: 'pairs', hint: t`Type 6a and press Enter; then the next one.` });
}
