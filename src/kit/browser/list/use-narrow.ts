import { useMedia } from '#kit/browser/ui/use-media.ts';

/** Whether the window is as narrow as a phone, where a row of a list has two lines. */
export const useNarrow = () => useMedia('(max-width: 767px)');
