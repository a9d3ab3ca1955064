import { useEffect, useRef } from 'react';
import { longWords, Opener, type Section } from '#kit/browser/gallery/section.tsx';
import { Button } from './Button.tsx';
import { Dialog, DialogButtons } from './Dialog.tsx';
import { WideDialog } from './WideDialog.tsx';

interface Props {
  title: string;
  isWide?: boolean;
  onClose: () => void;
}

function Shown({ title, isWide, onClose }: Props) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const common = { ref: dialog, 'aria-label': title, onClose };
  const content = (
    <>
      <h2>{title}</h2>
      <DialogButtons>
        <Button onClick={() => dialog.current?.close()}>Close</Button>
      </DialogButtons>
    </>
  );
  return isWide ? <WideDialog {...common}>{content}</WideDialog> : <Dialog {...common}>{content}</Dialog>;
}

export const dialog: Section = {
  name: 'Dialog',
  states: {
    'For a question': <Opener words="Open a dialog">{(onClose) => <Shown title="Oak" onClose={onClose} />}</Opener>,
    'For a form': (
      <Opener words="Open a wide dialog">{(onClose) => <Shown title="Elm" isWide onClose={onClose} />}</Opener>
    ),
    'Long words': (
      <Opener words="Open a dialog of many words">
        {(onClose) => <Shown title={longWords} isWide onClose={onClose} />}
      </Opener>
    ),
  },
};
