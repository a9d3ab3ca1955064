import { type ReactNode, useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';

/** A component in every state worth seeing. */
export interface Section {
  /** The component's name. Its address is `/dev/kit#` and the same words in small letters: `#ask-dialog`. */
  name: string;
  /** Each state by its name. */
  states: Record<string, ReactNode>;
}

interface OpenerProps {
  words: string;
  children: (close: () => void) => ReactNode;
}

/** A button that opens an element which is open as soon as it is drawn, such as a dialog. */
export function Opener({ words, children }: OpenerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words}</Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

/** User input longer than any place expects, with a word that cannot break. */
export const longWords =
  'A name that is much longer than its place, with Sriramachandrapurushottamasubramaniyamvenkataraghavan in it';

/** The longest text of a button or a label. */
export const longLabel = 'Move all of these trees, and what grows below them, to the north side of the garden';
