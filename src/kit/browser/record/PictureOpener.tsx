import { IconCamera } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { Portrait } from '#kit/browser/ui/Initials.tsx';
import { Stack } from '#kit/browser/ui/Layout.tsx';
import { VisuallyHidden } from '#kit/browser/ui/VisuallyHidden.tsx';
import styles from './PictureOpener.module.css';

interface Props {
  name: string;
  /** The address of the picture, or '' without a picture. */
  picture: string;
  /** What the form does, read aloud. */
  title: string;
  children: (onClose: () => void) => ReactNode;
}

/** The picture at the head of a record, which opens its form. */
export function PictureOpener({ name, picture, title, children }: Props) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className={styles.opener} title={title} onClick={() => setOpen(true)}>
        <Portrait name={name} picture={picture} />
        <Stack as="span" centre noPrint className={styles.mark}>
          <IconCamera size={14} aria-hidden />
        </Stack>
        <VisuallyHidden>{title}</VisuallyHidden>
      </button>
      {isOpen && children(() => setOpen(false))}
    </>
  );
}
