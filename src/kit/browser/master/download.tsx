import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import type { Endpoint, InputOf } from '#kit/contract/endpoint.ts';
import { callForFile } from '../call.ts';
import { saveFile } from '../save-file.ts';
import { useToast } from '../toast.tsx';

/** When somebody begins to wonder whether anything happens, in milliseconds. */
const isLate = 700;

/**
 * Gives what has a file made and kept among the downloads, one at a time: who waits for one, or asks again meanwhile, is told
 * that it is being made. Throws as `call` does.
 */
export function useDownload() {
  const { t } = useLingui();
  const toast = useToast();
  const isMaking = useRef(false);
  const tell = () => toast({ kind: 'warning', title: t`The file is being made…` });
  return async <Operation extends Endpoint>(operation: Operation, input: InputOf<Operation>, name: string) => {
    if (isMaking.current) return tell();
    isMaking.current = true;
    const late = setTimeout(tell, isLate);
    try {
      saveFile(await callForFile(operation, input), name);
    } finally {
      clearTimeout(late);
      isMaking.current = false;
    }
  };
}
