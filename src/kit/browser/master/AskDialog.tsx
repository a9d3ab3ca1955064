import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef } from 'react';

interface Props {
  title: string;
  /** What is asked, and what it means. */
  children: ReactNode;
  confirm: ReactNode;
  isBad?: boolean;
  /** Why it did not happen. */
  problem: ReactNode;
  onConfirm: (close: () => void) => void;
  onClose: () => void;
}

/** Asks before something is done that is not easily undone. Escape closes it. */
export function AskDialog({ title, children, confirm, isBad, problem, onConfirm, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const close = () => dialog.current?.close();
  return (
    <dialog ref={dialog} className="dialog" aria-label={title} onClose={onClose}>
      <p>{children}</p>
      {problem}
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={close}>
          <Trans>Cancel</Trans>
        </button>
        <button
          type="button"
          className={isBad ? 'button button-bad' : 'button button-main'}
          onClick={() => onConfirm(close)}
        >
          {confirm}
        </button>
      </div>
    </dialog>
  );
}
