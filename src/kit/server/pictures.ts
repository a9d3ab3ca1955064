import { type ChildProcess, fork } from 'node:child_process';
import { AppError, unavailableMessage } from '#kit/contract/errors.ts';
import type { Cleaned, PictureAnswer, PictureKind, PictureTask } from './picture-process.ts';

/** Twice what the decoder allows itself; who takes longer hangs. */
const secondsToAnswer = 10;

/** The process that opens pictures: started by the first one, and anew by the next after it has ended. */
let opener: ReturnType<typeof startOpener> | undefined;
let last = 0;

/**
 * Opens a picture in a process of its own and gives it encoded anew (no EXIF, GPS, text or trailing bytes; of a GIF the
 * first frame), or why it is refused. A decoder that breaks or hangs ends with that process alone (D14); throws
 * `unavailable` then.
 */
export async function cleanPicture(kind: PictureKind, bytes: Buffer): Promise<Cleaned> {
  opener ??= startOpener();
  const { child, waiting } = opener;
  const { promise, ...task } = { number: ++last, ...Promise.withResolvers<Cleaned>() };
  const timer = setTimeout(() => child.kill('SIGKILL'), secondsToAnswer * 1000);
  waiting.set(task.number, task);
  child.send({ number: task.number, kind, bytes } satisfies PictureTask, (error) => error && child.kill('SIGKILL'));
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    waiting.delete(task.number);
  }
}

function startOpener() {
  // It is given no environment: whoever breaks a decoder finds no key and no password there.
  const child: ChildProcess = fork(new URL('./picture-process.ts', import.meta.url), {
    env: {},
    execArgv: [],
    serialization: 'advanced',
  });
  const waiting = new Map<number, Omit<PromiseWithResolvers<Cleaned>, 'promise'>>();
  child.on('message', ({ number, cleaned }: PictureAnswer) => waiting.get(number)?.resolve(cleaned));
  const ended = () => {
    if (opener?.child === child) opener = undefined;
    for (const { reject } of waiting.values())
      reject(new AppError('unavailable', unavailableMessage, { retryAfter: 5 }));
  };
  child.once('exit', ended).once('error', ended);
  // It alone does not keep the server from ending.
  child.unref();
  child.channel?.unref();
  return { child, waiting };
}
