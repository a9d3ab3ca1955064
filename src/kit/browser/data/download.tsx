import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { useConfirmed } from '#kit/browser/ui/confirmed.ts';
import { useToast } from '#kit/browser/ui/toast.tsx';
import type { Endpoint, InputOf } from '#kit/contract/endpoint.ts';
import { callForFile } from './call.ts';
import { saveFile } from './save-file.ts';

/** Milliseconds after which the user is told that the file is still being created. */
const isLate = 700;

/**
 * Returns a function that creates a file and saves it to the downloads, one at a time; a toast tells users who wait
 * that it is being created. It asks for the password where needed. Throws as `call` does.
 */
export function useDownload() {
  const { t } = useLingui();
  const toast = useToast();
  const confirmed = useConfirmed();
  const isMaking = useRef(false);
  const tell = () => toast({ kind: 'warning', title: t`Preparing the file…` });
  return async <Operation extends Endpoint>(operation: Operation, input: InputOf<Operation>, name: string) => {
    if (isMaking.current) return tell();
    isMaking.current = true;
    let late: ReturnType<typeof setTimeout>;
    try {
      const file = await confirmed(() => {
        late = setTimeout(tell, isLate);
        return callForFile(operation, input).finally(() => clearTimeout(late));
      });
      saveFile(file, name);
    } finally {
      isMaking.current = false;
    }
  };
}
