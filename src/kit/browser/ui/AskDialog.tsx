import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Button } from './Button.tsx';
import styles from './Dialog.module.css';
import { Dialog, DialogButtons } from './Dialog.tsx';

interface Props {
  title: string;
  /** The consequences, where the title does not say them all. */
  children?: ReactNode;
  /** The affected records, below the text. */
  details?: ReactNode;
  /** The button that does it; absent where nothing can be done. */
  confirm?: ReactNode;
  /** The label of the other button, where "Cancel" does not fit. */
  cancel?: ReactNode;
  isBad?: boolean;
  /** The reason of a failure. */
  problem?: ReactNode;
  /** Does it. It cannot be started again while it runs. */
  onConfirm: (close: () => void) => Promise<void>;
  onClose: () => void;
}

/** Asks before an act that is hard to undo. Escape closes it. */
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
    <Dialog ref={dialog} className={styles.ask} aria-labelledby={titleId} onClose={onClose}>
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
