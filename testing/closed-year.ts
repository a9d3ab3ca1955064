import { expect } from 'vitest';

/** What a closed year answers, whichever day it was closed on. */
export const reopenWords: string = expect.stringMatching(
  /^\d{4}-\d{2,4} was closed on \d{1,2} \w{3} \d{4}\. An Admin can reopen it\.$/,
);
