import { useLingui } from '@lingui/react/macro';

/** Business minutes as "2 h 30 min". */
export function useDuration() {
  const { t } = useLingui();
  return (minutes: number): string => {
    const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
    if (hours === 0) return t`${rest} min`;
    return rest === 0 ? t`${hours} h` : t`${hours} h ${rest} min`;
  };
}
