import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';

interface FormButtonsProps {
  isSending: boolean;
  close: () => void;
  words: ReactNode;
}

/** The buttons of a form in a dialog. */
export const FormButtons = ({ isSending, close, words }: FormButtonsProps) => (
  <div className="dialog-buttons">
    <button type="button" className="button" onClick={close}>
      <Trans>Cancel</Trans>
    </button>
    <button type="submit" className="button button-main" aria-disabled={isSending}>
      {words}
    </button>
  </div>
);

interface FormDialogProps {
  title: string;
  label: ReactNode;
  children: (close: () => void) => ReactNode;
}

/** A button that opens a form in a dialog; the form is made anew each time. */
export function FormDialog({ title, label, children }: FormDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  return (
    <>
      <button type="button" className="quiet-button" aria-label={title} onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <dialog ref={dialog} className="dialog dialog-form" aria-label={title} onClose={() => setOpen(false)}>
          <h2>{title}</h2>
          <div data-problems />
          {children(() => dialog.current?.close())}
        </dialog>
      )}
    </>
  );
}
