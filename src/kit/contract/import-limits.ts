/** Rows of one file that is imported. */
export const mostImported = 5000;
/** Bytes of one file that is imported. */
export const importBytes = 2 * 1024 * 1024;
