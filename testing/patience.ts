/** The SHALA_PATIENCE of tests: a busy machine must not break them. */
export const testPatience = 10;
