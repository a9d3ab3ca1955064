import type { ReactNode, RefObject } from 'react';
import { classNames } from '#kit/browser/ui/class-names.ts';
import { ScrollFrame } from '#kit/browser/ui/ScrollFrame.tsx';
import styles from './Matrix.module.css';

interface Props {
  ref?: RefObject<HTMLElement | null>;
  label: string;
  className?: string;
  /** The table. A cell that is changed and not saved has `data-changed`. */
  children: ReactNode;
}

/** A table of two dimensions that scrolls in its frame. */
export const Matrix = ({ ref, label, className, children }: Props) => (
  <ScrollFrame ref={ref} className={classNames(styles.matrix, className)} label={label}>
    {children}
  </ScrollFrame>
);
