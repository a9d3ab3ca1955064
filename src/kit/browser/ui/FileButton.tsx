import type { ReactNode } from 'react';
import { ButtonLabel } from './Button.tsx';
import styles from './FileButton.module.css';
import { VisuallyHidden } from './VisuallyHidden.tsx';

interface Props {
  /** The kinds of files it takes, as `accept` names them. */
  accept: string;
  onChoose: (file: File | undefined) => void;
  children: ReactNode;
}

/** A button that asks for a file to work on at once. The same file again, once it is changed, is a new choice. */
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
