import { useLingui } from '@lingui/react/macro';

/** What the history of a section says was done with its roll numbers, by the last word of the action. */
export function useRollActs(): Record<string, string> {
  const { t } = useLingui();
  return {
    numbered: t`numbered the students`,
    'roll-locked': t`locked the roll numbers`,
    'roll-unlocked': t`unlocked the roll numbers`,
    'rolls-imported': t`imported roll numbers`,
  };
}
