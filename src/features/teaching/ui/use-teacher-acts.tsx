import { useLingui } from '@lingui/react/macro';

/** What the history of a section says was done with its teachers, by the last word of the action. */
export function useTeacherActs(): Record<string, string> {
  const { t } = useLingui();
  return {
    assigned: t`assigned a teacher`,
    replaced: t`replaced a teacher`,
    removed: t`took a teacher out`,
  };
}
