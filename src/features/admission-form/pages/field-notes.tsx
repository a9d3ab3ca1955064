import { useLingui } from '@lingui/react/macro';
import { useMemo } from 'react';
import { type Correction, pageOfSection } from '../contract/correction.ts';

/** The school's words about the fields of one step, for its forms; those about documents stand at their list. */
export function useFieldNotes(correction: Correction | null, step: number): Record<string, string> {
  const { t } = useLingui();
  return useMemo(
    () =>
      Object.fromEntries(
        (correction?.remarks ?? [])
          .filter(({ section, field }) => field && section !== 'Documents' && pageOfSection[section] === step)
          .map(({ field, remark }) => [field, t`The school: ${remark}`]),
      ),
    [correction, step, t],
  );
}
