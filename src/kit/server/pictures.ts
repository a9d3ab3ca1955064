import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { AppError, unavailableMessage } from '#kit/contract/errors.ts';
import { frame, readFrames } from './frames.ts';
import { answerKinds, type PictureKind, pictureKinds } from './picture-kinds.ts';

/** What may be stored, or the words it is refused with. */
export type Cleaned = { bytes: Buffer; mediaType: string } | { refused: string };

/** Twice what the decoder allows itself; who takes longer hangs. */
const secondsToAnswer = 10;

/** The process that opens pictures: started by the first one, and anew by the next after it has ended. */
let opener: ReturnType<typeof startOpener> | undefined;
let last = 0;

/**
 * Opens a picture in a process of its own and gives it encoded anew (no EXIF, GPS, text or trailing bytes; of a GIF the
 * first frame), or why it is refused. A decoder that breaks or hangs ends with that process alone (D14). Throws
 * `unavailable` then, and when the machine is too busy with other work.
 */
export async function cleanPicture(kind: PictureKind, bytes: Buffer): Promise<Cleaned> {
  opener ??= startOpener();
  const { child, waiting } = opener;
  last = (last + 1) % 2 ** 32;
  const number = last;
  const { promise, ...task } = Promise.withResolvers<Cleaned>();
  const timer = setTimeout(() => child.kill('SIGKILL'), secondsToAnswer * 1000);
  waiting.set(number, task);
  for (const part of frame(number, pictureKinds.indexOf(kind), bytes)) child.stdin.write(part);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    waiting.delete(number);
  }
}

const later = () => new AppError('unavailable', unavailableMessage, { retryAfter: 5 });

function startOpener() {
  const program = fileURLToPath(new URL('./picture-process.ts', import.meta.url));
  // It is given no environment: whoever breaks a decoder finds no key and no password there. Not Node's own channel between
  // processes either: it copies a message anew with every chunk of it, and the collector's pauses were everybody's.
  const child = spawn(process.execPath, [program], { env: {}, stdio: ['pipe', 'pipe', 'inherit'] });
  const waiting = new Map<number, Omit<PromiseWithResolvers<Cleaned>, 'promise'>>();
  readFrames(child.stdout, ({ number, tag, bytes }) => {
    const kind = answerKinds[tag] ?? 'refused';
    if (kind === 'late') return waiting.get(number)?.reject(later());
    waiting.get(number)?.resolve(kind === 'refused' ? { refused: bytes.toString() } : { bytes, mediaType: kind });
  });
  const ended = () => {
    if (opener?.child === child) opener = undefined;
    for (const { reject } of waiting.values()) reject(later());
  };
  child.once('exit', ended).once('error', ended);
  // Its end is told by `exit`; what cannot be written to it any more is no failure of its own.
  child.stdin.on('error', () => undefined);
  // It alone does not keep the server from ending.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref: () => void }).unref();
  return { child, waiting };
}
