import { useLingui } from '@lingui/react/macro';

/** What a section's history says of its roll numbers, by the last word of the action. */
export function useRollActs(): Record<string, string> {
  const { t } = useLingui();
  return {
    numbered: t`changed roll numbers`,
    'roll-locked': t`locked the roll numbers`,
    'roll-unlocked': t`unlocked the roll numbers`,
    'rolls-imported': t`imported roll numbers`,
  };
}
