import type { ReactNode } from 'react';
import { ButtonLabel } from './Button.tsx';
import styles from './FileButton.module.css';
import { VisuallyHidden } from './VisuallyHidden.tsx';

interface Props {
  /** The accepted kinds of files, as in `accept`. */
  accept: string;
  onChoose: (file: File | undefined) => void;
  children: ReactNode;
}

/** A button that asks for a file and processes it immediately. The same file can be chosen again after a change. */
export const FileButton = ({ accept, onChoose, children }: Props) => (
  <ButtonLabel className={styles.button}>
    <VisuallyHidden
      as="input"
      type="file"
      accept={accept}
      onChange={(event) => {
        onChoose(event.currentTarget.files?.[0]);
        event.currentTarget.value = '';
      }}
    />
    {children}
  </ButtonLabel>
);
