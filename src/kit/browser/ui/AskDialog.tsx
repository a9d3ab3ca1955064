import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import { Dialog, DialogButtons } from './Dialog.tsx';

interface Props {
  title: string;
  /** What it means, where the title does not say all. */
  children?: ReactNode;
  /** What is affected, below the words. */
  details?: ReactNode;
  /** The button that does it; absent where there is nothing to do. */
  confirm?: ReactNode;
  /** The button that does nothing, where "Cancel" would not say it well. */
  cancel?: ReactNode;
  isBad?: boolean;
  /** Why it did not happen. */
  problem?: ReactNode;
  /** Does it. While that lasts it cannot be asked for again. */
  onConfirm: (close: () => void) => Promise<void>;
  onClose: () => void;
}

/** Asks before something is done that is not easily undone. Escape closes it. */
export function AskDialog({ title, children, details, confirm, cancel, isBad, problem, onConfirm, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  const [isGoing, setGoing] = useState(false);
  const close = () => dialog.current?.close();
  const confirmOnce = async () => {
    if (isGoing) return;
    setGoing(true);
    await onConfirm(close);
    setGoing(false);
  };
  return (
    <Dialog ref={dialog} aria-labelledby={titleId} onClose={onClose}>
      <h2 id={titleId}>{title}</h2>
      {children && <p>{children}</p>}
      {details}
      {problem}
      <DialogButtons>
        <Button onClick={close}>{cancel ?? <Trans>Cancel</Trans>}</Button>
        {confirm && (
          <Button kind={isBad ? 'bad' : 'main'} isBusy={isGoing} onClick={() => void confirmOnce()}>
            {confirm}
          </Button>
        )}
      </DialogButtons>
    </Dialog>
  );
}
