import { uploadMessages } from '#kit/contract/uploads.ts';
import type { Context } from '#kit/server/context.ts';
import { openLane } from '#kit/server/work/lane.ts';
import { openPool } from '#kit/server/work/pool.ts';

const megabyte = 1024 * 1024;
const shrink = openPool({
  program: new URL('../work/portrait-work.ts', import.meta.url),
  lane: openLane(1, 20),
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
export async function readPortraits({ files, asker }: Pick<Context, 'files' | 'asker'>, ids: readonly string[]) {
  const portraits = new Map<string, Buffer>();
  for (const id of ids) {
    const made = await shrink(() => files.get(id), asker);
    if ('bytes' in made) portraits.set(id, made.bytes);
  }
  return portraits;
}
