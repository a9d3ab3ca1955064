import { type ReactNode, useState } from 'react';
import { Button } from '#kit/browser/ui/Button.tsx';

/** A component in every state worth seeing. */
export interface Section {
  /** The component's name. Its address is `/dev/kit#` and the same words in small letters: `#ask-dialog`. */
  name: string;
  /** Each state by what it is. */
  states: Record<string, ReactNode>;
}

interface OpenerProps {
  words: string;
  children: (close: () => void) => ReactNode;
}

/** A button that opens what is open from the moment it is drawn, such as a dialog. */
export function Opener({ words, children }: OpenerProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button onClick={() => setOpen(true)}>{words}</Button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}

/** What somebody may enter: longer than any place expects, with a word that can be broken nowhere. */
export const longWords =
  'A name that is much longer than its place, with Sriramachandrapurushottamasubramaniyamvenkataraghavan in it';

/** What a page may say on a button or a label, at its longest. */
export const longLabel = 'Move all of these trees, and what grows below them, to the north side of the garden';
