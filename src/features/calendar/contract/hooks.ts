import { defineHook } from '#kit/contract/hook.ts';
import type { Text } from '#kit/contract/text.ts';

/** Says what depends on days until today whose work has changed, in the transaction of the change. */
export const calendarHook = defineHook<
  { yearId: number; days: readonly { day: string; gradeId: number }[] },
  {
    texts: Text[];
    /** The rows with their versions: the warning is given again where they differ. */
    basis: unknown;
  }
>('calendar');
