import { useEffect, useRef } from 'react';
import { longWords, Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { Button } from './Button.tsx';
import { Dialog, DialogButtons } from './Dialog.tsx';

interface Props {
  title: string;
  kind?: 'form';
  onClose: () => void;
}

function Shown({ title, kind, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <Dialog ref={dialog} kind={kind} aria-label={title} onClose={onClose}>
      <h2>{title}</h2>
      <DialogButtons>
        <Button onClick={() => dialog.current?.close()}>Close</Button>
      </DialogButtons>
    </Dialog>
  );
}

export const dialog: Section = {
  name: 'Dialog',
  states: {
    'For a question': <Opener words="Open a dialog">{(onClose) => <Shown title="Oak" onClose={onClose} />}</Opener>,
    'For a form': (
      <Opener words="Open a wide dialog">{(onClose) => <Shown title="Elm" kind="form" onClose={onClose} />}</Opener>
    ),
    'Long words': (
      <Opener words="Open a dialog of many words">
        {(onClose) => <Shown title={longWords} kind="form" onClose={onClose} />}
      </Opener>
    ),
  },
};
