/** What the history of an entry says of where it is from. */
export const setUp = 'set-up';
