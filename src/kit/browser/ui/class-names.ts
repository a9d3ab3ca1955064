/** Joins class names, skipping those that are undefined or false. */
export const classNames = (...names: (string | false | undefined)[]) => names.filter(Boolean).join(' ') || undefined;
