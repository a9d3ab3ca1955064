import { useLingui } from '@lingui/react/macro';

/** What a section's history says of its teachers, by the last word of the action. */
export function useTeacherActs(): Record<string, string> {
  const { t } = useLingui();
  return {
    assigned: t`assigned a teacher`,
    replaced: t`replaced a teacher`,
    removed: t`removed a teacher`,
  };
}
