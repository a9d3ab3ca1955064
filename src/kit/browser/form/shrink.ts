import type { UploadRule } from '#kit/contract/uploads.ts';
import type { ShrinkTask } from './shrink-worker.ts';

const usualSide = 1600;

/**
 * The same picture as a JPEG that meets a rule, drawn by a worker so that the page stays responsive. Undefined where
 * this browser cannot do it, or the picture does not open.
 */
export function shrink(file: File, { longestSide = usualSide, maxBytes }: UploadRule): Promise<File | undefined> {
  return new Promise((done) => {
    const worker = new Worker(new URL('./shrink-worker.ts', import.meta.url), { type: 'module' });
    const end = (blob?: Blob) => {
      worker.terminate();
      done(blob && new File([blob], `${file.name.replace(/\.[^.]*$/, '')}.jpg`, { type: 'image/jpeg' }));
    };
    worker.onmessage = ({ data }: MessageEvent<Blob | undefined>) => end(data);
    worker.onerror = () => end();
    worker.postMessage({ file, longestSide, maxBytes } satisfies ShrinkTask);
  });
}
