/** The most rows of an imported file. */
export const mostImported = 5000;
/** The most bytes of an imported file. */
export const importBytes = 2 * 1024 * 1024;
