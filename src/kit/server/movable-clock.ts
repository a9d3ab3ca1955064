import { readFileSync } from 'node:fs';

/** Seconds by which the school's clock is ahead of the machine's, read from a file each time; 0 without a number. */
export function readAhead(file: string): number {
  try {
    return Math.trunc(Number(readFileSync(file, 'utf8'))) || 0;
  } catch {
    return 0;
  }
}

/** The school's clock, moved by a file or not. */
export const clockOf = (file: string | undefined): (() => Date) =>
  file ? () => new Date(Date.now() + readAhead(file) * 1000) : () => new Date();
