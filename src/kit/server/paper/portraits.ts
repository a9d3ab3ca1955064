import { uploadMessages } from '#kit/contract/uploads.ts';
import type { Context } from '#kit/server/context.ts';
import { openPool } from '#kit/server/work/pool.ts';
import { openQueue } from '#kit/server/work/queue.ts';

const megabyte = 1024 * 1024;
const shrink = openPool({
  program: new URL('../work/portrait-work.ts', import.meta.url),
  queue: openQueue(1, 20, 'portrait'),
  seconds: 5,
  memory: 300 * megabyte,
  result: megabyte,
  jobs: 200,
  isNative: true,
  broken: uploadMessages.damaged,
  tooLarge: uploadMessages.hugePicture,
});

/**
 * Stored pictures by their file's id, each as small as a card prints it. One at a time, since a stored picture has up to
 * some megabytes. One that can't be opened is missing.
 */
export async function readPortraits({ files, caller }: Pick<Context, 'files' | 'caller'>, ids: readonly string[]) {
  const portraits = new Map<string, Buffer>();
  for (const id of ids) {
    const made = await shrink(() => files.get(id), caller);
    if ('bytes' in made) portraits.set(id, made.bytes);
  }
  return portraits;
}
