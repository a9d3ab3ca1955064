import { Trans } from '@lingui/react/macro';
import { type ReactNode, type RefObject, useRef, useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';
import { DialogButtons } from '#kit/browser/ui/Dialog.tsx';
import { SideDialog } from '#kit/browser/ui/SideDialog.tsx';

interface FormButtonsProps {
  isSending: boolean;
  close: () => void;
  words: ReactNode;
  /** Told before the form is sent by its main button, or by Enter. */
  onSubmit?: () => void;
  /** Further buttons. */
  children?: ReactNode;
}

/** The buttons of a form in a dialog. */
export const FormButtons = ({ isSending, close, words, onSubmit, children }: FormButtonsProps) => (
  <DialogButtons>
    <Button onClick={close}>
      <Trans>Cancel</Trans>
    </Button>
    {children}
    <Button type="submit" kind="main" isBusy={isSending} onClick={onSubmit}>
      {words}
    </Button>
  </DialogButtons>
);

interface FormDialogProps {
  title: string;
  label: ReactNode;
  /** `isChanged` is set by a form that holds what closing would lose. */
  children: (close: () => void, isChanged: RefObject<boolean>) => ReactNode;
}

/** A button that opens a form at the side; each time with a new form. */
export function FormDialog({ title, label, children }: FormDialogProps) {
  const [isOpen, setOpen] = useState(false);
  const isChanged = useRef(false);
  const open = () => {
    isChanged.current = false;
    setOpen(true);
  };
  return (
    <>
      <Button kind="quiet" aria-label={title} onClick={open}>
        {label}
      </Button>
      {isOpen && (
        <SideDialog title={title} isChanged={isChanged} onClose={() => setOpen(false)}>
          {(close) => children(close, isChanged)}
        </SideDialog>
      )}
    </>
  );
}
