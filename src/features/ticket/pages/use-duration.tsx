import { useLingui } from '@lingui/react/macro';

/** From so many hours on, single minutes say nothing. */
const roughFrom = 2;

/** Business minutes as "2 h 30 min", and as "26 h" where they are many and `isRough`. */
export function useDuration({ isRough = false } = {}) {
  const { t } = useLingui();
  return (minutes: number): string => {
    const hours = Math.floor(minutes / 60);
    const rest = isRough && hours >= roughFrom ? 0 : minutes % 60;
    if (hours === 0) return t`${rest} min`;
    return rest === 0 ? t`${hours} h` : t`${hours} h ${rest} min`;
  };
}
