import { Trans } from '@lingui/react/macro';
import { type ReactNode, useRef } from 'react';
import { Button } from './Button.tsx';
import { Dialog, DialogButtons } from './Dialog.tsx';

interface Props {
  /** The button's accessible name, with the thing it is about: "Remove Grade 1 to Grade 3, Sunrise School". */
  name: string;
  label: ReactNode;
  /** The question asked first. */
  question: ReactNode;
  /** The label of the button that does it. */
  confirm: ReactNode;
  /** `main` for the next step of a record, which is no loss; `bad` by default. */
  kind?: 'bad' | 'main';
  /** Beside other buttons with a hairline it has one too. */
  look?: 'plain' | 'quiet';
  /** Aligns its text with the text above and below it, at that side. */
  edge?: 'start' | 'end';
  onConfirm: () => void;
}

/** A button that asks first, in a native dialog: Escape closes it, and the focus returns to the button. */
export function ConfirmButton({
  name,
  label,
  question,
  confirm,
  kind = 'bad',
  look = 'quiet',
  edge,
  onConfirm,
}: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  return (
    <>
      <Button
        kind={kind === 'main' ? 'main' : look}
        edge={edge}
        aria-label={name}
        onClick={() => dialog.current?.showModal()}
      >
        {label}
      </Button>
      <Dialog ref={dialog} aria-label={name}>
        <p>{question}</p>
        <DialogButtons>
          <Button onClick={() => dialog.current?.close()}>
            <Trans>Cancel</Trans>
          </Button>
          <Button
            kind={kind}
            onClick={() => {
              dialog.current?.close();
              onConfirm();
            }}
          >
            {confirm}
          </Button>
        </DialogButtons>
      </Dialog>
    </>
  );
}
