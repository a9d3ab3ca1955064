import { useAction } from '#kit/browser/data/action.ts';
import { fileApi } from '../contract/file.ts';

/** Adds files to homework one after the other; returns those that did not arrive. */
export function useSendFiles() {
  const { run } = useAction(fileApi.addFile);
  return async (id: number, files: readonly File[]): Promise<File[]> => {
    const failed: File[] = [];
    for (const file of files) if (!(await run({ id }, crypto.randomUUID(), { file }))) failed.push(file);
    return failed;
  };
}
