import { useAction } from '#kit/browser/data/action.ts';
import { fileApi } from '../contract/file.ts';

/** One key for each file: where only the answer of the server was lost, sending it again adds no second one. */
const keys = new WeakMap<File, string>();

function keyOf(file: File): string {
  const key = keys.get(file) ?? crypto.randomUUID();
  keys.set(file, key);
  return key;
}

/** Adds files to homework one after the other; returns those that did not arrive. */
export function useSendFiles() {
  const { run } = useAction(fileApi.addFile);
  return async (id: number, files: readonly File[]): Promise<File[]> => {
    const failed: File[] = [];
    for (const file of files)
      if (await run({ id }, keyOf(file), { file })) keys.delete(file);
      else failed.push(file);
    return failed;
  };
}
