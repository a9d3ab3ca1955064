import { Trans } from '@lingui/react/macro';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { Dialog, DialogButtons } from '#kit/browser/ui/Dialog.tsx';

interface FormButtonsProps {
  isSending: boolean;
  close: () => void;
  words: ReactNode;
}

/** The buttons of a form in a dialog. */
export const FormButtons = ({ isSending, close, words }: FormButtonsProps) => (
  <DialogButtons>
    <Button onClick={close}>
      <Trans>Cancel</Trans>
    </Button>
    <Button type="submit" kind="main" isBusy={isSending}>
      {words}
    </Button>
  </DialogButtons>
);

interface FormDialogProps {
  title: string;
  label: ReactNode;
  children: (close: () => void) => ReactNode;
}

/** A button that opens a form in a dialog; each time with a new form. */
export function FormDialog({ title, label, children }: FormDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
  }, [isOpen]);
  return (
    <>
      <Button kind="quiet" aria-label={title} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Dialog ref={dialog} kind="form" aria-label={title} onClose={() => setOpen(false)}>
          <h2>{title}</h2>
          <div data-problems />
          {children(() => dialog.current?.close())}
        </Dialog>
      )}
    </>
  );
}
