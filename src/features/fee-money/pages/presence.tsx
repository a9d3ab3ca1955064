import { useLingui } from '@lingui/react/macro';
import { showDate } from '#kit/contract/day.ts';

/** The words for a child who left, or is still to come; '' for the others. */
export function usePresence() {
  const { t } = useLingui();
  return ({ leftOn, joinsOn }: { leftOn: string; joinsOn: string }) => {
    if (leftOn) return t`left on ${showDate(leftOn)}`;
    return joinsOn ? t`joins on ${showDate(joinsOn)}` : '';
  };
}
