import type { Correction } from '../contract/correction.ts';
import { type FormPath, formPaths } from '../contract/pages.ts';

export const lastStep = formPaths.length;

/** Whether the answers of a step can be changed: in a correction only those that the school has reopened. */
export const isStepOpen = (correction: Correction | null, step: number): boolean =>
  !correction || correction.pages.includes(step);

/** Whether a page can be opened. The last page always can: it submits the form. */
export function isPathOpen(correction: Correction | null, path: string): boolean {
  const step = formPaths.indexOf(path as FormPath) + 1;
  return step === lastStep || isStepOpen(correction, step);
}

/** The page that follows, from this one on. */
export const nextOpen = (correction: Correction | null, path: FormPath): FormPath =>
  formPaths.slice(formPaths.indexOf(path)).find((next) => isPathOpen(correction, next)) ?? path;

/** The page before a step; undefined where there is none to go back to. */
export const previousOpen = (correction: Correction | null, step: number): FormPath | undefined =>
  formPaths
    .slice(0, step - 1)
    .filter((path) => isPathOpen(correction, path))
    .at(-1);
