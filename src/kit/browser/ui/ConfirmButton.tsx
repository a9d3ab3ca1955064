import { Trans } from '@lingui/react/macro';
import { type ReactNode, useRef } from 'react';

interface Props {
  /** The button's accessible name, with the thing it is about: "Remove Grade 1 to Grade 3, Sunrise School". */
  name: string;
  label: ReactNode;
  /** What is asked before it happens. */
  question: ReactNode;
  /** The word on the button that does it. */
  confirm: ReactNode;
  onConfirm: () => void;
}

/** A button that asks first, in a native dialog: Escape closes it, and the focus returns to the button. */
export function ConfirmButton({ name, label, question, confirm, onConfirm }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <button type="button" className="quiet-button" aria-label={name} onClick={() => dialog.current?.showModal()}>
        {label}
      </button>
      <dialog ref={dialog} className="dialog" aria-label={name}>
        <p>{question}</p>
        <div className="dialog-buttons">
          <button type="button" className="button" onClick={() => dialog.current?.close()}>
            <Trans>Cancel</Trans>
          </button>
          <button
            type="button"
            className="button button-bad"
            onClick={() => {
              dialog.current?.close();
              onConfirm();
            }}
          >
            {confirm}
          </button>
        </div>
      </dialog>
    </>
  );
}
