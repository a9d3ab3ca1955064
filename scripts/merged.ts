import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const root = join(import.meta.dirname, '..');

/** What git answers; undefined outside a clone, or where it does not know what was asked. */
export function git(...words: string[]): string | undefined {
  try {
    return execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: 'pipe', maxBuffer: 64 * 1024 * 1024 });
  } catch {
    return undefined;
  }
}

/** The commit in which this branch left main; the current commit where main is not known, as in a shallow clone. */
export const mergedCommit = (): string | undefined =>
  (
    git('merge-base', 'HEAD', 'refs/heads/main') ??
    git('merge-base', 'HEAD', 'refs/remotes/origin/main') ??
    git('rev-parse', 'HEAD')
  )?.trim();
