/** The changed files that `npm test -- --since` names to its checks; undefined where a check reads all. */
export const changedFiles = process.env.CHANGED_FILES?.split('\n').filter(Boolean);

/** Of the files that a check knows, those that it reads: all, or after a change those of the change. */
export const toCheck = (paths: readonly string[]): string[] =>
  paths.filter((path) => changedFiles?.includes(path) ?? true);
