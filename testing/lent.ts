/** Closes each school that the running test file has open. */
export const lent = new Set<() => Promise<void>>();
