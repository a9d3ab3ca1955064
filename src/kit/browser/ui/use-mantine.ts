import { translate } from '#kit/browser/text.ts';
import { awayMessage } from '#kit/contract/errors.ts';
import { useToast } from './toast.tsx';
import { later, useLoaded } from './use-loaded.ts';

/** Mantine's parts, which are larger than everything else of a list. */
export const mantineParts = later(() => import('./mantine.tsx'));

/** Mantine's parts where they are loaded already. */
export function mantine() {
  const parts = mantineParts.loaded();
  if (!parts) throw new Error('Mantine’s parts are used before they are loaded.');
  return parts;
}

/** Mantine's parts, as soon as they are wanted and here. Where they can't be loaded, a message says so. */
export function useMantine(isWanted: boolean, onFailure?: () => void) {
  const toast = useToast();
  return useLoaded(mantineParts, Number(isWanted), () => {
    toast({ kind: 'error', title: translate(awayMessage) });
    onFailure?.();
  });
}
