import { text } from '#kit/contract/text.ts';

/** What the keys 1 to 4 do in the row of a call on the dashboard. */
export const callKeys = [text`Reached`, text`No answer`, text`Visit…`, text`Lost…`];
